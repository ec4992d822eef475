"""A crosstable as JSON, compact enough to be kept with every round, and read back.

    {"form": 1, "rounds": 5, "round_robin": false, "initial_seat": "first",
     "points": [2, 2, 1, 0, ...],
     "players": [[1, "Ada", 1500, "", "POR", "", "", "", "", "", 0, [], "2f1 3s= U"], ...]}

Where the last rounds are over and nobody was paired in them, `held` is the number of the last.
`points` are the units in the order of `PointSystem`'s fields. A player is a list in the order of
`COLUMNS`, its end one word a round, as the crosstable's cells are: the opponent's number, the own
seat (f, s, or - for none) and the symbol of the result; a bye is its symbol. Behind that stands
what only some results have: `!` for a short game, `@3` units awarded, `:11:10` the own and the
opponent's score, `*3` stars, `~5` quarks.
"""

import re
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeGuard

from games.rules.seat import Seat
from tournament.standings.crosstable import Competitor, Crosstable, RoundResult
from tournament.standings.crosstable_rows import SEAT_LETTERS, SYMBOLS
from tournament.standings.errors import CrosstableError, StandingsError
from tournament.standings.points import PointSystem

FORM = 1
WORDS = ("title", "federation", "sex", "birth", "fide_id", "club", "category")
COLUMNS = ("number", "name", "rating", *WORDS, "start", "virtual", "results")
POINTS = tuple(field.name for field in fields(PointSystem))
KINDS = {symbol: kind for kind, symbol in SYMBOLS.items()}
SEATS = {letter: seat for seat, letter in SEAT_LETTERS.items()}
LONGEST_CELL = 120
CELL = re.compile(
    r"(?:(\d+)([fs-]))?([10=+UFHZ-])(!)?(?:@(-?\d+))?(?::(-?\d+):(-?\d+))?(?:\*(-?\d+))?(?:~(-?\d+))?",
    re.ASCII,
)


def crosstable_as_json(table: Crosstable) -> dict[str, Any]:
    """Give the JSON form; `parse_crosstable` gives back an equal table."""
    return {
        "form": FORM,
        "rounds": table.rounds,
        "round_robin": table.round_robin,
        "initial_seat": None if table.initial_seat is None else str(table.initial_seat),
        "points": [getattr(table.points, name) for name in POINTS],
        "players": [_written(player) for player in table.players],
        **({"held": table.held} if table.held else {}),
    }


def _written(player: Competitor) -> list[Any]:
    return [
        player.number,
        player.name,
        player.rating,
        *(getattr(player, name) for name in WORDS),
        player.start,
        list(player.virtual),
        " ".join(map(_cell, player.results)),
    ]


def _cell(result: RoundResult) -> str:
    text = SYMBOLS[result.kind]
    if result.opponent is not None:
        text = f"{result.opponent}{SEAT_LETTERS[result.seat]}{text}"
    if result.short:
        text += "!"
    if result.awarded is not None:
        text += f"@{result.awarded}"
    if result.score is not None:
        text += f":{result.score[0]}:{result.score[1]}"
    if result.stars is not None:
        text += f"*{result.stars}"
    if result.quarks is not None:
        text += f"~{result.quarks}"
    return text


def parse_crosstable(value: object) -> Crosstable:
    """Read a table from its decoded JSON; raises StandingsError for what is none."""
    if not isinstance(value, dict) or value.get("form") != FORM:
        raise CrosstableError(f"this is no crosstable of form {FORM}")
    rounds, points, players = (value.get(name) for name in ("rounds", "points", "players"))
    seat, is_round_robin = value.get("initial_seat"), value.get("round_robin")
    if not _is_whole(rounds) or type(is_round_robin) is not bool:
        raise CrosstableError(
            "a crosstable has a whole number of rounds, and is a round robin or not"
        )
    held = value.get("held", 0)
    if not _is_whole(held) or not 0 <= held <= rounds:
        raise CrosstableError(f"the last round held is a number up to {rounds}")
    if seat is not None and seat not in list(Seat):
        raise CrosstableError(f"the initial seat is {str(seat)[:20]!r}; valid: first, second")
    if not _is_list_of_whole(points) or len(points) != len(POINTS):
        raise CrosstableError(f"points are {len(POINTS)} whole numbers of units")
    if not isinstance(players, list):
        raise CrosstableError("players are a list")
    return Crosstable(
        players=tuple(map(_parsed, players)),
        rounds=rounds,
        points=PointSystem(**dict(zip(POINTS, points, strict=True))),
        round_robin=is_round_robin,
        initial_seat=None if seat is None else Seat(seat),
        held=held,
    )


def _parsed(row: object) -> Competitor:
    if not isinstance(row, list) or len(row) != len(COLUMNS):
        raise CrosstableError(f"a player is a list of {', '.join(COLUMNS)}")
    number, name, rating, *words, start, virtual, results = row
    if not (_is_list_of_whole([number, rating, start]) and _is_list_of_whole(virtual)):
        raise CrosstableError("number, rating, start and virtual points are whole numbers")
    if not all(isinstance(word, str) for word in (name, *words, results)):
        raise CrosstableError(f"name, {', '.join(WORDS)} and results are text", number)
    return Competitor(
        number=number,
        name=name,
        rating=rating,
        **dict(zip(WORDS, words, strict=True)),
        start=start,
        virtual=tuple(virtual),
        results=tuple(
            _result(text, number, round_number)
            for round_number, text in enumerate(results.split(" ") if results else (), start=1)
        ),
    )


def _result(text: str, number: int, round_number: int) -> RoundResult:
    try:
        return _cell_read(text)
    except (StandingsError, ValueError) as error:
        raise CrosstableError(str(error), number, round_number) from error


@lru_cache(maxsize=2**15)
def _cell_read(text: str) -> RoundResult:
    """A cell as a result; each round of an event keeps all the cells of those before."""
    found = CELL.fullmatch(text) if len(text) <= LONGEST_CELL else None
    if found is None:
        raise CrosstableError(f"{text[:40]!r} is no result")
    opponent, seat, symbol, short, awarded, own, other, stars, quarks = found.groups()
    return RoundResult(
        KINDS[symbol],
        opponent=_number(opponent),
        seat=SEATS[seat] if seat else None,
        short=short is not None,
        awarded=_number(awarded),
        score=(int(own), int(other)) if own else None,
        stars=_number(stars),
        quarks=_number(quarks),
    )


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _is_whole(value: object) -> TypeGuard[int]:
    return type(value) is int


def _is_list_of_whole(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(_is_whole, value))
