"""Baku acceleration (C.04.7, 2026-02-01): virtual points for the upper half in the first rounds.

Group A is the first 2 x ceil(N/4) of the N players who stand in the list before round 1; the
boundary is the pairing number of the last of them, and late entries do not move it. Half of the
rounds, rounded up, are accelerated: in the first half of these, rounded up, a player of group A
has virtual points worth a win, in the others half of that. Virtual points count in pairing alone.
"""

from dataclasses import replace

from tournament.standings.crosstable import ABSENT, Crosstable, PlayerId
from tournament.standings.points import PointSystem


def size_of_group_a(players: int) -> int:
    """Give how many of the players are in group A, an even number."""
    return 2 * -(-players // 4)


def virtual_points(rounds: int, points: PointSystem) -> tuple[int, ...]:
    """Give the virtual units of a player of group A, round by round.

    Half a win is rounded down to whole units where the event's unit cannot hold it.
    """
    accelerated = -(-rounds // 2)
    at_full = -(-accelerated // 2)
    return (points.win,) * at_full + (points.win // 2,) * (accelerated - at_full)


def accelerate(table: Crosstable, *, boundary: PlayerId | None = None) -> Crosstable:
    """Give the table with Baku's virtual points.

    `boundary` is the last number of group A when it was fixed before late entries came; without
    it group A is counted from the players of the table.
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


def latecomers(table: Crosstable) -> frozenset[PlayerId] | None:
    """Who came late, when the table's virtual points are exactly Baku's; None when they are not.

    Of those who were away in the first round, as few as move the boundary to where it stands.
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
    late_upper = [n for n in upper[:-1] if _is_away_at_first(table, n)]
    late_lower = [n for n in lower if _is_away_at_first(table, n)]
    for gone in range(len(late_upper) + 1):
        size = len(upper) - gone
        gone_lower = max(0, len(lower) - size)
        punctual = size + len(lower) - gone_lower
        if gone_lower <= len(late_lower) and size_of_group_a(punctual) == size:
            return frozenset(late_upper[:gone] + late_lower[:gone_lower])
    return None


def _is_away_at_first(table: Crosstable, number: PlayerId) -> bool:
    return bool(table.completed) and table.by_number[number].result(1) == ABSENT
