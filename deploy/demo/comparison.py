"""Compare the results of the service with those of the sample.

Each function yields the differences, one sentence each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from deploy.samples.event import SampleEvent

Pairings = Sequence[Mapping[str, Any]]

COLOURS_OF_SEATS = {"first": "w", "second": "b"}
TABLE_BYE_LETTERS = {
    "pairing-bye": "U",
    "full-bye": "F",
    "half-bye": "H",
    "zero-bye": "Z",
    "free": "Z",
}
ABSENT_COLUMNS = "0000 - Z"
GAME_SCORE = re.compile(r"(-?\d+)-(-?\d+)")
OUT_OF_BAND = "expected_out_of_band"


def result_letters(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the results of the first and the second seat as TRF letters.

    They are `?` without a winner: no game of the samples ended so.
    """
    score = GAME_SCORE.fullmatch(row["result"] or "")
    first, second = (int(score[1]), int(score[2])) if score else (0, 0)
    if first == second:
        return ("?", "?")
    if row["termination"] == "forfeit":
        return ("+", "-") if first > second else ("-", "+")
    return ("1", "0") if first > second else ("0", "1")


def cells_of(rounds: Sequence[Pairings]) -> dict[str, list[str]]:
    """Return each player's rounds by name, as the cells of a TRF file."""
    cells: dict[str, list[str]] = {}
    for index, pairings in enumerate(rounds):
        for row in pairings:
            if row["second"] is None:
                entries = {row["first"]["name"]: f"0000 - {TABLE_BYE_LETTERS[row['kind']]}"}
            else:
                letters = dict(zip(COLOURS_OF_SEATS, result_letters(row), strict=True))
                entries = {
                    row[seat]["name"]: f"{row[other]['pairing_number']} {colour} {letters[seat]}"
                    for (seat, colour), other in zip(
                        COLOURS_OF_SEATS.items(), reversed(COLOURS_OF_SEATS), strict=True
                    )
                }
            for name, cell in entries.items():
                player_cells = cells.setdefault(name, [])
                player_cells.extend([ABSENT_COLUMNS] * (index - len(player_cells)))
                player_cells.append(cell)
    for player_cells in cells.values():
        player_cells.extend([ABSENT_COLUMNS] * (len(rounds) - len(player_cells)))
    return cells


def in_rounds(sample: SampleEvent, rounds: Sequence[Pairings]) -> Iterator[str]:
    """Compare opponents, seats and results.

    Every basis is a ruling, because the organiser issued the tokens of both sides.
    """
    cells = cells_of(rounds)
    for player in sample.players:
        yield from _difference(f"{player.name}'s rounds", cells.get(player.name), [*player.cells])
    for sample_round, pairings in zip(sample.rounds, rounds, strict=True):
        boards = {row["board"]: row for row in pairings if row["kind"] == "game"}
        for game in sample_round.games:
            row = boards.get(game.board, {})
            yield from _difference(
                f"round {sample_round.number}, board {game.board}",
                [row.get(key) for key in ("result", "termination", "state", "basis")],
                [game.result, game.termination, "confirmed", "ruling"],
            )


def in_standings(sample: SampleEvent, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Compare ranks, numbers and points."""
    found = {
        row["player"]["name"]: (row["rank"], row["number"], Decimal(row["values"]["PTS"]))
        for row in rows
    }
    for player in sample.players:
        expected = (player.rank, player.number, Decimal(player.points))
        yield from _difference(
            f"{player.name}'s rank, number, points", found.get(player.name), expected
        )
    yield from _difference("the number of players", len(rows), len(sample.players))


def in_trf(sample: SampleEvent, text: str) -> Iterator[str]:
    """Compare every line of the TRF."""
    expected, found = sample.trf.splitlines(), text.splitlines()
    yield from _difference("the number of lines in the TRF", len(found), len(expected))
    for found_line, expected_line in zip(found, expected, strict=False):
        yield from _difference("the TRF", found_line, expected_line)


def in_csv(rows: Sequence[Mapping[str, Any]], text: str) -> Iterator[str]:
    """Compare the CSV with the standings."""
    header, *lines = text.splitlines()
    yield from _difference("the CSV columns", header.split(",")[:3], ["rank", "id", "name"])
    expected = [[str(row["rank"]), str(row["number"])] for row in rows]
    yield from _difference("the CSV rows", [line.split(",")[:2] for line in lines], expected)


def in_ratings(
    rounds: Sequence[Pairings], ratings: Mapping[int, Mapping[str, Any]]
) -> Iterator[str]:
    """Check that each game is rated for both players, unless it is a forfeit or out of the band.

    By the ratings at pairing, the result of a game may have been almost certain.
    """
    for row in (row for pairings in rounds for row in pairings if row["kind"] == "game"):
        rating = ratings[row["game"]]
        found = [rating["state"], sorted(change["player"] for change in rating["changes"])]
        players = sorted(row[seat]["player"] for seat in COLOURS_OF_SEATS)
        is_excluded = row["termination"] == "forfeit" or rating["exclusion"] == OUT_OF_BAND
        expected = ["excluded", []] if is_excluded else ["rated", players]
        yield from _difference(f"the rating of game {row['game']}", found, expected)
    changes = [change for rating in ratings.values() for change in rating["changes"]]
    if all(change["after"] == change["before"] for change in changes):
        yield "no rating changed"


def _difference(name: str, found: object, expected: object) -> Iterator[str]:
    if found != expected:
        yield f"{name}: expected {expected}, the service has {found}"
