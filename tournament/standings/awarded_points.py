"""Points that an arbiter awarded instead of those that a result is worth.

Awarded points belong to the result they were awarded for: if the result changes, they no longer
apply. They are a number of units for each side, None for the points of the result. A game with a
half point for one side and a loss for the other (1/2-0 in FIDE's rules) is stored as a game lost
by both players with a half point awarded, because no result of a game means it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.standings.crosstable import Kind, RoundResult
from tournament.standings.points import PointSystem

Units = tuple[int | None, ...]


def result_code(kinds: Iterable[Kind]) -> str:
    """Write the result of a pairing or a bye, for example `loss/loss` or `pairing_bye`."""
    return "/".join(kinds)


def with_awarded_points(
    results: tuple[RoundResult, ...], code: str, units: Units, points: PointSystem
) -> tuple[RoundResult, ...]:
    """Return the results with the units awarded for the result `code`, if they have this code."""
    if code != result_code(result.kind for result in results):
        return results
    both_lost = all(result.kind is Kind.LOSS for result in results)
    return tuple(
        _with_units(result, awarded, points, can_be_draw=both_lost)
        for result, awarded in zip(results, units, strict=False)
    )


def awarded_points_of(
    results: Sequence[RoundResult], stored: Sequence[RoundResult], points: PointSystem
) -> tuple[str, Units]:
    """Return the code and units that turn the `stored` results into `results`, or `("", ())`."""
    units = []
    for result, usual in zip(results, stored, strict=True):
        awarded = points.units_of(result.kind) if result.awarded is None else result.awarded
        units.append(None if awarded == points.units_of(usual.kind) else awarded)
    if all(awarded is None for awarded in units):
        return "", ()
    return result_code(result.kind for result in stored), tuple(units)


def _with_units(
    result: RoundResult, awarded: int | None, points: PointSystem, *, can_be_draw: bool
) -> RoundResult:
    if awarded is None or awarded == points.units_of(result.kind):
        return result
    if can_be_draw and awarded == points.draw:
        return replace(result, kind=Kind.DRAW)
    return replace(result, awarded=awarded)
