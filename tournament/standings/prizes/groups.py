"""Prize groups: their prizes, who can win them, and their written form."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tournament.standings.crosstable import Competitor
from tournament.standings.errors import PrizeError

SEXES = ("m", "w")
"""As FIDE writes them; empty where it is not known or not told."""
MOST_PRIZES = 1000
MOST_COINS = 10**12
MOST_GROUPS = 50
LONGEST_WORD = 120
LONGEST_TOLD = 40
WORDS = ("name", "sex", "federation", "club", "category")
NUMBERS = {
    "rating_from": (0, 9999),
    "rating_to": (0, 9999),
    "age_from": (0, 150),
    "age_to": (0, 150),
    "birth_year_from": (1900, 2199),
    "birth_year_to": (1900, 2199),
    "games_from": (0, 99),
}
"""The conditions that are numbers, with the least and the most that they can be."""
FLAGS = {"exclusive": True, "withdrawn": False}
KNOWN = ("name", "amounts", "split", *FLAGS, *WORDS[1:], "unrated", *NUMBERS)


class Split(StrEnum):
    """How prizes are shared among equals."""

    RANK = "rank"
    POINTS = "points"
    HALF = "half"


class Unrated(StrEnum):
    """Whether players without a rating can win: as others, not at all, or they alone."""

    IN = "in"
    OUT = "out"
    ONLY = "only"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeGroup:
    """One list of prizes and who can win them; conditions that are not set do not bind.

    `amounts` are the coins of the first, second, ... place. Numbers are from and to, both
    included. Raises PrizeError for amounts that are out of range or rise with the place, and for
    a `from` beyond its `to`.
    """

    name: str
    amounts: tuple[int, ...]
    split: Split = Split.RANK
    is_exclusive: bool = True
    admits_withdrawn: bool = False
    unrated: Unrated = Unrated.IN
    rating_from: int | None = None
    rating_to: int | None = None
    age_from: int | None = None
    age_to: int | None = None
    birth_year_from: int | None = None
    birth_year_to: int | None = None
    games_from: int | None = None
    sex: str = ""
    federation: str = ""
    club: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        if len(self.amounts) > MOST_PRIZES:
            raise PrizeError(f"more than {MOST_PRIZES} prizes", "amounts")
        for index, amount in enumerate(self.amounts):
            if not 0 <= amount <= MOST_COINS:
                raise PrizeError(f"a prize is 0 to {MOST_COINS} coins", f"amounts/{index}")
            if index and amount > self.amounts[index - 1]:
                raise PrizeError("a lower place has the higher prize", f"amounts/{index}")
        for what in ("rating", "age", "birth_year"):
            least, most = getattr(self, f"{what}_from"), getattr(self, f"{what}_to")
            if least is not None and most is not None and least > most:
                detail = f"{what}: nobody is from {least} to {most}"
                raise PrizeError(detail, f"{what}_from")

    def admits(self, player: Competitor, *, year: int) -> bool:
        """Whether a player meets the group's conditions; `year` is the one ages are counted in.

        What depends on the rounds, games played and withdrawals, is not looked at.
        """
        if self.unrated is not Unrated.IN and (player.rating == 0) is (self.unrated is Unrated.OUT):
            return False
        birth_year = int(player.birth[:4]) if player.birth[:4].isdecimal() else None
        age = None if birth_year is None else year - birth_year
        wanted = (
            (self.sex, player.sex),
            (self.federation, player.federation),
            (self.club, player.club),
            (self.category, player.category),
        )
        return (
            _lies(player.rating, self.rating_from, self.rating_to)
            and _lies(birth_year, self.birth_year_from, self.birth_year_to)
            and _lies(age, self.age_from, self.age_to)
            and all(not want or _folded(want) == _folded(own) for want, own in wanted)
        )

    @classmethod
    def from_json(cls, value: object) -> "PrizeGroup":
        """Read a group from decoded JSON, its keys named as the API names them.

        Raises PrizeError naming the key that is unknown, missing or of another kind.
        """
        if not isinstance(value, dict):
            raise PrizeError("a prize group is an object with `name` and `amounts`")
        name = value.get("name")
        if not (isinstance(name, str) and name.strip()):
            raise PrizeError("a prize group needs a `name`", "name")
        for key in value:
            if key not in KNOWN:
                told = str(key)[:LONGEST_TOLD]
                detail = f"a prize group has no {told!r}; valid: {', '.join(KNOWN)}"
                raise PrizeError(detail, told)
        words: dict[str, Any] = {key: _word(value, key) for key in WORDS}
        numbers: dict[str, Any] = {key: _number(value, key) for key in NUMBERS}
        return cls(
            amounts=_amounts(value),
            split=Split(_choice(value, "split", list(Split))),
            unrated=Unrated(_choice(value, "unrated", list(Unrated))),
            is_exclusive=_flag(value, "exclusive"),
            admits_withdrawn=_flag(value, "withdrawn"),
            **words,
            **numbers,
        )

    def as_json(self) -> dict[str, Any]:
        """Give the JSON form; conditions that do not bind are left out."""
        conditions = {name: getattr(self, name) for name in (*WORDS[1:], *NUMBERS)}
        return {
            "name": self.name,
            "amounts": list(self.amounts),
            "split": str(self.split),
            "exclusive": self.is_exclusive,
            **({"withdrawn": True} if self.admits_withdrawn else {}),
            **({"unrated": str(self.unrated)} if self.unrated is not Unrated.IN else {}),
            **{name: value for name, value in conditions.items() if value not in ("", None)},
        }


def parse_groups(value: object) -> tuple[PrizeGroup, ...]:
    """Read an event's list of groups from decoded JSON; raises PrizeError."""
    if not isinstance(value, list) or len(value) > MOST_GROUPS:
        raise PrizeError(f"prizes are a list of at most {MOST_GROUPS} groups")
    groups: list[PrizeGroup] = []
    for index, one in enumerate(value):
        try:
            group = PrizeGroup.from_json(one)
            if any(group.name == other.name for other in groups):
                raise PrizeError("two groups have this name", "name")
        except PrizeError as error:
            name = one.get("name") if isinstance(one, dict) else None
            told = f"{name[:LONGEST_TOLD]}: " if isinstance(name, str) and name else ""
            pointer = f"{index}/{error.pointer}".rstrip("/")
            raise PrizeError(f"{told}{error.detail}", pointer) from error
        groups.append(group)
    return tuple(groups)


