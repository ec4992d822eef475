"""Our own record: what an event has and TRF has no place for, as JSON in a comment.

A line that starts with `###` is a comment (FIDE, TRF26, remark 1): other programs skip it. It has
the settings that pair the rounds, rank the players and set up the games; who has withdrawn, has
entered late or leaves early, and who is expelled; the handicaps of games; players who are kept
apart if possible; and the ties that the director decided.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

from games.rules.text import Text
from tournament.standings.crosstable import DecidedTie, PlayerId
from tournament.trf.columns import MOST_NUMBER, MOST_ROUNDS
from tournament.trf.errors import TrfError

PREFIX = "### Perihelion "
MOST_ITEMS = 1000
"""The maximum number of settings, of ties and of preferences."""
EXPORTED = Text("what an export writes there")
MEMBERS = ("settings", "players", "handicaps", "preferences", "ties")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlayer:
    """What TRF does not say of a player: the rounds for which they are entered, an expulsion."""

    withdrawn: bool = False
    first_round: int = 1
    last_round: int | None = None
    expelled: str = ""

    def is_out(self, round_number: int) -> bool:
        """Return True if the player is absent in a later round without a bye of their own."""
        has_left = self.last_round is not None and round_number > self.last_round
        return self.withdrawn or has_left or round_number < self.first_round


@dataclass(frozen=True, slots=True)
class OwnPreference:
    """Players who are kept apart if possible; a last round of 0 means all later rounds."""

    players: tuple[PlayerId, ...]
    first_round: int = 1
    last_round: int = 0

    def applies_in(self, round_number: int) -> bool:
        """Return True if the players are kept apart in a round."""
        is_over = 0 < self.last_round < round_number
        return self.first_round <= round_number and not is_over


@dataclass(frozen=True, slots=True)
class OwnTie:
    """A tie that the director decided, by what and why."""

    decided: DecidedTie
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecord:
    """The content of the record; `settings` are JSON by the names of the API.

    `handicaps` are those of pairings, as records state them, by round and first player.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[PlayerId, OwnPlayer] = field(default_factory=dict)
    handicaps: Mapping[int, Mapping[PlayerId, str]] = field(default_factory=dict)
    preferences: tuple[OwnPreference, ...] = ()
    ties: tuple[OwnTie, ...] = ()

    @property
    def system_options(self) -> Mapping[str, Any]:
        """The options of the pairing system, by name."""
        return self.settings.get("system_options") or {}

    @property
    def numbers(self) -> frozenset[PlayerId]:
        """The players whom it names."""
        groups = [tie.decided.players for tie in self.ties]
        groups += [preference.players for preference in self.preferences]
        groups += [tuple(of_round) for of_round in self.handicaps.values()]
        return frozenset(self.players).union(*groups)

    @property
    def unrated(self) -> int:
        """The rating of unrated players in tie-breaks, 0 if the event gives none."""
        return self.settings.get("unrated_rating") or 0

    @property
    def expelled(self) -> Mapping[PlayerId, str]:
        """The reasons of the expelled players."""
        return {number: own.expelled for number, own in self.players.items() if own.expelled}


NO_RECORD = OwnRecord()
USUAL = OwnPlayer()


def write_own(own: OwnRecord) -> Iterator[str]:
    """Write the record; no line if it says nothing. It is ASCII, which everybody can read."""
    body = {
        "settings": own.settings,
        "players": {
            str(number): {
                name: value
                for name in OwnPlayer.__dataclass_fields__
                if (value := getattr(player, name)) != getattr(USUAL, name)
            }
            for number, player in sorted(own.players.items())
            if player != USUAL
        },
        "handicaps": {str(number): own.handicaps[number] for number in sorted(own.handicaps)},
        "preferences": [asdict(preference) for preference in own.preferences],
        "ties": [
            {
                "after": tie.decided.after,
                "players": tie.decided.players,
                "by": tie.by,
                "reason": tie.reason,
            }
            for tie in own.ties
        ],
    }
    said = {name: value for name, value in body.items() if value}
    if said:
        yield PREFIX + json.dumps(said)


