"""Workbooks with given cells, as the bytes of .xlsx and .ods files."""

import io
import zipfile

import xlsxwriter


def workbook(rows: list[list[object]], *, hidden_first: bool = False) -> bytes:
    output = io.BytesIO()
    with xlsxwriter.Workbook(output, {"in_memory": True}) as book:
        if hidden_first:
            book.add_worksheet("lists").write(0, 0, "other")
            book.worksheets()[0].hide()
        book.add_worksheet("notes")
        sheet = book.add_worksheet("players")
        sheet.activate()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return output.getvalue()


def open_document(rows: list[list[object]]) -> bytes:
    def cell(value: object) -> str:
        kind = f'float" office:value="{value}' if isinstance(value, int) else "string"
        text = "" if value == "" else f"<text:p>{value}</text:p>"
        return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'

    urn = "urn:oasis:names:tc:opendocument:xmlns"
    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    content = (
        f'<office:document-content xmlns:office="{urn}:office:1.0" '
        f'xmlns:table="{urn}:table:1.0" xmlns:text="{urn}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="players">{lines}'
        '<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    return output.getvalue()
