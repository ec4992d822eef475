"""Reads: a fixed number of queries each, rows to plain values.

Ratings, K and shares leave here as decimals in text, exact to the last digit.
"""

import csv
import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from games.errors import NotThere
from games.models import Game, Player
from ratings import facts
from ratings.models import Batch, BatchGame, Change, Pool, Rating
from ratings.order import first_due
from ratings.systems.lists import SCORES, decimal, without_formula

PROVISIONAL_BELOW = 10
INACTIVE_AFTER = timedelta(days=365)

RUN_FIELDS = (
    "id", "number", "engine_version", "parameter_digest", "input_digest", "from_batch_id",
    "created_at", "made_current_at",
)  # fmt: skip
RATING_FIELDS = (
    "player_id", "player__name", "player__country", "player__club", "rating", "games",
    "last_game_at",
)  # fmt: skip
CHANGE_FIELDS = (
    "id", "pool__code", "run__number", "game_id", "game__event", "game__round",
    "game__played_on", "game__public", "seat", "opponent_id", "opponent__name", "before",
    "opponent_before", "handicap_part", "expected", "k", "score", "share", "after",
    "batch__effective_at", "player_id",
)  # fmt: skip


def find_pool(code: str) -> Pool:
    """The pool of that code; raises NotThere."""
    pool = Pool.objects.select_related("current_run").filter(code=code).first()
    if pool is None:
        raise NotThere("not_found", f"there is no pool {code[:40]!r}")
    return pool


def rated_player(player_id: int) -> int:
    """The id under which a player is rated: that of the one it was merged into, if it was.

    Raises NotThere.
    """
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NotThere("not_found", f"there is no player {player_id}")
    return player.merged_into_id or player.pk


def is_due(pool: Pool) -> bool:
    """Whether the pool's ratings are behind its games."""
    return first_due(pool) is not None or facts.drifted(pool).exists()


def batch_progress(batch_id: int) -> dict[str, Any] | None:
    """How far a batch has come: `waiting`, or `done` with the run that rated it; None: no such."""
    batch = Batch.objects.select_related("run", "pool").filter(pk=batch_id).first()
    if batch is None:
        return None
    done = batch.facts == batch.rated_facts and batch.run is not None
    return {
        "id": f"batch-{batch.pk}",
        "state": "done" if done else "waiting",
        "progress": 1 if done else 0,
        "stream": batch.stream,
        "result": {"pool": batch.pool.code, "run": batch.run.number}
        if done and batch.run
        else None,
    }


def pool_as_dict(pool: Pool) -> dict[str, Any]:
    """A pool as the API shows it."""
    run = pool.current_run
    return {
        "code": pool.code,
        "name": pool.name,
        "preset": pool.preset,
        "parameters": pool.parameters,
        "handicap_table": pool.handicap_table,
        "casual_games": pool.casual_games,
        "run": None if run is None else run_as_dict(vars(run)),
    }


def run_as_dict(row: dict[str, Any]) -> dict[str, Any]:
    """One row of `RUN_FIELDS` as the API shows it."""
    shown = {name: row[name] for name in RUN_FIELDS if name not in ("id", "from_batch_id")}
    return {**shown, "from_batch": row["from_batch_id"]}


def listed(
    pool: Pool, *, provisional: bool = False, inactive: bool = False, now: datetime | None = None
) -> "QuerySet[Rating]":
    """The rating list, best first: established players who played within twelve months.

    `provisional` and `inactive` put the others on it too.
    """
    ratings = Rating.objects.filter(pool=pool).order_by("-rating", "player_id")
    if not provisional:
        ratings = ratings.filter(games__gte=PROVISIONAL_BELOW)
    if not inactive:
        ratings = ratings.filter(last_game_at__gt=(now or timezone.now()) - INACTIVE_AFTER)
    return ratings


