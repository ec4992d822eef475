"""A table as plain text and as a page of HTML."""

from collections.abc import Container, Iterable, Sequence
from html import escape

from tournament.standings.table import StandingsRow, format_value

STYLE = (
    "td, th { padding: 0 .6em; text-align: right } "
    "td:nth-child(3), th:nth-child(3), .text { text-align: left }"
)
"""The whole style of a page; a server that sends one allows it by its digest."""


def table_text(rows: Sequence[StandingsRow]) -> str:
    """Write rows as aligned columns, numbers to the right; LF line ends."""
    labels = list(rows[0].values) if rows else []
    lines = [["rank", "id", "name", *labels]]
    for row in rows:
        values = [format_value(row.values[label]) for label in labels]
        name = "".join(c if c.isprintable() else " " for c in row.name)
        lines.append([str(row.rank), str(row.number), name, *values])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(
        "  ".join(
            cell.ljust(width) if column == 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in lines
    )


def table_html(rows: Sequence[StandingsRow], *, title: str, note: str = "") -> str:
    """Write rows as a page that needs nothing else; every text is escaped."""
    labels = list(rows[0].values) if rows else []
    cells = [
        [row.rank, row.number, row.name, *(format_value(row.values[label]) for label in labels)]
        for row in rows
    ]
    return page_html(["Rank", "Id", "Name", *labels], cells, title=title, note=note)


def page_html(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    title: str,
    note: str = "",
    texts: Container[int] = (),
) -> str:
    """Write a table as a page that needs nothing else, names to the left in the third column.

    `texts` are the other columns, from 0, that stand to the left.
    """

    def line(cells: Sequence[object], tag: str) -> str:
        opened = (f'<{tag} class="text">' if n in texts else f"<{tag}>" for n in range(len(cells)))
        return "".join(
            f"{tag_opened}{escape(str(cell))}</{tag}>"
            for tag_opened, cell in zip(opened, cells, strict=True)
        )

    columns = line(head, "th")
    body = "\n".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    remark = f"<p>{escape(note)}</p>\n" if note else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{remark}<table>\n<thead><tr>{columns}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n</body>\n</html>\n"
    )
