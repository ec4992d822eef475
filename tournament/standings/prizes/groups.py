"""Prize groups: the prizes, the conditions for winning them, and the JSON form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.standings.crosstable import Competitor
from tournament.standings.errors import PrizeError, Refusal, read_all, refuse_all

SEXES = ("m", "w")
"""FIDE's letters; an unknown sex is empty."""
MOST_PRIZES = 1000
MOST_COINS = 10**12
MOST_GROUPS = 50
MAX_TEXT_LENGTH = 120
MAX_QUOTED_LENGTH = 40
TEXT_FIELDS = ("name", "sex", "federation", "club", "category")
NUMBER_RANGES = {
    "rating_from": (0, 9999),
    "rating_to": (0, 9999),
    "age_from": (0, 150),
    "age_to": (0, 150),
    "birth_year_from": (1900, 2199),
    "birth_year_to": (1900, 2199),
    "games_from": (0, 99),
}
"""The numeric conditions with their smallest and largest value."""
FLAG_DEFAULTS = {"exclusive": True, "withdrawn": False}
KEYS = ("name", "amounts", "split", *FLAG_DEFAULTS, *TEXT_FIELDS[1:], "unrated", *NUMBER_RANGES)


class Split(LabelledEnum):
    """How prizes are shared by equal players."""

    RANK = (
        "rank",
        gettext_noop("by rank: those of one rank share the prizes of their places"),
    )
    POINTS = "points", gettext_noop("by points: those of equal points share")
    HALF = "half", gettext_noop("half by rank, half by points (Hort)")


class Unrated(LabelledEnum):
    """Whether unrated players can win: as all others, not at all, or only they."""

    IN = "in", gettext_noop("can win as all others")
    OUT = "out", gettext_noop("cannot win")
    ONLY = "only", gettext_noop("only they can win")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeGroup:
    """The prizes of a group and the conditions for winning them; None and "" are no condition.

    `amounts` are the coins of the first, second, ... place. Ranges include both ends. Raises
    PrizeError for amounts that are out of range or increase, and for an empty range.
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
        values = {name: getattr(self, name) for name in NUMBER_RANGES}
        if refusals := [*_find_wrong_amounts(self.amounts), *_find_empty_ranges(values)]:
            refuse_all(refusals)

    def admits(self, player: Competitor, *, year: int) -> bool:
        """Return True if a player meets the conditions; ages are counted in `year`.

        The conditions on played games and withdrawals are not checked.
        """
        if self.unrated is not Unrated.IN and (player.rating == 0) is (self.unrated is Unrated.OUT):
            return False
        birth_year = int(player.birth[:4]) if player.birth[:4].isdecimal() else None
        age = None if birth_year is None else year - birth_year
        return (
            _is_between(player.rating, self.rating_from, self.rating_to)
            and _is_between(birth_year, self.birth_year_from, self.birth_year_to)
            and _is_between(age, self.age_from, self.age_to)
            and _is_same_text(self.sex, player.sex)
            and _is_same_text(self.federation, player.federation)
            and _is_same_text(self.club, player.club)
            and _is_same_text(self.category, player.category)
        )

    @classmethod
    def from_json(cls, value: object) -> "PrizeGroup":
        """Read a group from decoded JSON; raises PrizeError with each invalid key."""
        if not isinstance(value, dict):
            raise PrizeError(Text("a prize group must be an object with `name` and `amounts`"))
        texts, numbers, amounts, split, unrated, exclusive, withdrawn, *_ = read_all(
            lambda: read_all(*(partial(_text, value, key) for key in TEXT_FIELDS)),
            lambda: read_all(*(partial(_number, value, key) for key in NUMBER_RANGES)),
            lambda: _amounts(value),
            lambda: _choice(value, "split", list(Split)),
            lambda: _choice(value, "unrated", list(Unrated)),
            lambda: _flag(value, "exclusive"),
            lambda: _flag(value, "withdrawn"),
            *(partial(_require_key, key) for key in value),
            *(partial(refuse_all, [refusal]) for refusal in _find_empty_ranges(value)),
        )
        return cls(
            amounts=amounts,
            split=Split(split),
            unrated=Unrated(unrated),
            is_exclusive=exclusive,
            admits_withdrawn=withdrawn,
            **dict(zip(TEXT_FIELDS, texts, strict=True)),
            **dict(zip(NUMBER_RANGES, numbers, strict=True)),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form, without the conditions that are not set."""
        conditions = {name: getattr(self, name) for name in (*TEXT_FIELDS[1:], *NUMBER_RANGES)}
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
    """Read the list of an event's groups from decoded JSON; raises PrizeError."""
    if not isinstance(value, list) or len(value) > MOST_GROUPS:
        raise PrizeError(Text("prizes must be a list of at most %(most)s groups", most=MOST_GROUPS))
    names = [item.get("name") if isinstance(item, dict) else None for item in value]
    return tuple(
        read_all(
            *(partial(_read_group, item, index, names[:index]) for index, item in enumerate(value))
        )
    )


