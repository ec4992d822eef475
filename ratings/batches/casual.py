"""File casual games with a pool, each as a batch of its own."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.core.broker import send_on_commit
from games.core.errors import Conflict
from games.core.journal.lines import NewLine, append_lines, game_stream
from games.core.journal.rows import changed_rows
from games.models import Game
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.batches.decisions import Filing
from ratings.batches.eligibility import load_current_games, load_keys, make_row
from ratings.batches.order import order_keys_of_games
from ratings.batches.services import (
    batch_payload,
    file_batch,
    load_players,
    load_ratings,
    players_of,
    set_digests,
    set_players,
)
from ratings.core.conditions import load_tables
from ratings.core.locking import lock_pool
from ratings.models import Batch, BatchGame, Pool


def file_game(pool: Pool, game: Game) -> Batch:
    """File a casual game at the time when its result was confirmed.

    The day on which it was played is not used, because players could then change everybody's
    history at will. Raises Conflict if the game is not confirmed.
    """
    if game.confirmed_at is None:
        raise Conflict(
            "unconfirmed",
            Text("game %(number)s is not confirmed, so it cannot be rated", number=game.pk),
        )
    return file_batch(
        pool,
        stream=game_stream(game),
        label="",
        effective_at=game.confirmed_at,
        games=[game],
        filing=Filing(Batch.State.FILED, approved=False),
        kind=Batch.Kind.GAME,
        limits=find_limits(pool, game, game.confirmed_at),
    )


def file_casual_games(pool: Pool, games: Collection[int] | None = None) -> None:
    """File every confirmed casual game of the pool that is not filed yet, only of `games` if given.

    A closed pool files none.
    """
    if pool.policy == Pool.Policy.CLOSED:
        return
    unfiled = unfiled_casual_games(pool)
    if games is not None:
        unfiled = unfiled.filter(pk__in=games)
    for game_id in list(unfiled.values_list("pk", flat=True)):
        with transaction.atomic():
            lock_pool(pool.pk)  # so that two calls count the games of a day one after the other
            # Read again under the lock: the other call may have filed it.
            game = unfiled_casual_games(pool).filter(pk=game_id).first()
            if game is not None:
                file_game(pool, game)


def file_new_games(pool: Pool, effective_at: Mapping[int, datetime], filing: Filing) -> None:
    """File new casual games at these times, by game, each as a batch of its own."""
    tables = load_tables()
    rows: list[BatchGame] = []
    for numbers in chunks(sorted(effective_at)):
        games = list(load_current_games(numbers))
        players = load_players(players_of(games), pool, "")
        ratings = load_ratings(pool, {player: values.seed for player, values in players.items()})
        of_chunk: list[BatchGame] = []
        for game in games:
            batch = Batch(
                pool=pool,
                stream=game_stream(game),
                kind=Batch.Kind.GAME,
                effective_at=effective_at[game.pk],
                **filing._asdict(),
            )
            row = make_row(batch, game, tables, ratings)
            filed = (row.first_id, row.second_id)
            year = batch.effective_at.year
            set_players(row, {player: players[player].in_year(year) for player in filed})
            of_chunk.append(row)
        keys_of_chunk = load_keys(of_chunk)
        for row in of_chunk:
            set_digests(row.batch, [row], keys_of_chunk)
        rows += of_chunk
    keys = {
        game: key
        for numbers in chunks([row.game_id for row in rows])
        for game, key in order_keys_of_games(numbers).items()
    }
    for row in rows:
        row.batch.order_key = keys[row.game_id]
    Batch.objects.bulk_create([row.batch for row in rows])
    for row in rows:
        row.batch_id = row.batch.pk
    BatchGame.objects.bulk_create(rows)
    lines = [
        NewLine(
            f"batch.{row.batch.state}",
            batch_payload(row.batch, [row]),
            rows=changed_rows(row.batch),
        )
        for row in rows
    ]
    append_lines(pool.stream, lines)
    send_on_commit("ratings.tasks.advance_pool", pool.pk)


def unfiled_casual_games(pool: Pool) -> "QuerySet[Game]":
    """Return the confirmed casual games of the pool that are not filed, oldest first."""
    filed = BatchGame.objects.filter(pool=pool, game=OuterRef("pk"))
    games = Game.objects.filter(
        ~Exists(filed), stream="", rated=True, state=Game.State.CONFIRMED, pool=pool.code
    )
    return games.select_related("first", "second").order_by("confirmed_at", "pk")


def find_limits(pool: Pool, game: Game, at: datetime) -> list[str]:
    """Return the limits that a casual game of this time (UTC) is beyond.

    A player stands for everybody merged into them. An open pool has only the daily limit.
    """
    seats = [player.current_id for player in (game.first, game.second)]
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    month = day.replace(day=1)
    is_open = pool.policy == Pool.Policy.OPEN
    today = _count_games(pool, game, seats, day, day + timedelta(days=1))
    this_month = _count_games(pool, game, seats, month, (month + timedelta(days=31)).replace(day=1))
    limits = {
        "over_limit": today >= settings.CASUAL_GAMES_PER_DAY,
        "over_month": not is_open and this_month >= settings.CASUAL_GAMES_PER_MONTH,
        "without_event": not (is_open or all(_has_finished_event(pool, seat) for seat in seats)),
    }
    return [name for name, is_beyond in limits.items() if is_beyond]


def _count_games(
    pool: Pool, game: Game, seats: Sequence[int], start: datetime, end: datetime
) -> int:
    """Return the other rated casual games of two players between two times."""
    batches = Batch.objects.filter(
        pool=pool, kind=Batch.Kind.GAME, effective_at__gte=start, effective_at__lt=end
    )
    between = Q(first=seats[0], second=seats[1]) | Q(first=seats[1], second=seats[0])
    rows = BatchGame.objects.filter(between, pool=pool, batch__in=batches.values("pk"))
    return rows.filter(exclusion="").exclude(game=game.pk).count()


def _has_finished_event(pool: Pool, player: int) -> bool:
    """Return True if the pool has rated a game of the player in an approved event."""
    own = Q(first=player) | Q(second=player)
    events = {"batch__kind": Batch.Kind.TOURNAMENT, "batch__approved": True}
    return BatchGame.objects.filter(own, pool=pool, exclusion="", **events).exists()
