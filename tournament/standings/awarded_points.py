"""Points that an arbiter awarded in place of those a result is worth.

An award names the result it was made for, and holds units for each side, None for the usual ones.
It stands only for that result. A game half of which was given to one side (FIDE's 1/2-0) is kept
as a game both lost with half a point awarded, for no result of a game has one half alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.standings.crosstable import Kind, RoundResult
from tournament.standings.points import PointSystem

Units = tuple[int | None, ...]


def result_code(kinds: Iterable[Kind]) -> str:
    """Write what a board or a bye was, as an award names it: `loss/loss`, `pairing-bye`."""
    return "/".join(kinds)


def with_awarded_points(
    results: tuple[RoundResult, ...], code: str, units: Units, points: PointSystem
) -> tuple[RoundResult, ...]:
    """Give the results with what was awarded for them; as they are when it was for others."""
    if code != result_code(result.kind for result in results):
        return results
    both_lost = all(result.kind is Kind.LOSS for result in results)
    return tuple(
        _with_award(result, own, points, can_be_half=both_lost)
        for result, own in zip(results, units, strict=False)
    )


def awarded_points_of(
    results: Sequence[RoundResult], kept: Sequence[RoundResult], points: PointSystem
) -> tuple[str, Units]:
    """Give the code and the units that make of the results `kept` those that were; "" for none."""
    units = []
    for result, usual in zip(results, kept, strict=True):
        own = points.units_of(result.kind) if result.awarded is None else result.awarded
        units.append(None if own == points.units_of(usual.kind) else own)
    if all(one is None for one in units):
        return "", ()
    return result_code(result.kind for result in kept), tuple(units)


def _with_award(
    result: RoundResult, own: int | None, points: PointSystem, *, can_be_half: bool
) -> RoundResult:
    if own is None or own == points.units_of(result.kind):
        return result
    if can_be_half and own == points.draw:
        return replace(result, kind=Kind.DRAW)
    return replace(result, awarded=own)
