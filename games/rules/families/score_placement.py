"""Placement games with a score: bounds in every position, a result once all endings agree."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.families.placement import Placement
from games.rules.outcome import Outcome, Termination, leader
from games.rules.scoring.score_board import ScoreBoard


@dataclass(frozen=True, slots=True)
class ScorePlacement(Placement):
    """A position of such a game."""

    board: ScoreBoard

    def outcome(self) -> Outcome:
        """Return bounds and detail, and the score once both extreme fills agree on it.

        All endings lie between the first seat's worst and its best. The score is open while these
        differ.
        """
        board, points = self.board, self.conditions.points_for_first
        first, second = board.chains_of(self.first), board.chains_of(self.second)
        (least, most), (second_least, second_most) = board.bounds(first, second)
        detail = {"first": board.detail(first, second), "second": board.detail(second, first)}
        worst = least + points, second_most - points
        best = most + points, second_least - points
        bounds = (worst[0], best[0]), (best[1], worst[1])
        if worst == best:
            termination = Termination.DECIDED if self.empty else Termination.FULL
            return Outcome.from_score(termination, worst, bounds, detail)
        certain = leader(worst) if leader(worst) is leader(best) else None
        return Outcome(bounds=bounds, detail=detail, winner_decided=certain)
