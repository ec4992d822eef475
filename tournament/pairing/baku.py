"""Baku acceleration (C.04.7, 2026-02-01): virtual points for the upper half in the first rounds.

Group A is the first 2 x ceil(N/4) of the N players who stand in the list before round 1; the
boundary is the pairing number of the last of them, and late entries do not move it. Half of the
rounds, rounded up, are accelerated: in the first half of these, rounded up, a player of group A
has virtual points worth a win, in the others half of that. Virtual points count in pairing alone.
"""

from dataclasses import replace

from tournament.standings.crosstable import Crosstable, PlayerId
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
