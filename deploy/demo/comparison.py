"""Comparing what the service made of the event with what the sample says came of it.

Every function gives the differences, a sentence each; none means that all is as it was played.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from deploy.samples.event import SampleEvent

Pairings = Sequence[Mapping[str, Any]]

SEATS = {"first": "w", "second": "b"}
BYES = {"pairing-bye": "U", "full-bye": "F", "half-bye": "H", "zero-bye": "Z"}
AWAY = "0000 - Z"
SCORE = re.compile(r"(-?\d+)-(-?\d+)")


def result_letters(line: Mapping[str, Any]) -> tuple[str, str]:
    """What a game was for its first and for its second seat, in the letters of a report.

    `?` for a result that nobody has won: no game of the sample ended so.
    """
    score = SCORE.fullmatch(line["result"] or "")
    own, other = (int(score[1]), int(score[2])) if score else (0, 0)
    if own == other:
        return ("?", "?")
    if line["termination"] == "forfeit":
        return ("+", "-") if own > other else ("-", "+")
    return ("1", "0") if own > other else ("0", "1")


def cells_of(rounds: Sequence[Pairings]) -> dict[str, list[str]]:
    """Everybody's rounds by name, in the form of a report's cells."""
    cells: dict[str, list[str]] = {}
    for index, pairings in enumerate(rounds):
        for line in pairings:
            if line["second"] is None:
                entries = {line["first"]["name"]: f"0000 - {BYES[line['kind']]}"}
            else:
                letters = dict(zip(SEATS, result_letters(line), strict=True))
                entries = {
                    line[seat]["name"]: f"{line[other]['pairing_number']} {colour} {letters[seat]}"
                    for (seat, colour), other in zip(SEATS.items(), reversed(SEATS), strict=True)
                }
            for name, cell in entries.items():
                own = cells.setdefault(name, [])
                own.extend([AWAY] * (index - len(own)))
                own.append(cell)
    for own in cells.values():
        own.extend([AWAY] * (len(rounds) - len(own)))
    return cells


def in_rounds(sample: SampleEvent, rounds: Sequence[Pairings]) -> Iterator[str]:
    """Who met whom in which seat, how it ended, and that every record is proof."""
    found = cells_of(rounds)
    for line in sample.lines:
        yield from _differs(f"{line.name}'s rounds", found.get(line.name), list(line.cells))
    for wanted, pairings in zip(sample.rounds, rounds, strict=True):
        boards = {line["board"]: line for line in pairings if line["kind"] == "game"}
        for game in wanted.games:
            shown = boards.get(game.board, {})
            yield from _differs(
                f"round {wanted.number}, board {game.board}",
                [shown.get(key) for key in ("result", "termination", "state", "basis")],
                [game.result, game.termination, "confirmed", "proof" if game.record else "ruling"],
            )


def in_standings(sample: SampleEvent, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Points and places; `rows` are ranked by the event's own tie-breaks, as the report is."""
    found = {
        row["player"]["name"]: (row["rank"], row["number"], Decimal(row["values"]["PTS"]))
        for row in rows
    }
    for line in sample.lines:
        wanted = (line.rank, line.number, Decimal(line.points))
        yield from _differs(f"{line.name}'s place, number, points", found.get(line.name), wanted)
    yield from _differs("the number of players", len(rows), len(sample.lines))


def in_report(sample: SampleEvent, text: str) -> Iterator[str]:
    """Every line of the report, character by character."""
    wanted, found = sample.report.splitlines(), text.splitlines()
    yield from _differs("the number of the report's lines", len(found), len(wanted))
    for one, other in zip(found, wanted, strict=False):
        yield from _differs("the report", one, other)


def in_table(rows: Sequence[Mapping[str, Any]], text: str) -> Iterator[str]:
    """The downloaded table against the standings by the event's own tie-breaks."""
    header, *lines = text.splitlines()
    yield from _differs("the table's columns", header.split(",")[:3], ["rank", "id", "name"])
    wanted = [[str(row["rank"]), str(row["number"])] for row in rows]
    yield from _differs("the table", [line.split(",")[:2] for line in lines], wanted)


def in_ratings(
    rounds: Sequence[Pairings], ratings: Mapping[int, Mapping[str, Any]]
) -> Iterator[str]:
    """Every game that was played must be rated for both sides, and a forfeit for nobody."""
    for line in (line for pairings in rounds for line in pairings if line["kind"] == "game"):
        rating = ratings[line["game"]]
        found = [rating["state"], sorted(one["player"] for one in rating["changes"])]
        seated = sorted(line[seat]["player"] for seat in SEATS)
        wanted = ["excluded", []] if line["termination"] == "forfeit" else ["rated", seated]
        yield from _differs(f"the rating of game {line['game']}", found, wanted)
    moved = any(one["after"] != one["before"] for r in ratings.values() for one in r["changes"])
    if not moved:
        yield "no rating moved"


def _differs(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what}: {wanted} is right, the service has {found}"
