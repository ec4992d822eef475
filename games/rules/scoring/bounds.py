"""The outcome of a scoring game: open while endings differ, decided once all agree."""

from __future__ import annotations

from games.rules.position import Bounds, Detail, Outcome, Termination, leader


def bounded_outcome(bounds: Bounds, detail: Detail, *, points: int, is_full: bool) -> Outcome:
    """Return the outcome of a position whose endings all lie within `bounds`.

    The score is decided if the first seat's worst ending is its best. `points` are the handicap
    points of the first seat.
    """
    (least, most), (second_least, second_most) = bounds
    worst = least + points, second_most - points
    best = most + points, second_least - points
    if worst == best:
        termination = Termination.FULL if is_full else Termination.DECIDED
        return Outcome.from_score(termination, worst, bounds, detail)
    certain = leader(worst) if leader(worst) is leader(best) else None
    return Outcome(bounds=bounds, detail=detail, winner_decided=certain)
