"""Write the rows of a run: its changes, the ratings after it, what it rated of its batches.

`bulk_create` and `bulk_update` take ten times as long, and would take most of the time of a run.
"""

import struct
from collections.abc import Iterable, Sequence

import numpy as np
from django.db import connection

from games.bulk import chunks
from games.imports.bulk import insert_values
from ratings.models import Batch, Change, Rating, Run, RunRating
from ratings.services.column_rating import NUMBER_COLUMNS
from ratings.services.pool_state import PoolState
from ratings.services.run_chunks import RunBatch
from ratings.systems.history import Column

COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
COPY_END = struct.pack(">h", -1)
NUMBER_TYPES = {"bigint": ">i8", "integer": ">i4"}
RUN_COLUMNS = ("pool_id", "run_id", *NUMBER_COLUMNS, "seat")
SEATS = ("first", "second")
MOST_BATCHES = 10_000
"""The number of batches in a statement."""


def insert_changes(run: Run, changes: Column) -> None:
    """Insert changes, given as `NUMBER_COLUMNS`: binary COPY on PostgreSQL."""
    if connection.vendor == "postgresql":
        copy_changes(encode_changes(run, changes))
        return
    table, names = Change._meta.db_table, ", ".join(RUN_COLUMNS)
    values = ", ".join(["%s"] * len(RUN_COLUMNS))
    rows = [
        (run.pool_id, run.pk, *change, SEATS[number % 2])
        for number, change in enumerate(changes.tolist())
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})", rows)


def copy_changes(rows: bytes) -> None:
    """Insert changes, given as the rows that `encode_changes` returns, on PostgreSQL."""
    table, names = Change._meta.db_table, ", ".join(RUN_COLUMNS)
    with (
        connection.wrap_database_errors,  # what `copy` raises is otherwise psycopg's
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        for part in (COPY_HEADER, rows, COPY_END):
            copy.write(part)


def encode_changes(run: Run, changes: Column) -> bytes:
    """Return changes in the binary format of COPY: each value after its length in bytes."""
    numbers = RUN_COLUMNS[:-1]
    types = {
        name: np.dtype(NUMBER_TYPES[str(Change._meta.get_field(name).db_type(connection))])
        for name in numbers
    }
    row = [("values", ">i2")]
    for name in numbers:
        row += [(f"{name}_length", ">i4"), (name, types[name].str)]
    row.append(("seat_length", ">i4"))
    games = np.empty(
        len(changes) // 2, [(seat, [*row, ("seat", f"S{len(seat)}")]) for seat in SEATS]
    )
    for number, seat in enumerate(SEATS):
        rows = games[seat]
        rows["values"] = len(RUN_COLUMNS)
        for name in numbers:
            rows[f"{name}_length"] = types[name].itemsize
        rows["pool_id"], rows["run_id"] = run.pool_id, run.pk
        for place, name in enumerate(NUMBER_COLUMNS):
            rows[name] = changes[number::2, place]
        rows["seat_length"], rows["seat"] = len(seat), seat
    return games.tobytes()


def save_rated_batches(run: Run, rated: Sequence[RunBatch]) -> None:
    """Save what a run rated as the current rating of these batches."""
    table = Batch._meta.db_table
    with connection.cursor() as cursor:
        for chunk in chunks(sorted(rated), MOST_BATCHES):
            if connection.vendor == "postgresql":
                # The range lets the database read these batches only, not all for each chunk.
                cursor.execute(
                    f"UPDATE {table} SET run_id = %s, rated_effective_at = source.effective_at,"
                    " rated_games_digest = source.games_digest, input_digest = source.input_digest"
                    " FROM UNNEST(%s::bigint[], %s::timestamptz[], %s::text[], %s::text[])"
                    " AS source (batch, effective_at, games_digest, input_digest)"
                    f" WHERE {table}.id = batch AND {table}.id BETWEEN %s AND %s",
                    [
                        run.pk,
                        *(list(column) for column in zip(*chunk, strict=True)),
                        chunk[0].batch,
                        chunk[-1].batch,
                    ],
                )
            else:
                rows = [
                    (
                        run.pk,
                        connection.ops.adapt_datetimefield_value(batch.effective_at),
                        *batch[2:],
                        batch.batch,
                    )
                    for batch in chunk
                ]
                cursor.executemany(
                    f"UPDATE {table} SET run_id = %s, rated_effective_at = %s,"
                    " rated_games_digest = %s, input_digest = %s WHERE id = %s",
                    rows,
                )


def replace_ratings(run: Run, state: PoolState, players: Iterable[int]) -> None:
    """Replace the ratings of these players; remove those of players without games."""
    ordered = sorted(players)
    for chunk in chunks(ordered):
        Rating.objects.filter(pool=run.pool, player__in=chunk).delete()
    rated = [player for player in ordered if state.has_rating(player)]
    template = vars(Rating(pool_id=run.pool_id, run=run))
    insert_values(
        Rating,
        [
            template
            | {
                "player_id": player,
                "rating": state.players[player].rating,
                "games": state.players[player].games,
                "last_game_at": state.last_game_at[player],
            }
            for player in rated
        ],
    )
    _insert_run_ratings(run, state, ordered)


def _insert_run_ratings(run: Run, state: PoolState, players: Sequence[int]) -> None:
    template = vars(RunRating(pool_id=run.pool_id, run=run))
    rows = []
    for player in players:
        is_rated = state.has_rating(player)
        rating, games = state.players[player][:2] if is_rated else (None, 0)
        rows.append(template | {"player_id": player, "rating": rating, "games": games})
    insert_values(RunRating, rows)
