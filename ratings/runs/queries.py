"""The ratings after a run, current or not, and how those after two runs differ.

The current changes of players.

Changes have no index by player: it would take half of the time of a rebuild. The games of the
batches have one, and lead to the changes.

The states of players after everything that is rated, to rate further games in memory.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from games.core.errors import NotFound
from games.models import Game, Player
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.batches.order import period_number
from ratings.core.pools import find_run
from ratings.models import IN_CURRENT_RUN, BatchGame, Change, Pool, Rating, Run, RunRating
from ratings.systems.elo import MILLI, Elo, PlayerState, RatedGame, RatingChange, rate_batch
from ratings.systems.fide import FideState, rate_period, read_state, start_rated
from ratings.systems.lists import format_decimal
from ratings.systems.presets import RatingSystem


def load_current_changes(
    pools: "QuerySet[Any, Any] | Collection[Pool]", players: Collection[int]
) -> "QuerySet[Change]":
    """Return the current changes of players in pools; a query of pools selects their keys."""
    games = Q(batch__games__first__in=players) | Q(batch__games__second__in=players)
    return Change.objects.filter(
        games,
        IN_CURRENT_RUN,
        batch__games__pool__in=pools,
        batch__games__game=F("game"),
        pool__in=pools,
        player__in=players,
    )


States = Mapping[int, Any]
"""A `PlayerState` or a `FideState` of each player, as the system needs it."""


def load_current_states(pool: Pool, system: RatingSystem, players: Mapping[int, Player]) -> States:
    """Return the states of players by id, in a fixed number of queries.

    A player without rated games starts from their seed, or at the start of the system.
    """
    states: dict[int, PlayerState | FideState] = {
        number: _first_state(system, player.seed_rating) for number, player in players.items()
    }
    rated = load_last_states(pool, system, players)
    return states | {number: state for number, (state, _) in rated.items()}


def load_last_states(
    pool: Pool, system: RatingSystem, players: Collection[int]
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the states of the players with rated games, and the times of their last batches."""
    states: dict[int, tuple[PlayerState | FideState, datetime]] = {}
    for ids in chunks(sorted(players)):
        for rating in Rating.objects.filter(pool=pool, player__in=ids):
            states[rating.player_id] = _state_of(rating, system), rating.last_game_at
    if isinstance(system, Elo) or pool.current_run is None:
        return states
    unrated = pool.current_run.unrated
    for player in players:
        if (found := unrated.get(str(player))) is not None:
            at, *values = found
            states[player] = read_state(values), datetime.fromisoformat(at)
    return states


def _state_of(rating: Rating, system: RatingSystem) -> PlayerState | FideState:
    """Return the state of a player; the rating is by another system until the next run."""
    if isinstance(system, Elo):
        return PlayerState(rating.rating, rating.games)
    if rating.state is None:
        return start_rated(rating.rating, rating.games)
    return read_state(rating.state)


def rate_games(
    states: States, games: Sequence[RatedGame[int]], system: RatingSystem
) -> list[RatingChange[int]]:
    """Return the changes by games that are rated together now, as one batch or month."""
    if isinstance(system, Elo):
        return list(rate_batch(states, games, system).changes())
    month = period_number(timezone.now())
    return list(rate_period(states, games, system, period=month).changes())


def _first_state(system: RatingSystem, seed: int | None) -> PlayerState | FideState:
    """Return the state of a player without rated games; their seed is in points."""
    if isinstance(system, Elo):
        return PlayerState((system.start if seed is None else seed) * MILLI, 0)
    return FideState() if seed is None else start_rated(seed * MILLI)


DIFFERENCE_FIELDS = (
    "player_id", "player__name", "rating", "games", "rating_before", "games_before",
)  # fmt: skip


def _last_rows(run: Run) -> "QuerySet[RunRating]":
    """Return the row of each player after a run; later runs do not change it."""
    rows = RunRating.objects.filter(pool=run.pool_id, run__lte=run.pk)
    later = rows.filter(player=OuterRef("player"), run__gt=OuterRef("run"))
    return rows.filter(~Exists(later))


def rating_differences(
    pool: Pool, later: int, earlier: int, visible_games: "QuerySet[Game]"
) -> "QuerySet[Any]":
    """Return the players whose rating after two runs differs, as rows of `DIFFERENCE_FIELDS`.

    Before the first run, number 0, no player has a rating. Players of a game that is not visible
    are left out: who else changed in the same run would be their opponent. Raises NotFound.
    """
    run = find_run(pool, later)
    if earlier >= later:
        raise NotFound(
            "not_found",
            Text("run %(number)s is not earlier than run %(other)s", number=earlier, other=later),
        )
    start = find_run(pool, earlier).pk if earlier else 0
    before = RunRating.objects.filter(pool=pool, player=OuterRef("player"), run__lte=start)
    last = before.order_by("-run")
    own = Q(first=OuterRef("player")) | Q(second=OuterRef("player"))
    is_visible = Exists(visible_games.filter(pk=OuterRef("game")))
    hidden = BatchGame.objects.filter(own, ~is_visible, pool=pool)
    return (
        _last_rows(run)
        .filter(~Exists(hidden), run__gt=start)
        .annotate(
            rating_before=Subquery(last.values("rating")[:1]),
            games_before=Subquery(last.values("games")[:1]),
        )
        .filter(
            Q(rating__lt=F("rating_before"))
            | Q(rating__gt=F("rating_before"))
            | Q(rating__isnull=True, rating_before__isnull=False)
            | Q(rating__isnull=False, rating_before__isnull=True)
        )
    )


def difference_as_json(row: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a row of `DIFFERENCE_FIELDS`."""
    before, after = row["rating_before"], row["rating"]
    is_in_both = before is not None and after is not None
    return {
        "player": {"id": row["player_id"], "name": row["player__name"]},
        "before": _rating_as_json(before, row["games_before"]),
        "after": _rating_as_json(after, row["games"]),
        "difference": format_decimal(after - before, 3) if is_in_both else None,
    }


def _rating_as_json(rating: int | None, games: int) -> dict[str, Any] | None:
    return None if rating is None else {"rating": format_decimal(rating, 3), "games": games}
