"""The decimals of the API: for each kind one type and one number of digits.

Points and tie-breaks decide ranks, so they are text and exact. The others are JSON numbers, with at
most as many digits after the point as the kind has here; tables write all of these digits. The
fields of the kinds are in `games.core.serializers`.
"""

from fractions import Fraction
from typing import Final

RATING: Final = 3
"""Ratings and their changes, K, the value of conditions; they are computed in thousandths."""

EXPECTED: Final = 6
"""Expected scores, which are computed in millionths."""

ESTIMATE: Final = 4
"""Shares, chances, means of simulations, and their errors."""


def rating_number(thousandths: int) -> float:
    """Return a rating or a change of thousandths of a point."""
    return thousandths / 10**RATING


def rating_or_none(thousandths: int) -> float | None:
    """Return a rating; None for 0, which is stored for a player who is unrated."""
    return rating_number(thousandths) if thousandths else None


def share_of_change(billionths: int) -> float:
    """Return what a game contributes to the change of a rating, rounded to thousandths."""
    return round(billionths / 10**9, RATING)


def expected_score(millionths: int) -> float:
    """Return an expected score."""
    return millionths / 10**EXPECTED


def estimate(number: float | Fraction) -> float:
    """Return an estimate with its digits."""
    return round(float(number), ESTIMATE)


def score_text(millionths: int) -> str:
    """Return a score of games as exact text, as `1.5`."""
    whole, rest = divmod(millionths, 10**6)
    digits = f"{rest:06}".rstrip("0")
    return f"{whole}.{digits}" if digits else f"{whole}"


def write(number: float | None, digits: int) -> str:
    """Return a number as the text of a table, with all digits; empty for none."""
    return "" if number is None else f"{number:.{digits}f}"
