"""The lines for the turns of a record sheet, as a picture.

As a table of the sheet they would take 4 MB and 90 ms for each game; a picture is typeset once and
repeated.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from games.rules.diagram.svg import element, number, text

TURN_LINES_WIDTH = 1820.0
"""Units across, of a tenth of a millimetre, as all lengths here."""
TURN_LINE_HEIGHT = 60.0
TURN_COLUMN_GAP, NUMBERS, INDENT, BASELINE, LETTER = 30.0, 75.0, 8.0, 40.0, 25.0
"""Between the columns, for the numbers, before a text, below the top of a line, of the letters."""


def draw_lines(words: Sequence[str], *, columns: int, lines: int, start: int = 1) -> str:
    """Return columns of lines as SVG, numbered from `start`, with a place for each of the words."""
    width = (TURN_LINES_WIDTH - TURN_COLUMN_GAP * (columns - 1)) / columns
    height = TURN_LINE_HEIGHT * (lines + 1)
    rules, texts = [], []
    for column in range(columns):
        left = column * (width + TURN_COLUMN_GAP)
        for line in range(1, lines + 2):
            rules.append(f"M{number(left)},{number(TURN_LINE_HEIGHT * line - 1)}h{number(width)}")
        for place, word in enumerate(words):
            x = left + NUMBERS + place * (width - NUMBERS) / len(words)
            rules.append(f"M{number(x)},0v{number(height)}")
            texts.append((x, 0, word))
        texts.append((left, 0, gettext("No")))
        for line in range(lines):
            texts.append((left, line + 1, str(start + column * lines + line)))
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": number(TURN_LINES_WIDTH),
            "height": number(height),
            "viewBox": f"0 0 {number(TURN_LINES_WIDTH)} {number(height)}",
            "font-family": "serif",
            "font-size": number(LETTER),
            "fill": "#555",
        },
        element("path", {"d": "".join(rules), "stroke": "#888", "stroke-width": "1.5"}),
        *_draw_texts(texts),
    )


def _draw_texts(texts: Sequence[tuple[float, int, str]]) -> Iterator[str]:
    for left, line, words in texts:
        place = {"x": number(left + INDENT), "y": number(line * TURN_LINE_HEIGHT + BASELINE)}
        yield element("text", place, text(words))
