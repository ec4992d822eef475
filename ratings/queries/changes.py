"""What rated games did: to a player, and of one game in each pool."""

from typing import Any

from django.db.models import Q, QuerySet

from games.http.errors import NotFound
from games.models import Game, Player
from ratings.models import BatchGame, Change, Rating
from ratings.systems.lists import SCORES, decimal

CHANGE_FIELDS = (
    "id", "pool__code", "run__number", "game_id", "game__event", "game__round",
    "game__played_on", "game__public", "seat", "opponent_id", "opponent__name", "before",
    "opponent_before", "handicap_part", "expected", "k", "score", "share", "after",
    "batch__effective_at", "player_id",
)  # fmt: skip


def rated_player(player_id: int) -> int:
    """The id under which a player is rated: that of the one it was merged into, if it was.

    Raises NotFound.
    """
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NotFound("not_found", f"there is no player {player_id}")
    return player.merged_into_id or player.pk


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
