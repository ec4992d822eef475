"""The value of a tie-break for one player, and the terms that it is computed from.

Cuts, Cn and Mn, are the terms that a value leaves out (C.07 14.1-14.4, 16.5; 2026-03-01).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from tournament.standings.crosstable import PlayerId
from tournament.standings.points import Number, format_decimal


class TermKind(LabelledEnum):
    """The source of the basis of a term."""

    SCORE = "score", gettext_noop("score")
    """The opponent's score, or the score of a game."""
    ADJUSTED = (
        "adjusted",
        gettext_noop("score, with byes at the end counted as draws (C.07 16.3.2)"),
    )
    """The opponent's score with trailing byes counted as draws (16.3.2)."""
    DUMMY = (
        "dummy",
        gettext_noop("unplayed: the player's own score (C.07 16.4)"),
    )
    """An unplayed round: the player's own score (16.4)."""
    DUMMY_OF_OPPONENT = (
        "dummy_capped_by_opponent",
        gettext_noop("unplayed: at most the opponent's score (C.07 16.4.1)"),
    )
    """An unplayed round: the lower score of the scheduled opponent (16.4.1)."""
    DUMMY_OF_DRAWS = (
        "dummy_capped_by_draws",
        gettext_noop("unplayed: at most a draw in every round (C.07 16.4.2)"),
    )
    """An unplayed round: a draw in every round, if that is lower (16.4.2)."""
    RATING = "rating", gettext_noop("rating of the opponent")
    """The opponent's rating; the term's value is the rating, or in TPR and PTP the game points."""
    OPPONENT_VALUE = "opponent_value", gettext_noop("value of the opponent")
    """The value of the averaged tie-break of the opponent."""
    ROUND = "round", gettext_noop("own round")
    """One of the player's own rounds."""
    START = "start", gettext_noop("score before round 1")
    """The starting score, as round 0."""
    OWN = "own", gettext_noop("own number or rating")
    """The player's own pairing number or rating, as round 0."""


class Cut(LabelledEnum):
    """The reason why a term is cut."""

    LOW = "low", gettext_noop("cut as one of the lowest")
    HIGH = "high", gettext_noop("cut as one of the highest")
    VOLUNTARY = "voluntary", gettext_noop("cut: a voluntary unplayed round (C.07 16.5)")
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
            "round": self.round or None,
            "number": self.opponent,
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
Numbers = dict[PlayerId, Number | None]
"""The numbers of values, without their terms."""


def sum_terms(terms: Iterable[TiebreakTerm]) -> Value:
    """Return the sum of the terms that are not cut."""
    terms = tuple(terms)
    return Value(sum([term.value for term in terms if term.cut is None]), terms)


def average_terms(terms: Iterable[TiebreakTerm]) -> Value:
    """Return the exact mean of the terms that are not cut; undefined if there are none."""
    terms = tuple(terms)
    counted = [term.value for term in terms if term.cut is None]
    return Value(Fraction(sum(counted)) / len(counted) if counted else None, terms)


def cut_terms(terms: Sequence[TiebreakTerm], low: int, high: int) -> Sequence[TiebreakTerm]:
    """Mark the `low` least significant, then the `high` most significant terms as cut.

    The least significant term has the lowest basis, and among equals the lowest value (14.1.1).
    As long as voluntary unplayed rounds remain, a low cut removes the lowest of them instead,
    unless its value is below that of the least significant term (16.5.1, 16.5.2). If there are
    fewer terms than cuts, all are cut.
    """
    cuts = _find_cuts(terms, low, high)
    if not cuts:
        return terms
    marked = list(terms)
    for index, cut in cuts.items():
        marked[index] = TiebreakTerm(*terms[index][:-1], cut)  # `_replace` takes longer
    return marked


def sum_without_cuts(terms: Sequence[TiebreakTerm], low: int, high: int) -> Number:
    """Return the sum of the terms that `cut_terms` does not cut."""
    total = sum([term.value for term in terms])
    return total - sum([terms[index].value for index in _find_cuts(terms, low, high)])


def _find_cuts(terms: Sequence[TiebreakTerm], low: int, high: int) -> dict[int, Cut]:
    """Return why terms are cut, by their index."""
    if not low and not high:
        return {}
    cuts: dict[int, Cut] = {}
    left = sorted([(term.basis, term.value, i) for i, term in enumerate(terms)])
    voluntary = sorted(
        [(term.value, term.basis, i) for i, term in enumerate(terms) if term.is_voluntary]
    )
    for _ in range(min(low, len(left))):
        (basis, value, index), reason = left[0], Cut.LOW
        if voluntary and voluntary[0][0] >= value:
            (value, basis, index), reason = voluntary[0], Cut.VOLUNTARY
        left.remove((basis, value, index))
        if terms[index].is_voluntary:
            voluntary.remove((value, basis, index))
        cuts[index] = reason
    for *_, index in left[len(left) - min(high, len(left)) :]:
        cuts[index] = Cut.HIGH
    return cuts


def cut_first_rounds(terms: Sequence[TiebreakTerm], count: int) -> Sequence[TiebreakTerm]:
    """Mark the first `count` terms as cut: the scores after the first rounds, in PS (14.1)."""
    return [*(term._replace(cut=Cut.LOW) for term in terms[:count]), *terms[count:]]
