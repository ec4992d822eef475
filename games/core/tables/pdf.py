"""A document as PDF: in portrait, else in landscape, else in parts that repeat its key columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.utils.translation import get_language, gettext

from games.core.namesakes import number_after
from games.core.tables.table import (
    Cell,
    Column,
    Context,
    DocumentRenderer,
    NamedPlayers,
    TableDocument,
    localized_rows,
)
from games.core.tables.text import clean_text, isolate
from games.core.tables.typesetting import SOURCE, print_sheet
from games.core.text import semicolons

PAPER_SIZES = ("a4", "letter")

PORTRAIT_WIDTH, LANDSCAPE_WIDTH = 17.8, 24.5
"""Centimetres between the margins of either paper size."""
TYPE_SIZE, SMALL_TYPE_SIZE, LARGEST_TYPE_SIZE = 10.0, 8.0, 18.0
"""Points: in portrait, in landscape, and of a short table, which fills its page."""
LEAST_INSET, LARGEST_INSET, TYPE_HEIGHT = 0.32, 1.6, 0.7
"""Ems: above and below a line, and the line."""
PAGE_HEIGHT, LETTER_AT_TYPE_SIZE = 630.0, 0.16
"""Points of the rows of a page in portrait; centimetres of a letter on the average."""
LETTER_WIDTH, SMALL_LETTER_WIDTH, COLUMN_GAP, LEAST_WIDE = 0.2, 0.16, 0.3, 5.0
"""Centimetres: a letter in large and in small type, the gap of a column, a wide column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFrame:
    """The head and foot of a sheet."""

    title: str
    place: str
    source: str
    printed: str
    paper: str

    def as_json(self, subtitle: str, remark: str = "") -> dict[str, Any]:
        """Return the data of the template `frame.typ`; the remark goes below the title."""
        return {
            "title": clean_text(self.title),
            "subtitle": clean_text(subtitle),
            "place": clean_text(self.place),
            "remark": clean_text(remark),
            SOURCE: self.source,
            "printed": self.printed,
            "paper": self.paper,
            "words": sheet_words(),
        }


def sheet_words() -> dict[str, str]:
    """Return the words of the templates in the language of the reader."""
    return {
        "language": (get_language() or "en").partition("-")[0],
        "page": gettext("page"),
        "of": gettext("of"),
        "first": gettext("first, dark"),
        "second": gettext("second, orange"),
        "player": gettext("player"),
        "result": gettext("result"),
        "signature": gettext("signature"),
        "first_signature": gettext("signature, first seat"),
        "second_signature": gettext("signature, second seat"),
        "handicap": gettext("handicap"),
        "board": gettext("The board"),
        "lines": gettext("Numbered lines for the turns"),
    }


class PdfRenderer(DocumentRenderer):
    """Render the columns of the layout `sheet`, in the SheetFrame of the context."""

    media_type = "application/pdf"
    format = "pdf"
    charset = None
    render_style = "binary"
    disposition = "inline"
    shows_notes = True
    follows_language = True

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> bytes:
        """Return the PDF; raise ApiError if the table is too large or cannot be printed."""
        assert context is not None, "a sheet needs a frame"
        frame: SheetFrame = context["frame"]
        sections, rows = [], []
        for title, part in data.with_namesakes().by_section():
            columns, selected = part.select(data.sheet)
            found = [
                [_sheet_text(cell) for cell in row] for row in localized_rows(columns, selected)
            ]
            sections.append((title, found))
            rows += found
        is_portrait, parts = _lay_out(columns, rows)
        notes = [note for note in (data.explanation, *data.notes) if note]
        titles = [
            {
                "title": clean_text(gettext(column.sheet_heading or column.heading)),
                "align": str(column.kind),
                "wide": column.is_wide,
            }
            for column in columns
        ]
        table = {
            **frame.as_json(data.heading.subtitle, " ".join(map(gettext, notes))),
            "flipped": not is_portrait,
            **_type_size(columns, rows, len(sections), is_portrait=is_portrait),
            "parts": [
                {
                    "name": _part_name(number, len(parts)) if place == 0 else "",
                    "title": clean_text(title),
                    "columns": [titles[index] for index in part],
                    "rows": [[row[index] for index in part] for row in found],
                }
                for number, part in enumerate(parts, start=1)
                for place, (title, found) in enumerate(sections)
            ],
        }
        return print_sheet("table", table)


def _part_name(number: int, total: int) -> str:
    """Return which part of the columns it is, empty if there is only one."""
    values = {"number": number, "total": total}
    return gettext("part %(number)s of %(total)s of the columns") % values if total > 1 else ""


def _sheet_text(cell: Cell) -> str:
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, str):
        return clean_text(cell)
    players = cell.players if isinstance(cell, NamedPlayers) else (cell,)
    return semicolons(
        f"{isolate(clean_text(player.name))}{number_after(player.name, player.detail)}"
        for player in players
    )


def _type_size(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], sections: int, *, is_portrait: bool
) -> dict[str, float]:
    """Return the size of the type, and the space above and below a line.

    A short table in portrait fills its page, so that it can be read from a wall.
    """
    if not is_portrait:
        return {"size": SMALL_TYPE_SIZE, "inset": LEAST_INSET}
    headings = [gettext(column.sheet_heading or column.heading) for column in columns]
    longest = [max(map(len, texts)) for texts in zip(headings, *rows, strict=True)]
    wide = max(
        (length for column, length in zip(columns, longest, strict=True) if column.is_wide),
        default=0,
    )  # wide columns are equally wide
    width = sum(
        COLUMN_GAP + LETTER_AT_TYPE_SIZE * (wide if column.is_wide else length)
        for column, length in zip(columns, longest, strict=True)
    )
    height = PAGE_HEIGHT / (len(rows) + 2 * sections)
    highest = height / (TYPE_HEIGHT + 2 * LEAST_INSET)
    size = max(TYPE_SIZE, min(LARGEST_TYPE_SIZE, highest, TYPE_SIZE * PORTRAIT_WIDTH / width))
    inset = (height / size - TYPE_HEIGHT) / 2
    return {"size": size, "inset": max(LEAST_INSET, min(LARGEST_INSET, inset))}


def _lay_out(
    columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> tuple[bool, list[list[int]]]:
    """Return True for portrait, and the indices of the columns of each part.

    The parts are about equally wide, so that the last one is not a single column.
    """
    headings = [gettext(column.sheet_heading or column.heading) for column in columns]
    lengths = [max(map(len, texts)) for texts in zip(headings, *rows, strict=True)]

    def width(indices: Sequence[int], letter: float) -> float:
        return sum(
            COLUMN_GAP + (LEAST_WIDE if columns[index].is_wide else letter * lengths[index])
            for index in indices
        )

    whole = list(range(len(columns)))
    if width(whole, LETTER_WIDTH) <= PORTRAIT_WIDTH:
        return True, [whole]
    keys = [index for index, _ in takewhile(lambda pair: pair[1].is_key, enumerate(columns))]

    def split(most: float) -> list[list[int]]:
        parts, part = [], list(keys)
        for index in whole[len(keys) :]:
            if width([*part, index], SMALL_LETTER_WIDTH) > most and len(part) > len(keys):
                parts.append(part)
                part = list(keys)
            part.append(index)
        return [*parts, part]

    parts = split(LANDSCAPE_WIDTH)
    narrower = (split(LANDSCAPE_WIDTH * share / 20) for share in range(19, 9, -1))
    return False, [parts, *takewhile(lambda found: len(found) == len(parts), narrower)][-1]