def _lies(number: int | None, least: int | None, most: int | None) -> bool:
    if least is None and most is None:
        return True
    if number is None:
        return False
    return (least is None or least <= number) and (most is None or number <= most)


def _folded(word: str) -> str:
    return " ".join(word.split()).casefold()


def _amounts(value: Mapping[str, Any]) -> tuple[int, ...]:
    amounts = value.get("amounts")
    if not isinstance(amounts, list) or not amounts:
        raise PrizeError("amounts are a list of whole coins, one a place", "amounts")
    for index, amount in enumerate(amounts):
        if type(amount) is not int:
            raise PrizeError("an amount is a whole number of coins", f"amounts/{index}")
    return tuple(amounts)


def _word(value: Mapping[str, Any], key: str) -> str:
    word = value.get(key, "")
    if not isinstance(word, str) or len(word) > LONGEST_WORD or not word.isprintable():
        raise PrizeError(f"{key} is text on one line, of {LONGEST_WORD} at most", key)
    if key == "sex" and word and word not in SEXES:
        raise PrizeError(f"sex is one of {', '.join(SEXES)}", key)
    return word


def _number(value: Mapping[str, Any], key: str) -> int | None:
    number, (least, most) = value.get(key), NUMBERS[key]
    if number is not None and not (type(number) is int and least <= number <= most):
        raise PrizeError(f"{key} is a whole number from {least} to {most}", key)
    return number


def _flag(value: Mapping[str, Any], key: str) -> bool:
    flag = value.get(key, FLAGS[key])
    if type(flag) is not bool:
        raise PrizeError(f"{key} is true or false", key)
    return flag


def _choice(value: Mapping[str, Any], key: str, valid: list[Any]) -> str:
    word = value.get(key, valid[0])
    if not (isinstance(word, str) and word in valid):
        raise PrizeError(f"{key} is {str(word)[:20]!r}; valid: {', '.join(valid)}", key)
    return word
