"""Ratings as people write them: whole points or decimals, with or without a sign of thousands."""

import re
from typing import Final, NamedTuple

from games.rules.text import Text

LOWEST_RATING: Final = 100
"""A lower number is a slip, or has lost its thousands, as the 1.9 that a program makes of 1.900."""

HIGHEST_RATING: Final = 4000

MOST_SEED_GAMES: Final = 99_999
"""The rated games that can have led to a rating from elsewhere."""

GROUPED = re.compile(r"([1-4])([.,'’\u00a0\u2009\u202f ])([0-9]{3})(?:([.,])([0-9]{1,18}))?")
DECIMAL = re.compile(r"([0-9]{1,18})(?:[.,]([0-9]{1,18}))?")


class WrittenRating(NamedTuple):
    """A number of points: the whole ones, and the digits after the decimal sign."""

    whole: int
    decimals: str = ""

    @property
    def rounded(self) -> int:
        """The whole points, a half up."""
        return self.whole + (self.decimals >= "5")

    @property
    def is_zero(self) -> bool:
        """Whether it stands for no rating."""
        return not self.whole and not self.decimals.strip("0")

    def is_from_100_to(self, highest: int) -> bool:
        """Return True if there can be such a rating."""
        return self.whole >= LOWEST_RATING and self.rounded <= highest


def read_rating(text: str) -> WrittenRating | None:
    """Return the number that a text means; None if it is not one.

    No rating is 1.9, so the sign in `1.900` or `1,900` is that of the thousands; a decimal sign
    after it is another one, as in `1.900,5`.

    >>> read_rating("1.900"), read_rating("1887,5")
    (WrittenRating(whole=1900, decimals=''), WrittenRating(whole=1887, decimals='5'))
    """
    if grouped := GROUPED.fullmatch(text):
        thousands, sign, hundreds, decimal_sign, decimals = grouped.groups()
        if sign != decimal_sign:
            return WrittenRating(int(thousands + hundreds), decimals or "")
    found = DECIMAL.fullmatch(text)
    return WrittenRating(int(found[1]), found[2] or "") if found else None


def parse_rating(text: str) -> int:
    """Return whole points, rounded a half up; 0 is no rating. Raises ValueError."""
    written = read_rating(text)
    if written is not None and written.is_zero:
        return 0
    if written is None or not written.is_from_100_to(HIGHEST_RATING):
        raise ValueError(
            Text(
                "%(word)s is not a rating from %(least)s to %(most)s, or 0 for none",
                word=f"{text[:20]!r}",
                least=LOWEST_RATING,
                most=HIGHEST_RATING,
            )
        )
    return written.rounded
