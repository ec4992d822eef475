"""Prizes: who wins what in each group, and how money is split among equals.

A group takes the table's players who meet its conditions, in the table's order. Groups are dealt
with in the order given; a player who has won in an exclusive group before is passed over in later
ones, and the prize goes to the next. Amounts are whole numbers of the smallest coin.

The rules of splitting:
- `rank`: each place gets its prize; players of equal rank share the prizes of their places.
- `points`: players of equal points share the prizes of their places, whatever the tie-breaks say.
- `half`: half of each prize goes by `rank`, half by `points` (known as the Hort system).
Shares are equal to the coin; coins that cannot be shared go one each to the better ranked first,
then the lower pairing number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from tournament.standings.crosstable import Competitor, Crosstable, PlayerId
from tournament.standings.errors import StandingsError
from tournament.standings.table import Row

SEXES = ("m", "w")
"""As FIDE writes them; empty where it is not known or not told."""
MOST_PRIZES = 1000
MOST_COINS = 10**12
MOST_GROUPS = 50
LONGEST_WORD = 120
WORDS = ("name", "sex", "federation", "club", "category")
NUMBERS = ("rating_from", "rating_to", "born_from", "born_to")


class Split(StrEnum):
    """How prizes are shared among equals."""

    RANK = "rank"
    POINTS = "points"
    HALF = "half"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeGroup:
    """One list of prizes and who can win them; conditions that are not set do not bind.

    `amounts` are the coins of the first, second, ... place. Ratings and years of birth are from
    and to, both included; a player without a rating or a birth date meets no condition on it
    (but unrated counts as 0 where only `rating_to` is set). Raises StandingsError for amounts
    below zero or rising with the place.
    """

    name: str
    amounts: tuple[int, ...]
    split: Split = Split.RANK
    is_exclusive: bool = True
    rating_from: int | None = None
    rating_to: int | None = None
    born_from: int | None = None
    born_to: int | None = None
    sex: str = ""
    federation: str = ""
    club: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        if len(self.amounts) > MOST_PRIZES:
            raise StandingsError(f"{self.name}: more than {MOST_PRIZES} prizes")
        if any(not 0 <= amount <= MOST_COINS for amount in self.amounts):
            raise StandingsError(f"{self.name}: a prize is 0 to {MOST_COINS} coins")
        if list(self.amounts) != sorted(self.amounts, reverse=True):
            raise StandingsError(f"{self.name}: a lower place has the higher prize")

    def admits(self, player: Competitor) -> bool:
        """Whether a player meets every condition of the group."""
        if self.rating_from is not None and player.rating < self.rating_from:
            return False
        if self.rating_to is not None and player.rating > self.rating_to:
            return False
        if self.born_from is not None or self.born_to is not None:
            year = int(player.birth[:4]) if player.birth[:4].isdecimal() else None
            if year is None or not (self.born_from or 0) <= year <= (self.born_to or 9999):
                return False
        wanted = (
            (self.sex, player.sex),
            (self.federation, player.federation),
            (self.club, player.club),
            (self.category, player.category),
        )
        return all(not want or want == own for want, own in wanted)

    @classmethod
    def from_json(cls, value: object) -> "PrizeGroup":
        """Read a group from decoded JSON, its keys named as the fields (`exclusive` for short).

        Raises StandingsError naming the key that is unknown, missing or of another kind.
        """
        if not isinstance(value, dict):
            raise StandingsError("a prize group is an object with `name` and `amounts`")
        known = {"exclusive", "split", "amounts", *WORDS, *NUMBERS}
        unknown = sorted(str(key)[:40] for key in value.keys() - known)
        if unknown:
            raise StandingsError(
                f"a prize group has no {unknown[0]!r}; valid: {', '.join(sorted(known))}"
            )
        words: dict[str, Any] = {name: value.get(name, "") for name in WORDS}
        numbers: dict[str, Any] = {name: value.get(name) for name in NUMBERS}
        name = words["name"]
        if not (isinstance(name, str) and name.strip()):
            raise StandingsError("a prize group needs a `name`")
        for key, word in words.items():
            if not isinstance(word, str) or len(word) > LONGEST_WORD or not word.isprintable():
                raise StandingsError(f"{name[:40]}: {key} is text of {LONGEST_WORD} at most")
        for key, number in numbers.items():
            if number is not None and not (type(number) is int and 0 <= number <= 9999):
                raise StandingsError(f"{name[:40]}: {key} is a whole number from 0 to 9999")
        amounts = value.get("amounts")
        if not isinstance(amounts, list) or any(type(amount) is not int for amount in amounts):
            raise StandingsError(f"{name[:40]}: amounts are a list of whole coins")
        exclusive = value.get("exclusive", True)
        if type(exclusive) is not bool:
            raise StandingsError(f"{name[:40]}: exclusive is true or false")
        split = value.get("split", Split.RANK)
        if split not in list(Split):
            valid = ", ".join(Split)
            raise StandingsError(f"{name[:40]}: split is {str(split)[:20]!r}; valid: {valid}")
        return cls(
            amounts=tuple(amounts), split=Split(split), is_exclusive=exclusive, **words, **numbers
        )

    def as_dict(self) -> dict[str, Any]:
        """Give the JSON form; conditions that do not bind are left out."""
        conditions = {name: getattr(self, name) for name in (*WORDS, *NUMBERS) if name != "name"}
        return {
            "name": self.name,
            "amounts": list(self.amounts),
            "split": str(self.split),
            "exclusive": self.is_exclusive,
            **{name: value for name, value in conditions.items() if value not in ("", None)},
        }


def parse_groups(value: object) -> tuple[PrizeGroup, ...]:
    """Read an event's list of groups from decoded JSON; raises StandingsError."""
    if not isinstance(value, list) or len(value) > MOST_GROUPS:
        raise StandingsError(f"prizes are a list of at most {MOST_GROUPS} groups")
    groups = tuple(PrizeGroup.from_json(one) for one in value)
    names = [group.name for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise StandingsError(f"{name[:40]}: two groups have this name")
    return groups


@dataclass(frozen=True, slots=True)
class Award:
    """What one player wins: his place in the group, and the places whose prizes he shares."""

    group: str
    place: int
    number: PlayerId
    coins: int
    shared_places: tuple[int, ...]


def award_prizes(
    crosstable: Crosstable, rows: Sequence[Row], groups: Iterable[PrizeGroup]
) -> tuple[Award, ...]:
    """Deal out the prizes, group by group; the sum of a group is never more than its prizes."""
    awards: list[Award] = []
    gone: set[PlayerId] = set()
    for group in groups:
        field = [
            row
            for row in rows
            if row.number not in gone and group.admits(crosstable.by_number[row.number])
        ]
        won = _deal(crosstable, field, group)
        if group.is_exclusive:
            gone |= {award.number for award in won if award.coins}
        awards += won
    return tuple(awards)


def _deal(crosstable: Crosstable, field: list[Row], group: PrizeGroup) -> list[Award]:
    def points(row: Row) -> int:
        return -crosstable.points_of(row.number)

    def rank(row: Row) -> int:
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
        Award(group.name, places[row.number], row.number, *shares[row.number])
        for row in field
        if shares[row.number][0]
    ]


def _shares(
    field: list[Row], amounts: tuple[int, ...], key: Callable[[Row], int]
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


def _places(field: list[Row]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    first = 1
    for _, equal in groupby(field, key=lambda row: row.rank):
        players = list(equal)
        places |= dict.fromkeys((row.number for row in players), first)
        first += len(players)
    return places