def ranked(page: Sequence[dict[str, Any]], everybody: "QuerySet[Rating]") -> list[dict[str, Any]]:
    """Rows of `RATING_FIELDS` as the API shows them; equal ratings share a rank: 1 2 2 4.

    `everybody` is the list that the page is of; one query counts who stands above the page.
    """
    if not page:
        return []
    top, player = page[0]["rating"], page[0]["player_id"]
    counted = everybody.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=top)),
        tied=Count("pk", filter=Q(rating=top, player_id__lt=player)),
    )
    rank, place, rating = counted["better"] + 1, counted["better"] + counted["tied"], top
    rows = []
    for row in page:
        place += 1
        if row["rating"] != rating:
            rank, rating = place, row["rating"]
        rows.append(
            {
                "rank": rank,
                "player": {
                    "id": row["player_id"],
                    "name": row["player__name"],
                    "country": row["player__country"],
                    "club": row["player__club"],
                },
                **standing(row["rating"], row["games"], row["last_game_at"]),
            }
        )
    return rows


def list_csv(everybody: "QuerySet[Rating]") -> str:
    """A whole rating list as CSV, LF line ends; names that read as formulas are disarmed."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(["rank", "id", "name", "country", "rating", "games"])
    rank, rating = 0, None
    rows = everybody.values(*RATING_FIELDS).iterator(chunk_size=2000)
    for place, row in enumerate(rows, start=1):
        if row["rating"] != rating:
            rank, rating = place, row["rating"]
        name = without_formula(row["player__name"])
        country, points = row["player__country"], decimal(row["rating"], 3)
        lines.writerow([rank, row["player_id"], name, country, points, row["games"]])
    return written.getvalue()


def standing(rating: int, games: int, last_game_at: datetime) -> dict[str, Any]:
    """A rating as the API shows it, with what is to be known of it."""
    return {
        "rating": decimal(rating, 3),
        "games": games,
        "provisional": games < PROVISIONAL_BELOW,
        "inactive": last_game_at <= timezone.now() - INACTIVE_AFTER,
        "last_game_at": last_game_at,
    }


def player_standings(player_id: int) -> list[dict[str, Any]]:
    """Where a player stands in each pool."""
    rows = Rating.objects.filter(player_id=player_id).order_by("pool__code")
    return [
        {"pool": code, **standing(rating, games, last_game_at)}
        for code, rating, games, last_game_at in rows.values_list(
            "pool__code", "rating", "games", "last_game_at"
        )
    ]


def history(player_id: int) -> "QuerySet[Change]":
    """The changes in force of a player, in the pools where the player stands."""
    pools = Rating.objects.filter(player_id=player_id).values("pool")
    return Change.objects.filter(pool__in=pools, player_id=player_id, superseded_by__isnull=True)


def change_as_dict(row: dict[str, Any]) -> dict[str, Any]:
    """One row of `CHANGE_FIELDS` as the API shows it; a game that is not public is not named."""
    game = {
        "id": row["game_id"],
        "event": row["game__event"],
        "round": row["game__round"],
        "played_on": row["game__played_on"],
    }
    return {
        "pool": row["pool__code"],
        "run": row["run__number"],
        "game": game if row["game__public"] else None,
        "effective_at": row["batch__effective_at"],
        "seat": row["seat"],
        "opponent": {"id": row["opponent_id"], "name": row["opponent__name"]}
        if row["game__public"]
        else None,
        "score": SCORES[row["score"]],
        "before": decimal(row["before"], 3),
        "opponent_before": decimal(row["opponent_before"], 3),
        "handicap_part": decimal(row["handicap_part"], 3),
        "expected": decimal(row["expected"], 6),
        "k": decimal(row["k"], 3),
        "change": decimal(row["share"], 9),
        "after": decimal(row["after"], 3),
    }


def game_ratings(game: Game) -> list[dict[str, Any]]:
    """What became of a game in each pool that holds it: `pending`, `rated` or `excluded`."""
    filed = (
        BatchGame.objects.filter(game=game).select_related("batch", "pool").order_by("pool__code")
    )
    rows = (
        Change.objects.filter(
            Q(pool__in=[one.pool_id for one in filed]), game=game, superseded_by__isnull=True
        )
        .order_by("pk")
        .values(*CHANGE_FIELDS)
    )
    changes: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        changes.setdefault(row["pool__code"], []).append(
            {"player": row["player_id"], **change_as_dict(row)}
        )
    told = []
    for one in filed:
        is_rated = one.batch.facts == one.batch.rated_facts
        state = "excluded" if one.exclusion else "rated" if is_rated else "pending"
        told.append(
            {
                "pool": one.pool.code,
                "state": state,
                "exclusion": one.exclusion or None,
                "changes": changes.get(one.pool.code, []) if state == "rated" else [],
            }
        )
    return told
