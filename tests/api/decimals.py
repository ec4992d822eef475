"""Find the decimals of an answer that have another type, or more digits, than their kind has."""

import re
from collections.abc import Iterator
from typing import Any

from games.core.decimals import ESTIMATE, EXPECTED, RATING

RATINGS = (
    "rating before after change month_change difference opponent_before handicap_part k deviation"
    " ratings"
)
EXPECTED_SCORES = "expected expected_at_pairing least most"
ESTIMATES = "share chance error expected_rank value low high progress"
DIGITS = {
    **dict.fromkeys(RATINGS.split(), RATING),
    **dict.fromkeys(EXPECTED_SCORES.split(), EXPECTED),
    **dict.fromkeys(ESTIMATES.split(), ESTIMATE),
}
"""The most digits of the JSON numbers with this name."""

SETTINGS = {"draws", "parameters"}
"""Numbers that are as they were sent."""

POINTS = {"points", "values", "score", "basis", "value"}
"""Exact text: points, scores and tie-breaks."""

MONEY = {"amount"}
"""Text with the digits of the currency."""

AS_STATED = {"payload", "findings", "valid"}
"""What a journal's digest covers, what analyses have found, and the values that a body can have."""

DECIMAL_TEXT = re.compile(r"-?[0-9]+\.[0-9]+")


def wrong_decimals(value: Any, name: str = "", place: str = "") -> Iterator[str]:
    """Yield the pointer and the value of each decimal that is not as its kind."""
    if isinstance(value, dict):
        for member, inner in value.items():
            if member not in AS_STATED:
                known = name if name in ("values", "ratings", "parameters") else member
                yield from wrong_decimals(inner, known, f"{place}/{member}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from wrong_decimals(inner, name, f"{place}/{index}")
    elif isinstance(value, float):
        if name not in SETTINGS and round(value, DIGITS.get(name, 0)) != value:
            yield f"{place}: {value!r}"
    elif isinstance(value, str) and DECIMAL_TEXT.fullmatch(value):
        is_shortest = not value.endswith("0") and len(value.partition(".")[2]) <= 6
        if name not in MONEY and not (name in POINTS and is_shortest):
            yield f"{place}: {value!r}"
