"""The distribution of the prizes of each group, exact to the coin."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.standings.prizes.groups import PrizeGroup, Split
from tournament.standings.table import StandingsRow


@dataclass(frozen=True, slots=True)
class PrizeAward:
    """A prize of one player: the place in the group, and the places whose prizes are shared."""

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
    """Award the prizes of each group, in the order of the standings.

    Ages are counted in `year`; `withdrawn` are the players who have left the event.
    """
    left = {number for number in withdrawn if _is_absent_at_end(crosstable, number)}
    awards: list[PrizeAward] = []
    winners: set[PlayerId] = set()
    for group in groups:
        eligible = [
            row
            for row in rows
            if row.number not in winners
            and (group.admits_withdrawn or row.number not in left)
            and _games(crosstable, row.number) >= _games_needed(group)
            and group.admits(crosstable.by_number[row.number], year=year)
        ]
        group_awards = _award_group(crosstable, eligible, group)
        if group.is_exclusive:
            winners |= {award.number for award in group_awards}
        awards += group_awards
    return tuple(awards)


def _games(crosstable: Crosstable, number: PlayerId) -> int:
    results = crosstable.by_number[number].results[: crosstable.completed]
    return sum(result.is_played for result in results)


def _games_needed(group: PrizeGroup) -> int:
    return 1 if group.games_from is None else group.games_from


def _is_absent_at_end(crosstable: Crosstable, number: PlayerId) -> bool:
    """Return True if a player was absent in the last completed round."""
    return crosstable.by_number[number].result(crosstable.completed).kind is Kind.ZERO_BYE


def _award_group(
    crosstable: Crosstable, rows: list[StandingsRow], group: PrizeGroup
) -> list[PrizeAward]:
    def by_points(row: StandingsRow) -> int:
        return -crosstable.points_of(row.number)

    def by_rank(row: StandingsRow) -> int:
        return row.rank

    if group.split is Split.HALF:
        half = _shares(rows, tuple(amount // 2 for amount in group.amounts), by_points)
        other_half = _shares(rows, tuple(a - a // 2 for a in group.amounts), by_rank)
        shares = {
            number: (coins + other_half[number][0], places)
            for number, (coins, places) in half.items()
        }
    else:
        key = by_rank if group.split is Split.RANK else by_points
        shares = _shares(rows, group.amounts, key)
    places = _places(rows)
    return [
        PrizeAward(group.name, places[row.number], row.number, *shares[row.number])
        for row in rows
        if shares[row.number][0]
    ]


def _shares(
    rows: list[StandingsRow], amounts: tuple[int, ...], key: Callable[[StandingsRow], int]
) -> dict[PlayerId, tuple[int, tuple[int, ...]]]:
    """Return the coins of each player and the places that they share."""
    shares = {}
    first = 0
    for _, equal in groupby(sorted(rows, key=key), key=key):
        players = list(equal)
        last = first + len(players)
        each, odd = divmod(sum(amounts[first:last]), len(players))
        shared = tuple(range(first + 1, min(last, len(amounts)) + 1))
        for index, row in enumerate(players):
            shares[row.number] = (each + (index < odd), shared)
        first = last
    return shares


def _places(rows: list[StandingsRow]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    for _, equal in groupby(rows, key=lambda row: row.rank):
        place = len(places) + 1
        places |= {row.number: place for row in equal}
    return places
