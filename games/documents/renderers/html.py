"""A document as an HTML page that needs no other file (templates/games/table_page.html)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.documents.decimals import localized_rows
from games.documents.document import Cell, Column, ColumnKind, TableDocument
from games.documents.renderers.base import Context, DocumentRenderer
from games.documents.template import render_template
from games.http.content_policy import allow_style

STYLE = (
    "td, th { padding: 0 .6em; text-align: left } "
    ".right { text-align: right } .center { text-align: center }"
)
POLICY = f"default-src 'none'; style-src {allow_style(STYLE)}; frame-ancestors 'none'"

Record = Mapping[str, Any]
FindLink = Callable[[Column, Record], str]
"""Return the address that the cell of a column and a record leads to, or an empty text."""


class HtmlRenderer(DocumentRenderer):
    """Render the columns of the layout `page`; the security policy allows the page's own style."""

    media_type = "text/html"
    format = "html"
    disposition = "inline"
    shows_notes = True
    security_policy = POLICY

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return the page, which links to the `page` of the site in the context."""
        notes = [note for note in (data.explanation, *data.notes) if note]
        page = {
            "title": data.heading.title,
            "style": mark_safe(STYLE),
            "notes": notes,
            "address": (context or {}).get("page", ""),
        }
        return render_template("games/table_page.html", page | table_context(data))


def table_context(
    document: TableDocument,
    *,
    find_link: FindLink | None = None,
    is_marked: Callable[[Record], bool] | None = None,
) -> dict[str, Any]:
    """Return the context of the template `games/table.html`, for any page with a table.

    Rows of records for which `is_marked` returns True have the class `own`. Numbers have the
    decimal sign of the active language.
    """
    records = list(document.records)
    columns, found = replace(document, records=records).select(document.page)
    classes = [
        "" if column.kind is ColumnKind.TEXT else f' class="{column.kind}"' for column in columns
    ]
    rows = localized_rows(columns, found)
    return {
        "header": _header_html(columns, classes),
        "rows": [
            _row_html(
                columns,
                classes,
                record,
                row,
                find_link,
                is_own=is_marked is not None and is_marked(record),
            )
            for record, row in zip(records, rows, strict=True)
        ],
    }


def _header_html(columns: Sequence[Column], classes: Sequence[str]) -> SafeString:
    cells = [
        f'<th scope="col"{css_class}>{escape(gettext(column.heading))}</th>'
        for column, css_class in zip(columns, classes, strict=True)
    ]
    return mark_safe(f"<tr>{''.join(cells)}</tr>")


def _row_html(
    columns: Sequence[Column],
    classes: Sequence[str],
    record: Record,
    row: Sequence[Cell],
    find_link: FindLink | None,
    *,
    is_own: bool,
) -> SafeString:
    """Return a row of escaped cells, some of them links."""
    parts = ['<tr class="own">' if is_own else "<tr>"]
    for column, css_class, cell in zip(columns, classes, row, strict=True):
        text = str(cell) if isinstance(cell, int) else escape(str(cell))
        address = find_link(column, record) if find_link and text else ""
        link = f'<a href="{escape(address)}">{text}</a>' if address else text
        parts.append(f"<td{css_class}>{link}</td>")
    parts.append("</tr>")
    return mark_safe("".join(parts))
