"""The value of a tie-break for one player, and the terms that it is computed from."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from tournament.standings.crosstable import PlayerId
from tournament.standings.points import Number, format_decimal


class TermKind(StrEnum):
    """The source of the basis of a term."""

    SCORE = "score"
    """The opponent's score, or the score of a game."""
    ADJUSTED = "adjusted"
    """The opponent's score with trailing byes counted as draws (16.3.2)."""
    DUMMY = "dummy"
    """An unplayed round: the player's own score (16.4)."""
    DUMMY_OF_OPPONENT = "dummy-capped-by-opponent"
    """An unplayed round: the lower score of the scheduled opponent (16.4.1)."""
    DUMMY_OF_DRAWS = "dummy-capped-by-draws"
    """An unplayed round: a draw in every round, if that is lower (16.4.2)."""
    RATING = "rating"
    """The opponent's rating; the term's value is the rating, or in TPR and PTP the game points."""
    OPPONENT_VALUE = "opponent-value"
    """The value of the averaged tie-break of the opponent."""
    ROUND = "round"
    """One of the player's own rounds."""
    START = "start"
    """The starting score, as round 0."""
    OWN = "own"
    """The player's own pairing number or rating, as round 0."""


class Cut(StrEnum):
    """The reason why a term is cut."""

    LOW = "low"
    HIGH = "high"
    VOLUNTARY = "voluntary"
    """A voluntary unplayed round, cut instead of a lower term (16.5)."""


class TiebreakTerm(NamedTuple):
    """One term of a value: `value` counts, and follows from the `basis`."""

    round: int
    opponent: PlayerId | None
    basis: Number
    value: Number
    kind: TermKind
    is_voluntary: bool = False
    cut: Cut | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form; numbers are exact decimal text."""
        return {
            "round": self.round,
            "opponent": self.opponent,
            "basis": format_decimal(self.basis),
            "value": format_decimal(self.value),
            "why": str(self.kind),
            "cut": None if self.cut is None else str(self.cut),
        }


class Value(NamedTuple):
    """A tie-break of one player, in units, with its terms; `number` is None if undefined."""

    number: Number | None
    terms: tuple[TiebreakTerm, ...] = ()


Values = dict[PlayerId, Value]


def sum_terms(terms: Iterable[TiebreakTerm]) -> Value:
    """Return the sum of the terms that are not cut."""
    terms = tuple(terms)
    return Value(sum([term.value for term in terms if term.cut is None]), terms)


def average_terms(terms: Iterable[TiebreakTerm]) -> Value:
    """Return the exact mean of the terms that are not cut; undefined if there are none."""
    terms = tuple(terms)
    counted = [term.value for term in terms if term.cut is None]
    return Value(Fraction(sum(counted)) / len(counted) if counted else None, terms)
