"""Baku acceleration (C.04.7, 2026-02-01): virtual points for the upper half in the first rounds.

Group A contains the first 2 x ceil(N/4) of the N players in the list before round 1. Its boundary
is the pairing number of its last player, and late entries do not move it. Half of the rounds,
rounded up, are accelerated. In the first half of these, rounded up, a player of group A has virtual
points worth a win, in the others half of that. Virtual points count in pairing only.
"""

from dataclasses import replace

from tournament.standings.crosstable import ABSENT, Crosstable, PlayerId
from tournament.standings.points import PointSystem


def size_of_group_a(players: int) -> int:
    """Return the number of players in group A; it is even."""
    return 2 * -(-players // 4)


def virtual_points(rounds: int, points: PointSystem) -> tuple[int, ...]:
    """Return the virtual units of a player of group A, round by round.

    Half a win is rounded down if the unit of the points cannot represent it.
    """
    accelerated = -(-rounds // 2)
    at_full = -(-accelerated // 2)
    return (points.win,) * at_full + (points.win // 2,) * (accelerated - at_full)


def accelerate(table: Crosstable, *, boundary: PlayerId | None = None) -> Crosstable:
    """Return the table with Baku's virtual points.

    `boundary` is the last number of group A, if it was fixed before late entries; otherwise the
    players of the table determine group A.
    """
    if boundary is None:
        size = size_of_group_a(len(table.players))
        boundary = max((player.number for player in table.players[:size]), default=0)
    virtual = virtual_points(table.rounds, table.points)
    return replace(
        table,
        players=tuple(
            replace(player, virtual=virtual if player.number <= boundary else ())
            for player in table.players
        ),
    )


def late_entries(table: Crosstable) -> frozenset[PlayerId] | None:
    """Return the players who entered late, deduced from virtual points that are exactly Baku's.

    These are as few as possible of the players absent in round 1 that explain the boundary. Return
    None if the virtual points are not Baku's.
    """
    due = virtual_points(table.rounds, table.points)
    while due and not due[-1]:
        due = due[:-1]
    group_a = [player.number for player in table.players if player.virtual]
    if not due or not group_a or any(p.virtual not in ((), due) for p in table.players):
        return None
    boundary = group_a[-1]
    upper = [p.number for p in table.players if p.number <= boundary]
    lower = [p.number for p in table.players if p.number > boundary]
    if upper != group_a:
        return None
    late_upper = [n for n in upper[:-1] if _is_absent_at_first(table, n)]
    late_lower = [n for n in lower if _is_absent_at_first(table, n)]
    for upper_count in range(len(late_upper) + 1):
        size = len(upper) - upper_count
        lower_count = max(0, len(lower) - size)
        punctual = size + len(lower) - lower_count
        if lower_count <= len(late_lower) and size_of_group_a(punctual) == size:
            return frozenset(late_upper[:upper_count] + late_lower[:lower_count])
    return None


def _is_absent_at_first(table: Crosstable, number: PlayerId) -> bool:
    return bool(table.completed) and table.by_number[number].result(1) == ABSENT
