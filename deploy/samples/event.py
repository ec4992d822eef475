"""Sample events, read from their folders.

Records are read as text, without rules: the service decides whether they are legal.
Nothing here depends on the rules, the database or Django.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent
PLAYERS_FILE = SAMPLES / "players.csv"
SAMPLE_POOL = "star"
"""The rating pool of both events."""

SYSTEMS: dict[str, dict[str, Any]] = {
    "Individual: Swiss-System": {"system": "dutch"},
    "Individual: Round-Robin": {"system": "round-robin", "system_options": {"numbers": "lot"}},
}
"""The pairing systems in the TRF files; the numbers of a round robin there are the drawn lots."""

TIME_ZONES = {"CHN": "Asia/Shanghai", "ENG": "Europe/London"}
"""The time zones of the places, by country."""


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A board of a round, with the text of its record; a forfeited game has none."""

    board: int
    first: str
    second: str
    result: str
    termination: str
    record: str = ""


@dataclass(frozen=True, slots=True)
class SampleRound:
    """A round: its games by board, and the kinds of bye by player."""

    number: int
    games: tuple[SampleGame, ...]
    byes: dict[str, str]

    @property
    def present(self) -> frozenset[str]:
        """The players who have a game or a bye in this round."""
        with_game = {name for game in self.games for name in (game.first, game.second)}
        with_bye = {name for name, kind in self.byes.items() if kind.endswith("_bye")}
        return frozenset(with_game | with_bye)

    @property
    def replayed(self) -> int:
        """The number of games with a record."""
        return sum(bool(game.record) for game in self.games)


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A player in the TRF."""

    number: int
    name: str
    rating: int
    country: str
    points: str
    rank: int


@dataclass(frozen=True, slots=True)
class SampleEvent:
    """An event: its TRF, the header and the players in it, and its rounds."""

    slug: str
    header: dict[str, str]
    players: tuple[TrfPlayer, ...]
    rounds: tuple[SampleRound, ...]
    trf: str

    @property
    def name(self) -> str:
        """The name of the event."""
        return self.header["012"]

    @property
    def round_dates(self) -> tuple[str, ...]:
        """The date of each round in ISO 8601."""
        return tuple(f"20{iso_date(date)}" for date in self.header["132"].split())

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions of every game, as in the API."""
        tags = _tags_of(self.rounds[0].games[0].record)
        return {
            "ruleset": tags["Game"],
            "board_size": tags["Board"],
            "swap": tags["Swap"] == "yes",
        }

    def as_json(self) -> dict[str, Any]:
        """Return the fields that create the event in the API, as far as the TRF contains them."""
        return {
            "slug": self.slug,
            "name": self.name,
            "place": self.header["022"],
            "country": self.header["032"],
            "time_zone": TIME_ZONES[self.header["032"]],
            "starts_on": iso_date(self.header["042"]),
            "ends_on": iso_date(self.header["052"]),
            "arbiter": self.header["102"],
            "time_control": self.header["122"],
            "rounds": int(self.header["XXR"]),
            "initial_seat": {"white1": "first", "black1": "second"}[self.header["XXC"]],
            **SYSTEMS[self.header["092"]],
            "tiebreaks": self.header["212"].split(","),
            "rated": True,
            "pool": SAMPLE_POOL,
            **self.conditions,
        }


def iso_date(date: str) -> str:
    """Return a date of a TRF (`2026/05/15`) or a record (`2026.05.15`) in ISO 8601."""
    return date.replace("/", "-").replace(".", "-")


def read_event(folder: Path) -> SampleEvent:
    """Read the event in a folder, which has the name of its TRF file."""
    trf = (folder / f"{folder.name}.trf").read_text(encoding="utf-8")
    lines = trf.splitlines()
    rounds = len(list(folder.glob("round*.csv")))
    return SampleEvent(
        slug=folder.name,
        header={line[:3]: line[4:].strip() for line in lines if line[:3] != "001"},
        players=tuple(read_player(line) for line in lines if line.startswith("001")),
        rounds=tuple(_read_round(folder, number) for number in range(1, rounds + 1)),
        trf=trf,
    )


def read_player(line: str) -> TrfPlayer:
    """Read a 001 line by FIDE's columns."""
    return TrfPlayer(
        number=int(line[4:8]),
        name=line[14:47].strip(),
        rating=int(line[48:52]),
        country=line[53:56],
        points=line[80:84].strip(),
        rank=int(line[85:89]),
    )


def _read_round(folder: Path, number: int) -> SampleRound:
    texts = re.split(r"\n+(?=\[Game )", (folder / f"round{number}.rec").read_text(encoding="utf-8"))
    records = {int(_tags_of(text)["Table"]): text for text in texts}
    with (folder / f"round{number}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    games = [
        SampleGame(
            board=int(row["board"]),
            first=row["first"],
            second=row["second"],
            result=row["result"],
            termination=row["termination"],
            record=records.get(int(row["board"]), ""),
        )
        for row in rows
        if row["second"]
    ]
    byes = {row["first"]: row["termination"] for row in rows if not row["second"]}
    return SampleRound(number=number, games=tuple(games), byes=byes)


def _tags_of(record: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.MULTILINE))
