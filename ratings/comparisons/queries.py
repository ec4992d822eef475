"""The ratings of an event: the performance and the change of each player.

Before the event is rated, the changes are those that its results so far would give now.
"""

from collections import defaultdict
from typing import Any, NamedTuple, TypeAlias

from django.db.models import QuerySet

from games.models import Game, Player
from ratings.batches.eligibility import current_values, make_row
from ratings.models import Batch, Change, Pool
from ratings.queries.current_states import load_current_states, rate_games
from ratings.queries.tables import load_tables
from ratings.systems.elo import DRAW, MILLI, MILLION, RatedGame
from ratings.systems.lists import format_decimal
from ratings.systems.performance import perfect_rating
from ratings.systems.presets import find_preset

EVENT_RATING_COLUMNS = (
    "player_id", "opponent_before", "handicap_part", "expected", "score", "before", "after",
)  # fmt: skip


class EventChange(NamedTuple):
    """What a game of the event changed for a player, or would change."""

    player: int
    opponent_before: int
    handicap_part: int
    expected: int
    score: int
    before: int
    after: int


ByPlayer: TypeAlias = dict[int, list[EventChange]]


def event_ratings_as_json(
    pool: Pool | None, stream: str, games: "QuerySet[Game]"
) -> dict[str, Any]:
    """Return the JSON of the ratings of these games of an event, the best performance first.

    `state` is `rated`, `expected` before the event is rated, `unrated` without a pool. Only rated
    games count.
    """
    if pool is None:
        return {"pool": None, "state": "unrated", "rows": []}
    batch = pool.batches.filter(stream=stream).first()
    is_rated = batch is not None and batch.is_rated and batch.state == Batch.State.FILED
    if batch is not None and is_rated:
        changes = Change.objects.filter(
            run=batch.run_id, batch=batch, game__in=games.values("pk")
        ).order_by("game", "seat")
        found = [EventChange(*row) for row in changes.values_list(*EVENT_RATING_COLUMNS)]
    else:
        found = _expect_changes(pool, stream, games)
    by_player: ByPlayer = defaultdict(list)
    for change in found:
        by_player[change.player].append(change)
    names = dict(Player.objects.filter(pk__in=by_player).values_list("pk", "name"))
    rows = [
        _row_as_json({"id": number, "name": names[number]}, own)
        for number, own in by_player.items()
    ]
    return {
        "pool": pool.code,
        "state": "rated" if is_rated else "expected",
        "rows": sorted(rows, key=_performance_of, reverse=True),
    }


def _expect_changes(pool: Pool, stream: str, games: "QuerySet[Game]") -> list[EventChange]:
    """Return the changes by the games that would be rated if the event were final now."""
    batch = Batch(pool=pool, stream=stream, state=Batch.State.FILED, approved=True)
    tables = load_tables()
    current = games.annotate(**current_values()).order_by("pk")
    rows = [row for row in (make_row(batch, game, tables) for game in current) if not row.exclusion]
    numbers = {player for row in rows for player in (row.first_id, row.second_id)}
    system = find_preset(pool.preset, pool.parameters)
    states = load_current_states(pool, system, Player.objects.in_bulk(numbers))
    rated = [
        RatedGame(row.first_id, row.second_id, row.score, row.handicap_part or 0) for row in rows
    ]
    return [
        EventChange(
            change.player,
            change.opponent_before,
            change.handicap_part,
            change.expected,
            change.score,
            change.before,
            change.after,
        )
        for change in rate_games(states, rated, system)
    ]


def _row_as_json(player: dict[str, Any], changes: list[EventChange]) -> dict[str, Any]:
    score = sum(change.score for change in changes)
    return {
        "player": player,
        "games": len(changes),
        "score": format_decimal(score * 10 // MILLION, 1),
        "expected": format_decimal(sum(change.expected for change in changes), 6),
        "performance": _performance(changes),
        "before": format_decimal(changes[0].before, 3),
        "change": format_decimal(changes[0].after - changes[0].before, 3),
        "after": format_decimal(changes[0].after, 3),
    }


def _performance(changes: list[EventChange]) -> int | None:
    """Return the rating performance against rated opponents; a handicap counts as rating points."""
    rated = [change for change in changes if change.opponent_before]
    opponents = [round((change.opponent_before - change.handicap_part) / MILLI) for change in rated]
    half_points = sum(change.score for change in rated) // DRAW
    return perfect_rating(opponents, half_points) if rated else None


def _performance_of(row: dict[str, Any]) -> tuple[bool, int, int]:
    performance = row["performance"]
    return performance is not None, performance or 0, -row["player"]["id"]
