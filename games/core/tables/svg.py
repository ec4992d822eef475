"""A document as an SVG image, to embed in another site.

It contains no script, style or link, so it looks the same wherever images are shown.
"""

from collections.abc import Iterator, Sequence
from html import escape
from unicodedata import category, east_asian_width

from django.utils.translation import gettext

from games.core.tables.table import (
    Column,
    ColumnKind,
    Context,
    DocumentRenderer,
    TableDocument,
    localized_rows,
)
from games.core.tables.text import printable

LINE_HEIGHT, TEXT_GAP, MARGIN = 20, 12, 10
NARROW, WIDE = frozenset(" '(),-.:;I[]fijlrt|"), frozenset("%+=@MWmw")
FONT = 'font-family="sans-serif" font-size="12"'
BOLD = ' font-weight="bold"'


class SvgRenderer(DocumentRenderer):
    """Render the columns of the layout `picture`; the image is as large as its content."""

    media_type = "image/svg+xml"
    format = "svg"
    disposition = "inline"
    follows_language = True

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        columns, selected = data.with_namesakes().select(data.picture)
        headings = [gettext(column.heading) for column in columns]
        found = localized_rows(columns, selected)
        rows = [[printable(str(cell)) for cell in row] for row in found]
        widths = [
            TEXT_GAP + max(map(_text_width, texts)) for texts in zip(headings, *rows, strict=True)
        ]
        title = printable(data.heading.title)
        width = 2 * MARGIN + max(sum(widths), _text_width(title) + TEXT_GAP)
        height = 2 * MARGIN + LINE_HEIGHT * (len(rows) + 2)
        body = [
            f'<text x="{MARGIN}" y="{MARGIN + 15}"{BOLD}>{escape(title)}</text>',
            *_line(columns, headings, widths, 1, BOLD),
        ]
        for index, row in enumerate(rows, start=2):
            if index % 2 == 0:
                top = MARGIN + LINE_HEIGHT * index
                body.append(
                    f'<rect x="{MARGIN}" y="{top}" width="{width - 2 * MARGIN}"'
                    f' height="{LINE_HEIGHT}" fill="#f2f2f2"/>'
                )
            body += _line(columns, row, widths, index)
        inner = "\n".join(body)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img" {FONT}>\n'
            f"<title>{escape(title)}</title>\n"
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{inner}\n</svg>\n'
        )


def _line(
    columns: Sequence[Column],
    texts: Sequence[str],
    widths: Sequence[int],
    line: int,
    weight: str = "",
) -> Iterator[str]:
    left, baseline = MARGIN, MARGIN + LINE_HEIGHT * line + 14
    for column, text, width in zip(columns, texts, widths, strict=True):
        is_left = column.kind is ColumnKind.TEXT
        x = left + TEXT_GAP // 2 if is_left else left + width - TEXT_GAP // 2
        left += width
        anchor = "" if is_left else ' text-anchor="end"'
        yield f'<text x="{x}" y="{baseline}"{anchor}{weight}>{escape(text)}</text>'


def _text_width(text: str) -> int:
    """Return the largest width of a text in pixels, whatever font displays it."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if east_asian_width(letter) in "WF":
        return 14
    if letter in NARROW:
        return 5
    if letter in WIDE:
        return 12
    return 10 if letter.isupper() else 8