def read_own(line: str, number: int) -> OwnRecord:
    """Read the record; raises TrfError."""
    try:
        body = json.loads(line.removeprefix(PREFIX), parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse(number, Text("the settings of Perihelion cannot be read"), EXPORTED)
    reader = _Reader(number)
    reader.check(isinstance(body, dict) and body.keys() <= {*MEMBERS}, body, ", ".join(MEMBERS))
    settings = reader.mapping(body.get("settings", {}))
    ties, preferences = (reader.items(body.get(name, [])) for name in ("ties", "preferences"))
    for few in (settings, ties, preferences):
        reader.check(len(few) <= MOST_ITEMS, len(few), Text("at most %(most)s", most=MOST_ITEMS))
    reader.mapping(settings.get("system_options", {}))
    if settings.get("unrated_rating") is not None:
        reader.whole(settings["unrated_rating"], 1, 9999)
    return OwnRecord(
        settings=settings,
        players={
            reader.number(key): reader.player(value)
            for key, value in reader.mapping(body.get("players", {})).items()
        },
        handicaps={
            reader.round(key): {
                reader.number(player): reader.text(handicap)
                for player, handicap in reader.mapping(of_round).items()
            }
            for key, of_round in reader.mapping(body.get("handicaps", {})).items()
        },
        preferences=tuple(map(reader.preference, preferences)),
        ties=tuple(map(reader.tie, ties)),
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks the values of the record in a line."""

    line: int

    def check(self, is_right: bool, value: object, expected: str) -> None:
        if not is_right:
            word = f"{str(value)[:40]!r}"
            detail = Text("%(word)s in the settings of Perihelion", word=word)
            _refuse(self.line, detail, expected)

    def mapping(self, value: Any) -> dict[str, Any]:
        self.check(isinstance(value, dict), value, EXPORTED)
        return dict(value)

    def items(self, value: Any) -> list[Any]:
        self.check(isinstance(value, list) and len(value) <= MOST_NUMBER, value, EXPORTED)
        return list(value)

    def text(self, value: Any) -> str:
        self.check(isinstance(value, str), value, EXPORTED)
        return str(value)

    def flag(self, value: Any) -> bool:
        self.check(isinstance(value, bool), value, "true, false")
        return bool(value)

    def whole(self, value: Any, least: int, most: int) -> int:
        is_right = type(value) is int and least <= value <= most
        expected = Text("a whole number from %(least)s to %(most)s", least=least, most=most)
        self.check(is_right, value, expected)
        return int(value)

    def number(self, key: str, most: int = MOST_NUMBER) -> PlayerId:
        is_number = key.isascii() and key.isdigit() and len(key) < 6
        return self.whole(int(key) if is_number else key, 1, most)

    def round(self, key: str) -> int:
        return self.number(key, MOST_ROUNDS)

    def player(self, value: Any) -> OwnPlayer:
        readers: dict[str, Callable[[Any], Any]] = {
            "withdrawn": self.flag,
            "first_round": lambda found: self.whole(found, 1, MOST_ROUNDS + 1),
            "last_round": lambda found: self.whole(found, 0, MOST_ROUNDS),
            "expelled": self.text,
        }
        values = self.mapping(value)
        self.check(values.keys() <= readers.keys(), value, ", ".join(readers))
        return OwnPlayer(**{name: readers[name](found) for name, found in values.items()})

    def numbers(self, value: Any) -> tuple[PlayerId, ...]:
        players = [self.whole(number, 1, MOST_NUMBER) for number in self.items(value)]
        self.check(len({*players}) == len(players) > 1, players, Text("two players or more"))
        return tuple(players)

    def preference(self, value: Any) -> OwnPreference:
        values = self.mapping(value)
        names = ("players", "first_round", "last_round")
        self.check(values.keys() == {*names}, value, ", ".join(names))
        first = self.whole(values["first_round"], 1, MOST_ROUNDS)
        last = self.whole(values["last_round"], 0, MOST_ROUNDS)
        self.check(last in (0, max(first, last)), last, Text("%(number)s or later", number=first))
        return OwnPreference(self.numbers(values["players"]), first, last)

    def tie(self, value: Any) -> OwnTie:
        values = self.mapping(value)
        names = ("after", "players", "by", "reason")
        self.check(values.keys() == {*names}, value, ", ".join(names))
        after = self.whole(values["after"], 1, MOST_ROUNDS)
        decided = DecidedTie(after, self.numbers(values["players"]))
        return OwnTie(decided, self.text(values["by"]), self.text(values["reason"]))


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _refuse(line: int, detail: str, expected: str) -> NoReturn:
    raise TrfError(detail, line, len(PREFIX) + 1, expected)
