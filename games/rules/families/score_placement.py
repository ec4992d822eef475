"""Placement games with a score: bounds in every position, a result once all endings agree.

Bounds and detail are deferred while the score is open: few callers read them at every ply, and in
most positions a few border cells show that it is open.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from games.rules.boards.forest import add_stones, empty_forest, plant_stones
from games.rules.families.placement import Placement
from games.rules.outcome import Outcome, Termination, leader
from games.rules.scoring.score_board import BorderChains, ScoreBoard


class Side(NamedTuple):
    """The stones of a seat, what their chains touch by their roots, and what these score."""

    stones: int
    touched: dict[int, int]
    chains: BorderChains


class Known(NamedTuple):
    """What is known of a position: the forest of its chains, and each side."""

    parents: array[int]
    first: Side
    second: Side


@dataclass(frozen=True, slots=True)
class ScorePlacement(Placement):
    """A position of such a game.

    `known` is of this position or of an earlier one: only the stones placed since then are
    examined.
    """

    board: ScoreBoard
    known: Known | None = field(default=None, compare=False, repr=False, kw_only=True)

    def outcome(self) -> Outcome:
        """Return bounds and detail, and the score once both extreme fills agree on it."""
        if self.is_open():
            return Outcome.deferred(self.find_outcome)
        return self.find_outcome()

    def is_open(self) -> bool:
        """Return True if the score is not decided."""
        if self.board.is_open(self.first, self.second):
            return True
        known = self.examine()
        return known.first.chains.least + known.second.chains.least < self.board.total

    def find_outcome(self) -> Outcome:
        """Return the outcome, not deferred.

        All endings lie between the first seat's worst and its best. The score is open while these
        differ.
        """
        board, points, known = self.board, self.conditions.points_for_first, self.examine()
        first, second = known.first.chains, known.second.chains
        bounds = (least, most), (second_least, second_most) = board.bounds(first, second)
        detail = {"first": board.detail(first, second), "second": board.detail(second, first)}
        worst = least + points, second_most - points
        best = most + points, second_least - points
        if worst == best:
            termination = Termination.DECIDED if self.empty else Termination.FULL
            return Outcome.from_score(termination, worst, bounds, detail)
        certain = leader(worst) if leader(worst) is leader(best) else None
        return Outcome(bounds=bounds, detail=detail, winner_decided=certain)

    def examine(self) -> Known:
        """Return what is known of this position."""
        known = self.known
        # A swap exchanges the stones of the seats.
        if known is None or known.first.stones & ~self.first or known.second.stones & ~self.second:
            parents = empty_forest(len(self.board.names))
            first, second = self._plant(parents, self.first), self._plant(parents, self.second)
        else:
            parents = known.parents[:]
            first = self._extend(parents, known.first, self.first)
            second = self._extend(parents, known.second, self.second)
        known = Known(parents, first, second)
        object.__setattr__(self, "known", known)
        return known

    def _plant(self, parents: array[int], stones: int) -> Side:
        """Return the side of these stones; add them to `parents`."""
        board = self.board
        touched = plant_stones(parents, stones, board.beside, board.border_places)
        return Side(stones, touched, board.border_chains(touched.values()))

    def _extend(self, parents: array[int], side: Side, stones: int) -> Side:
        """Return the side of more stones; add those that are not yet there to `parents`."""
        if stones == side.stones:
            return side
        board, added = self.board, stones ^ side.stones
        touched = add_stones(
            parents, side.touched, side.stones, added, board.beside, board.border_places
        )
        if touched is side.touched:
            return Side(stones, touched, side.chains)
        return Side(stones, touched, board.border_chains(touched.values()))
