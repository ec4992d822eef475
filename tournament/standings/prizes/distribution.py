"""Dealing out the prizes of each group, to the coin."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.standings.prizes.groups import PrizeGroup, Split
from tournament.standings.table import StandingsRow


@dataclass(frozen=True, slots=True)
class PrizeAward:
    """What one player wins: his place in the group, and the places whose prizes he shares."""

    group: str
    place: int
    number: PlayerId
    coins: int
    shared_places: tuple[int, ...]


def award_prizes(
    crosstable: Crosstable,
    rows: Sequence[StandingsRow],
    groups: Iterable[PrizeGroup],
    *,
    year: int,
    withdrawn: Collection[PlayerId] = (),
) -> tuple[PrizeAward, ...]:
    """Deal out the prizes, group by group, in the table's order of `rows`.

    `year` is the one in which ages are counted, `withdrawn` who has left the event by now. The
    sum of a group's awards is never more than its prizes, and less only for want of players.
    """
    gone = {number for number in withdrawn if _was_away(crosstable, number)}
    awards: list[PrizeAward] = []
    served: set[PlayerId] = set()
    for group in groups:
        field = [
            row
            for row in rows
            if row.number not in served
            and (group.admits_withdrawn or row.number not in gone)
            and _games(crosstable, row.number) >= _games_needed(group)
            and group.admits(crosstable.by_number[row.number], year=year)
        ]
        won = _deal(crosstable, field, group)
        if group.is_exclusive:
            served |= {award.number for award in won}
        awards += won
    return tuple(awards)


def _games(crosstable: Crosstable, number: PlayerId) -> int:
    results = crosstable.by_number[number].results[: crosstable.completed]
    return sum(result.is_played for result in results)


def _games_needed(group: PrizeGroup) -> int:
    return 1 if group.games_from is None else group.games_from


def _was_away(crosstable: Crosstable, number: PlayerId) -> bool:
    """Whether a player had no part in the last round; who left after it has missed nothing."""
    return crosstable.by_number[number].result(crosstable.completed).kind is Kind.ZERO_BYE


def _deal(crosstable: Crosstable, field: list[StandingsRow], group: PrizeGroup) -> list[PrizeAward]:
    def points(row: StandingsRow) -> int:
        return -crosstable.points_of(row.number)

    def rank(row: StandingsRow) -> int:
        return row.rank

    if group.split is Split.HALF:
        by_points = _shares(field, tuple(amount // 2 for amount in group.amounts), points)
        by_rank = _shares(field, tuple(a - a // 2 for a in group.amounts), rank)
        shares = {
            number: (coins + by_rank[number][0], places)
            for number, (coins, places) in by_points.items()
        }
    else:
        shares = _shares(field, group.amounts, rank if group.split is Split.RANK else points)
    places = _places(field)
    return [
        PrizeAward(group.name, places[row.number], row.number, *shares[row.number])
        for row in field
        if shares[row.number][0]
    ]


def _shares(
    field: list[StandingsRow], amounts: tuple[int, ...], key: Callable[[StandingsRow], int]
) -> dict[PlayerId, tuple[int, tuple[int, ...]]]:
    shares = {}
    first = 0
    for _, equal in groupby(sorted(field, key=key), key=key):
        players = list(equal)
        places = range(first, first + len(players))
        pot = sum(amounts[first : first + len(players)])
        each, odd = divmod(pot, len(players))
        shared = tuple(place + 1 for place in places if place < len(amounts))
        for index, row in enumerate(players):
            shares[row.number] = (each + (index < odd), shared)
        first += len(players)
    return shares


def _places(field: list[StandingsRow]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    first = 1
    for _, equal in groupby(field, key=lambda row: row.rank):
        players = list(equal)
        places |= dict.fromkeys((row.number for row in players), first)
        first += len(players)
    return places
