"""What a simulated event shows: how well it found the strongest, and how good its rounds were.

All measures are whole numbers of millionths, so that their sums do not depend on the order in which
simulations are added.

| measure | meaning |
|---|---|
| winner | 1 if the strongest player is first; of n players with the first rank, 1/n |
| strongest_rank | the rank of the strongest player; of equal ranks, their mean |
| top_share | the share of the truly best `top` players among the first `top` |
| tau | Kendall's tau-b between true and final order: 1 equal, 0 unrelated, -1 reversed |
| rematches | games of two players who have met before |
| imbalance | games with one seat minus games with the other, mean over the players |
| largest_imbalance | the largest such difference |
| downfloats | games against a player with fewer points, and pairing-allocated byes (C.04.3) |
| upfloats | games against a player with more points |
| byes | pairing-allocated and full-point byes; in a round robin, free rounds |
| games | games played |
| blocked | 1 if a round had no legal pairing, so that the event ended before it |
"""

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from games.rules.seat import Seat
from ratings.systems.elo import MILLION
from tournament.standings.crosstable import PLAYED, Competitor, Crosstable, Kind, PlayerId

FREE: Final = frozenset({Kind.PAIRING_BYE, Kind.FULL_BYE})


class Measures(NamedTuple):
    """The measures of one simulated event, in millionths."""

    winner: int
    strongest_rank: int
    top_share: int
    tau: int
    rematches: int
    imbalance: int
    largest_imbalance: int
    downfloats: int
    upfloats: int
    byes: int
    games: int
    blocked: int


MEASURES: Final = Measures._fields
SHARES: Final = frozenset({"winner", "top_share", "blocked"})
"""The measures between 0 and 1."""

FLOAT_MEASURES: Final = frozenset({"downfloats", "upfloats"})
"""The measures that mean nothing if the schedule fixes who meets whom."""


def measure(
    table: Crosstable,
    ranks: Mapping[PlayerId, int],
    strengths: Mapping[PlayerId, float],
    *,
    top: int,
    is_blocked: bool = False,
) -> Measures:
    """Return the measures of a finished event.

    `ranks` are the final ranks, `1 2 2 4`; `strengths` are the true strengths in rating points, by
    which the results were drawn. The players of equal strength are ordered by number. `top` is a
    number of players, at least 1 and at most all. `is_blocked` says that not all rounds could be
    paired.
    """
    numbers = list(strengths)
    order = sorted(numbers, key=lambda number: (-strengths[number], number))
    sharing = Counter(ranks.values())
    strongest = ranks[order[0]]
    rank_of_strongest = strongest * MILLION + (sharing[strongest] - 1) * MILLION // 2
    imbalances = [_imbalance(player) for player in table.players]
    downfloats, upfloats = count_floats(table)
    played = sum(result.is_played for player in table.players for result in player.results)
    return Measures(
        winner=MILLION // sharing[1] if strongest == 1 else 0,
        strongest_rank=rank_of_strongest,
        top_share=sum(_chance_within(top, ranks[n], sharing[ranks[n]]) for n in order[:top]) // top,
        tau=kendall_tau([strengths[n] for n in numbers], [-ranks[n] for n in numbers]),
        rematches=count_rematches(table) * MILLION,
        imbalance=sum(imbalances) * MILLION // max(1, len(imbalances)),
        largest_imbalance=max(imbalances, default=0) * MILLION,
        downfloats=downfloats * MILLION,
        upfloats=upfloats * MILLION,
        byes=_count_byes(table) * MILLION,
        games=played // 2 * MILLION,
        blocked=MILLION * is_blocked,
    )


def kendall_tau(values: list[float] | list[int], others: list[float] | list[int]) -> int:
    """Return Kendall's tau-b between two lists of values of the same players, in millionths.

    It is (concordant - discordant pairs) / sqrt(pairs not tied in the one x not tied in the other)
    (Kendall, 1945), and 0 if all values of a list are equal: such an order says nothing.
    """
    first, second = np.asarray(values), np.asarray(others)
    one, other = np.sign(first[:, None] - first), np.sign(second[:, None] - second)
    untied = int(np.count_nonzero(one)) * int(np.count_nonzero(other))
    return round(MILLION * int((one * other).sum()) / sqrt(untied)) if untied else 0


def count_rematches(table: Crosstable) -> int:
    """Return how many games were played by two players who had met before."""
    meetings = Counter(
        (player.number, result.opponent)
        for player in table.players
        for result in player.results
        if result.opponent is not None and result.kind in PLAYED
        if player.number < result.opponent
    )
    return meetings.total() - len(meetings)


def count_floats(table: Crosstable) -> tuple[int, int]:
    """Return the numbers of downfloats and of upfloats.

    The points before a round count, with those that only pairing knows: the starting scores of
    McMahon and the virtual points of accelerated rounds.
    """
    units = {player.number: player.start for player in table.players}
    downfloats = upfloats = 0
    for index in range(table.completed):
        before = {
            player.number: units[player.number]
            + (player.virtual[index] if index < len(player.virtual) else 0)
            for player in table.players
        }
        for player in table.players:
            if index >= len(player.results):
                continue
            result = player.results[index]
            if result.kind is Kind.PAIRING_BYE:
                downfloats += 1
            elif result.opponent is not None and result.kind in PLAYED:
                downfloats += before[player.number] > before[result.opponent]
                upfloats += before[player.number] < before[result.opponent]
            units[player.number] += table.units_of(result)
    return downfloats, upfloats


def _imbalance(player: Competitor) -> int:
    """Return how many more games a player has played with one seat than with the other."""
    seats = [result.seat for result in player.results if result.kind in PLAYED]
    return abs(seats.count(Seat.FIRST) - seats.count(Seat.SECOND))


def _chance_within(top: int, rank: int, sharing: int) -> int:
    """Return the chance in millionths of being among the first if equal players draw lots."""
    return MILLION * min(max(top - rank + 1, 0), sharing) // sharing


def _count_byes(table: Crosstable) -> int:
    kinds = FREE | {Kind.ZERO_BYE} if table.round_robin else FREE
    return sum(result.kind in kinds for player in table.players for result in player.results)
