"""What the score of an outcome consists of, and the alternative score of *Star.

The alternative score is the lead of the first seat, as the inventor's page counts it: own peries
less the opponent's, each with the peri for three quarks, and REWARD, four for each star that the
opponent has more. It is the difference of both scores; above zero wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from games.rules.outcome import Outcome
from games.rules.scoring.peries import (
    StarTally,
    alternative_reward,
    alternative_score,
    standard_terms,
)
from games.rules.seat import Seat

Terms: TypeAlias = Mapping[str, int]
"""The terms of a sum by their names."""


def terms_of(outcome: Outcome, points: int = 0) -> dict[Seat, Terms] | None:
    """Return the terms that add up to each score; None unless the board proves it.

    `points` are the handicap points of the first seat, a term of their own.
    """
    if not outcome.is_counted:
        return None
    first, second = _counts(outcome)
    terms = {Seat.FIRST: _terms(first, second), Seat.SECOND: _terms(second, first)}
    if points:
        terms[Seat.FIRST]["handicap"], terms[Seat.SECOND]["handicap"] = points, -points
    return dict(terms)


def _counts(outcome: Outcome) -> tuple[Terms, Terms]:
    """Return what is counted for each seat."""
    first, second = ((outcome.detail or {}).get(seat) for seat in Seat)
    assert isinstance(first, Mapping)
    assert isinstance(second, Mapping)
    return first, second


def _terms(own: Terms, other: Terms) -> dict[str, int]:
    """Return the terms of a score on the board, in *Star or in Star."""
    if "peries" in own:
        return standard_terms(StarTally(**own), StarTally(**other))
    return {"touches": own["touches"], "stars": -2 * own["stars"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeScore:
    """The first seat's lead; the tallies of both seats are counted so far.

    `score` is None while the game has none; `handicap` is a part of it, and of the `bounds`.
    """

    score: int | None
    bounds: tuple[int, int]
    first: StarTally
    second: StarTally
    handicap: int

    @property
    def reward(self) -> int:
        """The inventor's REWARD."""
        return alternative_reward(self.first, self.second)

    @property
    def counted(self) -> int:
        """What is counted so far."""
        return alternative_score(self.first, self.second) + self.handicap

    def as_json(self) -> dict[str, object]:
        """Return the JSON form, `handicap_part` only where there is one."""
        value: dict[str, object] = {
            "score": self.score,
            "bounds": list(self.bounds),
            "peries": {
                "first": self.first.with_quark_peri,
                "second": self.second.with_quark_peri,
            },
            "reward": self.reward,
        }
        return value | ({"handicap_part": self.handicap} if self.handicap else {})


def alternative_of(outcome: Outcome, points: int = 0) -> AlternativeScore | None:
    """Return the alternative score of a game of *Star, so far if it goes on; None in others."""
    if outcome.bounds is None:
        return None
    first, second = _counts(outcome)
    if "peries" not in first:
        return None
    (least, most), (second_least, second_most) = outcome.bounds
    return AlternativeScore(
        score=outcome.score and outcome.score[0] - outcome.score[1],
        bounds=(least - second_most, most - second_least),
        first=StarTally(**first),
        second=StarTally(**second),
        handicap=2 * points,
    )
