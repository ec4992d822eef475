"""A document as an HTML page that needs no other file, and as a part of any other page."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from html import escape
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext

from games.core.tables.table import (
    ColumnKind,
    Context,
    DocumentRenderer,
    TableDocument,
    localized_rows,
)
from games.core.text import render_template


def allow_style(style: str) -> str:
    """Return the source of a policy that allows this style element, by its digest."""
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def picture_policy(style: str = "") -> str:
    """Return the policy of an SVG file that may load nothing but this style element, if any."""
    styles = f"style-src {allow_style(style)}; " if style else ""
    return (
        f"default-src 'none'; {styles}"
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
    )


TABLE_STYLE = (
    "td, th { padding: 0 .6em; text-align: left } "
    ".right { text-align: right } .center { text-align: center }"
)
TABLE_POLICY = f"default-src 'none'; style-src {allow_style(TABLE_STYLE)}; frame-ancestors 'none'"

Record = Mapping[str, Any]
FindLink = Callable[[Record], str]
"""Return the address that the cell of a record leads to, or an empty text."""

Links = Mapping[str, FindLink]
"""The columns whose cells are links, by name."""

Dress = Mapping[str, Callable[[Record, str], str]]
"""What makes the HTML of a cell from its record and its plain HTML, by the name of the column."""


class HtmlRenderer(DocumentRenderer):
    """Render the columns of the layout `page`; the security policy allows the page's own style."""

    media_type = "text/html"
    format = "html"
    disposition = "inline"
    shows_notes = True
    follows_language = True
    security_policy = TABLE_POLICY

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return the page, which links to the `page` of the site in the context."""
        notes = [note for note in (data.explanation, *data.notes) if note]
        page = {
            "title": data.heading.title,
            "language": (get_language() or "en").partition("-")[0],
            "style": mark_safe(TABLE_STYLE),
            "notes": [gettext(note) for note in notes],
            "address": (context or {}).get("page", ""),
            "tables": [{"title": title} | table_context(part) for title, part in data.by_section()],
        }
        return render_template("games/core/table_page.html", page)


def table_context(
    document: TableDocument,
    *,
    links: Links | None = None,
    dress: Dress | None = None,
    row_class: Callable[[Record], str] | None = None,
) -> dict[str, Any]:
    """Return the context of the template `games/table.html`, for any page with a table.

    `rows` are the rows as one text, empty without records. Numbers have the decimal sign of the
    active language.
    """
    document = document.with_namesakes()
    records = list(document.records)
    columns, found = replace(document, records=records).select(document.page)
    classes = [
        "" if column.kind is ColumnKind.TEXT else f' class="{column.kind}"' for column in columns
    ]
    finders = [(links or {}).get(column.name) for column in columns]
    dressers = [(dress or {}).get(column.name) for column in columns]
    seats = [column.seat for column in columns]
    rows = []
    for record, row in zip(records, localized_rows(columns, found), strict=True):
        cells = []
        for css_class, seat, cell, find_link, dresser in zip(
            classes, seats, row, finders, dressers, strict=True
        ):
            html = _cell_html(str(cell), find_link, record)
            html = dresser(record, html) if dresser else html
            cells.append(f"<td{css_class}>{_stone_html(seat, record)}{html}</td>")
        names = row_class(record) if row_class else ""
        start = f'<tr class="{names}">' if names else "<tr>"
        rows.append(f"{start}{''.join(cells)}</tr>\n")
    headings = [
        f'<th scope="col"{css_class}>{escape(gettext(column.heading))}</th>'
        for column, css_class in zip(columns, classes, strict=True)
    ]
    return {
        "header": mark_safe(f"<tr>{''.join(headings)}</tr>"),
        "rows": mark_safe("".join(rows)),
    }


def _stone_html(seat: str, record: Record) -> str:
    """Return the stone of a seat for the style of the site, if the record has two players."""
    has_two = seat and record["first"] and record["second"]
    return f'<span class="stone {seat}"></span>&nbsp;' if has_two else ""


def _cell_html(text: str, find_link: FindLink | None, record: Record) -> str:
    """Return the escaped text of a cell, as a link where the record has an address."""
    escaped = escape(text)
    address = find_link(record) if find_link and text else ""
    return f'<a href="{escape(address)}">{escaped}</a>' if address else escaped
