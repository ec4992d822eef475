"""A sample event, read from its folder into plain values.

A record is kept as its text, and split into words without judging them: whether it is legal is
for the service to say. Nothing here knows the rules, the database or Django.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent
PLAYERS = SAMPLES / "players.csv"
POOL = "star"
"""The pool of ratings that both events are rated into."""

_TAG = re.compile(r'\[(\w+) "([^"]*)"\]')
_MOVE_NUMBER = re.compile(r"\d+\.")
_RESULT = re.compile(r"\d+-\d+")


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One game's record: its text as it stands in the file, its tags, its words, its result."""

    text: str
    tags: dict[str, str]
    moves: tuple[str, ...]
    result: str | None

    def as_json(self) -> dict[str, Any]:
        """The same record in the JSON form of a record."""
        return {
            "game": self.tags["Game"],
            "board": self.tags["Board"],
            "swap": self.tags["Swap"] == "yes",
            "moves": list(self.moves),
            **({"result": self.result} if self.result else {}),
            "tags": {k: v for k, v in self.tags.items() if k not in ("Game", "Board", "Swap")},
        }


@dataclass(frozen=True, slots=True)
class SampleGame:
    """One board of a round; a forfeited game has no record."""

    board: int
    first: str
    second: str
    result: str
    termination: str
    record: SampleRecord | None

    @property
    def proof(self) -> SampleRecord:
        """The record; raises ValueError where the game was forfeited."""
        if self.record is None:
            raise ValueError(f"{self.first} - {self.second} was not played and has no record")
        return self.record


@dataclass(frozen=True, slots=True)
class SampleRound:
    """A round: its games by board, and who had which bye, by name."""

    number: int
    games: tuple[SampleGame, ...]
    byes: dict[str, str]

    @property
    def present(self) -> frozenset[str]:
        """Everybody in the event in this round, byes included, whoever is away left out."""
        seated = {name for game in self.games for name in (game.first, game.second)}
        waiting = {name for name, kind in self.byes.items() if kind.endswith("-bye")}
        return frozenset(seated | waiting)


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A player's line of the final report: `cells[n - 1]` is round n, as `12 w 1` or `0000 - U`."""

    number: int
    name: str
    rating: int
    country: str
    points: str
    rank: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampleEvent:
    """An event: its report (`header` by the number of the record), and its rounds."""

    header: dict[str, str]
    lines: tuple[ReportLine, ...]
    rounds: tuple[SampleRound, ...]
    report: str

    @property
    def name(self) -> str:
        """What the event is called."""
        return self.header["012"]

    @property
    def dates(self) -> tuple[str, str]:
        """The first and the last day, as the API writes them."""
        return iso_date(self.header["042"]), iso_date(self.header["052"])

    @property
    def round_dates(self) -> tuple[str, ...]:
        """The day of each round, as the API writes it."""
        return tuple(f"20{iso_date(date)}" for date in self.header["132"].split())

    @property
    def conditions(self) -> dict[str, Any]:
        """What every game of it was played by, in the words of the API."""
        tags = self.rounds[0].games[0].proof.tags
        return {"game": tags["Game"], "board": tags["Board"], "swap": tags["Swap"] == "yes"}

    @property
    def initial_seat(self) -> str:
        """The seat of the first pairing number in round 1."""
        return {"white1": "first", "black1": "second"}[self.header["XXC"]]

    def set_up(self) -> dict[str, Any]:
        """The event as an organiser sets it up, in the words of the API."""
        starts_on, ends_on = self.dates
        return {
            "name": self.name,
            "place": self.header["022"],
            "country": self.header["032"],
            "starts_on": starts_on,
            "ends_on": ends_on,
            "arbiter": self.header["102"],
            "time_control": self.header["122"],
            "rounds": int(self.header["XXR"]),
            "initial_seat": self.initial_seat,
            "rated": True,
            "pool": POOL,
            **self.conditions,
        }


def iso_date(written: str) -> str:
    """A date of a report or a record, `2026/05/15` or `2026.05.15`, as ISO 8601 has it."""
    return written.replace("/", "-").replace(".", "-")


def read_event(folder: Path) -> SampleEvent:
    """The event in a folder, which has the name of its report."""
    report = (folder / f"{folder.name}.trf").read_text(encoding="utf-8")
    lines = report.splitlines()
    count = len(list(folder.glob("round*.csv")))
    return SampleEvent(
        header={line[:3]: line[4:].strip() for line in lines if line[:3] != "001"},
        lines=tuple(read_line(line) for line in lines if line.startswith("001")),
        rounds=tuple(_read_round(folder, number) for number in range(1, count + 1)),
        report=report,
    )


def read_line(line: str) -> ReportLine:
    """An 001 line of a report, by FIDE's columns."""
    return ReportLine(
        number=int(line[4:8]),
        name=line[14:47].strip(),
        rating=int(line[48:52]),
        country=line[53:56],
        points=line[80:84].strip(),
        rank=int(line[85:89]),
        cells=tuple(line[at : at + 10].strip() for at in range(89, len(line), 10)),
    )


def _read_round(folder: Path, number: int) -> SampleRound:
    records = {
        int(record.tags["Table"]): record
        for record in split_records((folder / f"round{number}.rec").read_text(encoding="utf-8"))
    }
    games, byes = [], {}
    with (folder / f"round{number}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not row["second"]:
                byes[row["first"]] = row["termination"]
                continue
            board = int(row["board"])
            games.append(
                SampleGame(
                    board=board,
                    first=row["first"],
                    second=row["second"],
                    result=row["result"],
                    termination=row["termination"],
                    record=records.get(board),
                )
            )
    return SampleRound(number=number, games=tuple(games), byes=byes)


def split_records(text: str) -> Iterator[SampleRecord]:
    """The records of a file: each begins at the first tag after the moves of the one before."""
    for part in re.split(r"(?<=[^\]\n])\n+(?=\[)", text.strip()):
        tags = dict(_TAG.findall(part))
        words = [
            word
            for line in part.splitlines()
            if not line.startswith("[")
            for word in line.split()
            if not _MOVE_NUMBER.fullmatch(word)
        ]
        result = words.pop() if words and _RESULT.fullmatch(words[-1]) else None
        yield SampleRecord(text=part + "\n", tags=tags, moves=tuple(words), result=result)