def _read_group(item: object, index: int, earlier: Sequence[object]) -> PrizeGroup:
    name = item.get("name") if isinstance(item, dict) else None
    refusals: list[Any] = []
    if name is not None and name in earlier:
        refusals.append(PrizeError(Text("two groups have this name"), "name"))
    try:
        group = PrizeGroup.from_json(item)
    except PrizeError as error:
        refusals += [error, *error.others]
    if refusals:
        refuse_all([_in_list(each, index, name) for each in refusals])
    return group


def _in_list(error: Any, index: int, name: object) -> PrizeError:
    """Return the error of a group with its place in the list, and the name of the group."""
    detail = error.detail
    if isinstance(name, str) and name:
        subject = name[:MAX_QUOTED_LENGTH]
        detail = Text("%(subject)s: %(detail)s", subject=subject, detail=detail)
    return PrizeError(detail, f"{index}/{error.pointer}".rstrip("/"), **error.right)


def _require_key(key: object) -> None:
    if key not in KEYS:
        quoted = str(key)[:MAX_QUOTED_LENGTH]
        detail = Text(
            "a prize group has no key %(name)s; valid: %(names)s",
            name=f"{quoted!r}",
            names=", ".join(KEYS),
        )
        raise PrizeError(detail, quoted, code="unknown_member")


def _is_between(number: int | None, least: int | None, most: int | None) -> bool:
    if least is None and most is None:
        return True
    if number is None:
        return False
    return (least is None or least <= number) and (most is None or number <= most)


def _is_same_text(condition: str, text: str) -> bool:
    return not condition or condition.casefold().split() == text.casefold().split()


def _amounts(value: Mapping[str, Any]) -> tuple[int, ...]:
    amounts = value.get("amounts")
    if not isinstance(amounts, list) or not amounts:
        raise PrizeError(
            Text("a group needs prizes, one for each place, in whole coins"), "amounts"
        )
    if refusals := [*_find_wrong_amounts(amounts)]:
        refuse_all(refusals)
    return tuple(amounts)


def _find_wrong_amounts(amounts: Sequence[Any]) -> Iterator[Refusal]:
    """Yield an error for each amount that is none, out of range, or above one of a place before.

    Too many are one error.
    """
    if len(amounts) > MOST_PRIZES:
        yield PrizeError(Text("a group has at most %(most)s prizes", most=MOST_PRIZES), "amounts")
        return
    least = MOST_COINS
    for index, amount in enumerate(amounts):
        at = f"amounts/{index}"
        if type(amount) is not int:
            yield PrizeError(Text("an amount must be a whole number of coins"), at)
        elif not 0 <= amount <= MOST_COINS:
            detail = Text("a prize is 0 to %(most)s coins", most=MOST_COINS)
            yield PrizeError(detail, at, min=0, max=MOST_COINS)
        elif amount > least:
            yield PrizeError(Text("the prize of a lower place is higher"), at)
        else:
            least = amount


def _find_empty_ranges(values: Mapping[str, Any]) -> Iterator[Refusal]:
    """Yield an error for each range that ends before it begins."""
    for name in ("rating", "age", "birth_year"):
        least, most = values.get(f"{name}_from"), values.get(f"{name}_to")
        if isinstance(least, int) and isinstance(most, int) and least > most:
            detail = Text(
                "%(name)s_from %(least)s is greater than %(name2)s_to %(most)s",
                name=name,
                least=least,
                name2=name,
                most=most,
            )
            yield PrizeError(detail, f"{name}_from")


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key, "")
    if not isinstance(text, str) or len(text) > MAX_TEXT_LENGTH or not text.isprintable():
        raise PrizeError(
            Text(
                "%(name)s must be one line of at most %(most)s characters",
                name=key,
                most=MAX_TEXT_LENGTH,
            ),
            key,
            max=MAX_TEXT_LENGTH,
        )
    if key == "sex" and text and text not in SEXES:
        detail = Text("sex must be one of %(names)s", names=", ".join(SEXES))
        raise PrizeError(detail, key, valid=[*SEXES])
    if key == "name" and not text.strip():
        raise PrizeError(Text("a prize group needs a `name`"), key)
    return text


def _number(value: Mapping[str, Any], key: str) -> int | None:
    number, (least, most) = value.get(key), NUMBER_RANGES[key]
    if number is not None and not (type(number) is int and least <= number <= most):
        raise PrizeError(
            Text(
                "%(field)s must be a whole number from %(least)s to %(most)s",
                field=key,
                least=least,
                most=most,
            ),
            key,
            min=least,
            max=most,
        )
    return number


def _flag(value: Mapping[str, Any], key: str) -> bool:
    flag = value.get(key, FLAG_DEFAULTS[key])
    if type(flag) is not bool:
        raise PrizeError(Text("%(option)s must be true or false", option=key), key)
    return flag


def _choice(value: Mapping[str, Any], key: str, valid: list[Any]) -> str:
    choice = value.get(key, valid[0])
    if not (isinstance(choice, str) and choice in valid):
        raise PrizeError(
            Text(
                "%(field)s is %(value)s; valid: %(names)s",
                field=key,
                value=f"{str(choice)[:20]!r}",
                names=", ".join(valid),
            ),
            key,
            valid=[*valid],
        )
    return choice
