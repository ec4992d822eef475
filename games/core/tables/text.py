"""A document as aligned text, for a terminal, and text without characters that would do harm."""

import unicodedata

from games.core.tables.table import ColumnKind, Context, DocumentRenderer, TableDocument

FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"
JOINERS = "\u200c\u200d"
"""Invisible characters that Persian and Indic scripts need between letters."""
MOST_CODE_POINTS = 6
"""The number of code points that are written out; a name of 60 would fill the page."""


def printable(text: str) -> str:
    """Return a text with spaces in place of control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def clean_text(text: str) -> str:
    """Return a text on one line without control and formatting characters, except joiners.

    A text that contains nothing else is written as its code points.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    cleaned = "".join(map(_clean_letter, text)).strip()
    return cleaned if cleaned or not text.strip(" ") else code_points(text)


def _clean_letter(letter: str) -> str:
    if letter.isprintable() or letter in JOINERS:
        return letter
    category = unicodedata.category(letter)
    return "" if category == "Cf" else letter if category in ("Co", "Cn") else " "


def code_points(letters: str) -> str:
    """Return the Unicode numbers of letters, as `[6625 65E5]`."""
    codes = [f"{ord(letter):04X}" for letter in letters if letter not in JOINERS] or ["200D"]
    more = ["…"] if len(codes) > MOST_CODE_POINTS else []
    return f"[{' '.join(codes[:MOST_CODE_POINTS] + more)}]"


def isolate(text: str) -> str:
    """Isolate right-to-left text, so that a number after it stays after it."""
    is_right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}" if is_right_to_left else text


class TextRenderer(DocumentRenderer):
    """Render the columns of the layout `csv`, aligned by spaces."""

    media_type = "text/plain"
    format = "txt"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        columns, rows = data.select(data.csv)
        lines = [[column.name for column in columns]]
        lines += [[printable(str(cell)) for cell in row] for row in rows]
        widths = [max(map(len, texts)) for texts in zip(*lines, strict=True)]
        return "".join(
            "  ".join(
                text.ljust(width) if column.kind is ColumnKind.TEXT else text.rjust(width)
                for text, width, column in zip(line, widths, columns, strict=True)
            ).rstrip()
            + "\n"
            for line in lines
        )
