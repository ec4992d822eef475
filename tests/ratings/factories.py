"""Make players, settled games and filed batches, and read the resulting ratings."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet

from games.models import Game, Player
from ratings.batches.decisions import Filing
from ratings.batches.services import file_batch
from ratings.models import (
    IN_CURRENT_RUN,
    RATED_ORDER,
    Analysis,
    Batch,
    BatchGame,
    Change,
    ListedRating,
    Pool,
    PublishedList,
    Rating,
    Run,
    RunRating,
    TableRow,
    TableVersion,
)
from ratings.systems.handicap import COVERED_BOARDS, HandicapTable

APPROVED = Filing(Batch.State.FILED, approved=True)
RESULTS = {
    "1-0": {"winner": "first"},
    "0-1": {"winner": "second"},
    "1/2": {"draw": True},
    "": {"state": Game.State.OPEN},
}


def day(number: int) -> datetime:
    return datetime(2026, 3, number, tzinfo=UTC)


def make_players(count: int, seed: int | None = None) -> list[Player]:
    return [
        Player.objects.create(name=f"Player {letter}", seed_rating=seed)
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]
    ]


def make_game(first: Player, second: Player, result: str = "1-0", **fields: Any) -> Game:
    settled = {
        "game": "star-star",
        "pool": "star",
        "board": "10",
        "state": Game.State.CONFIRMED,
        "termination": "agreed",
        "confirmed_at": day(1),
        "consented": True,
        "stream": f"tournament/{fields['event'].lower()}" if fields.get("event") else "",
    }
    return Game.objects.create(
        first=first, second=second, **{**settled, **RESULTS[result], **fields}
    )


def file_event(pool: Pool, name: str, at: datetime, games: list[Game]) -> Batch:
    return file_batch(
        pool, stream=f"tournament/{name}", label=name, effective_at=at, games=games, filing=APPROVED
    )


def make_list(pool: Pool, at: datetime, *players: Player) -> PublishedList:
    """A published list of players, each rated 1500 after ten games, as is the live list."""
    run = Run.objects.create(
        pool=pool,
        number=pool.runs.count() + 1,
        engine_version=1,
        parameter_digest="0",
        input_digest="1",
        made_current_at=at,
    )
    published = PublishedList.objects.create(
        pool=pool, published_on=at.date(), run=run, preset=pool.preset, players=len(players)
    )
    row = {"rating": 1500_000, "games": 10, "last_game_at": at}
    for player in players:
        Rating.objects.create(pool=pool, player=player, run=run, **row)
        ListedRating.objects.create(published_list=published, player=player, rank=1, **row)
    return published


def make_analysis(pool: Pool, **fields: Any) -> Analysis:
    """A calibration; a finished one has found nothing."""
    empty = {"table": "v1", "games": 0, "note": "", "values": []}
    slope = {"name": "slope", "games": 0, "estimate": 1, "low": 1, "high": 1}
    result = {**empty, "slope": slope} if "finished_at" in fields else None
    return Analysis.objects.create(pool=pool, kind="calibration", result=result, **fields)


def comparable(changes: "QuerySet[Change]", *order: str) -> list[tuple[Any, ...]]:
    """Return changes in order, else by key, without the columns that differ from run to run."""
    fields = ("batch", "game", "player", "before", "expected", "k", "share", "after")
    return list(changes.order_by(*order or ["pk"]).values_list(*fields))


def current_changes(pool: Pool) -> list[tuple[Any, ...]]:
    return comparable(Change.objects.filter(IN_CURRENT_RUN, pool=pool), *RATED_ORDER)


def ratings_of(pool: Pool) -> dict[str, tuple[int, int]]:
    return named(pool.ratings.all())


def named(ratings: "QuerySet[Rating] | QuerySet[RunRating]") -> dict[str, tuple[int, int]]:
    rows = ratings.values_list("player__name", "rating", "games")
    return {name.removeprefix("Player "): (rating, games) for name, rating, games in rows}


def add_second_table(values: HandicapTable) -> TableVersion:
    """Return a version `v3` that has the same values in all games."""
    version = TableVersion.objects.create(version="v3", model=values.model, reason="a test")
    TableRow.objects.bulk_create(
        TableRow(version=version, game=game, board=board, **asdict(values))
        for game, board in COVERED_BOARDS
    )
    return version


def exclusions_of(batch: Batch) -> list[str]:
    filed = BatchGame.objects.filter(batch=batch).order_by("game")
    return list(filed.values_list("exclusion", flat=True))
