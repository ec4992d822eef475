"""A crosstable drawn as SVG, for a page elsewhere to embed as an image.

Nothing in it is a script, a style or a link, so it shows alike wherever images do.
"""

from collections.abc import Iterable, Sequence
from html import escape
from unicodedata import category, east_asian_width

from tournament.documents.crosstable import columns_of, lines_of, points_of
from tournament.queries.standings import Table
from tournament.standings.crosstable_rows import CrosstableOrder

LINE, GAP, MARGIN = 20, 12, 10
NARROW, WIDE = frozenset(" '(),-.:;I[]fijlrt|"), frozenset("%+=@MWmw")
FONT = 'font-family="sans-serif" font-size="12"'


def _width(text: str) -> int:
    """How wide a text is at most, in pixels; no font is known, so letters count by their kind."""
    return sum(map(_width_of_letter, text))


def _width_of_letter(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if east_asian_width(letter) in "WF":
        return 14
    if letter in NARROW:
        return 5
    if letter in WIDE:
        return 12
    return 10 if letter.isupper() else 8


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def crosstable_svg(table: Table, order: CrosstableOrder, *, square: bool) -> str:
    """The crosstable with its title; as wide and high as its content."""
    lines = lines_of(table, order, square=square)
    head = ["No", "Name", *columns_of(table, lines, square=square), "Points", "Rank"]
    rows = [
        [str(n.label), _plain(n.name), *n.cells, points_of(table, n), str(n.rank)] for n in lines
    ]
    widths = [
        GAP + max(_width(row[column]) for row in (head, *rows)) for column in range(len(head))
    ]
    title = _plain(table.title)
    width = 2 * MARGIN + max(sum(widths), _width(title) + GAP)
    height = 2 * MARGIN + LINE * (len(rows) + 2)
    body = [
        f'<text x="{MARGIN}" y="{MARGIN + 15}" font-weight="bold">{escape(title)}</text>',
        *_row(head, widths, 1, ' font-weight="bold"'),
    ]
    for index, row in enumerate(rows, start=2):
        if index % 2 == 0:
            top = MARGIN + LINE * index
            body.append(
                f'<rect x="{MARGIN}" y="{top}" width="{width - 2 * MARGIN}" height="{LINE}"'
                ' fill="#f2f2f2"/>'
            )
        body += _row(row, widths, index, "")
    inner = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" {FONT}>\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{inner}\n</svg>\n'
    )


def _row(cells: Sequence[str], widths: Sequence[int], line: int, weight: str) -> Iterable[str]:
    left, base = MARGIN, MARGIN + LINE * line + 14
    for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        anchor = "" if column == 1 else ' text-anchor="end"'
        x = left + GAP // 2 if column == 1 else left + width - GAP // 2
        left += width
        yield f'<text x="{x}" y="{base}"{anchor}{weight}>{escape(cell)}</text>'
