"""The runs of a pool, and the current changes and states of players."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypedDict

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from games.core.errors import require_found
from games.core.journal.chain import canonical_json
from games.core.references import absolute_url
from games.models import Player
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.batches.order import has_months, period_number
from ratings.models import IN_CURRENT_RUN, Change, Pool, PublishedList, Rating, Run, RunRating
from ratings.systems.elo import Elo, PlayerState, RatedGame, RatingChange, rate_batch
from ratings.systems.fide import FideState, is_junior, rate_period, read_state, start_rated
from ratings.systems.intervals import (
    ONE_AT_A_TIME,
    PROVISIONAL_BELOW,
    Interval,
    Sizes,
    interval_of,
    sizes_of,
)
from ratings.systems.presets import RatingSystem, Start

RUN_FIELDS = (
    "id", "number", "engine_version", "parameter_digest", "input_digest", "from_batch_id",
    "created_at", "made_current_at",
)  # fmt: skip


def finished_runs(pool: Pool) -> "QuerySet[Run]":
    """Return the runs of a pool, without one that goes on or has stopped."""
    return pool.runs.filter(made_current_at__isnull=False)


def find_run(pool: Pool, number: int) -> Run:
    """Return the run of a pool with this number; raises NotFound."""
    missing = Text("there is no run %(number)s of %(pool)s", number=number, pool=pool.code)
    return require_found(finished_runs(pool).filter(number=number).first(), missing)


CHANGED = (
    "batch_id", "game_id", "player_id", "opponent_id", "seat", "before", "opponent_before",
    "handicap_part", "expected", "k", "score", "share", "after",
)  # fmt: skip


def digest_changes(run: Run) -> str:
    """Return the SHA-256 of the changes that a run computed, replaced since or not."""
    changes = Change.objects.filter(pool=run.pool_id, run=run)
    rows = changes.order_by("batch_id", "game_id", "seat").values_list(*CHANGED)
    return _digest_rows(rows.iterator(chunk_size=2000))


def digest_ratings(run: Run) -> str:
    """Return the SHA-256 of the ratings after a run of the players whose ratings it computed."""
    ratings = RunRating.objects.filter(pool=run.pool_id, run=run).order_by("player_id")
    rows = ratings.values_list("player_id", "rating", "games")
    return _digest_rows(rows.iterator(chunk_size=2000))


def digest_list(published: PublishedList) -> str:
    """Return the SHA-256 of the ratings of a published list, with the histories if it has them."""
    ratings = published.ratings.order_by("player_id")
    columns = ("player_id", "rank", "rating", "games", "last_game_at", "start", "least", "most")
    return _digest_rows(
        (*row, at.isoformat(), *([] if most is None else [start, least, most]))
        for *row, at, start, least, most in ratings.values_list(*columns)
    )


def _digest_rows(rows: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(canonical_json(row).encode())
    return digest.hexdigest()


class RatingRun(TypedDict):
    """A computation of the ratings of a pool, from a batch on."""

    number: int
    url: str
    engine_version: int
    parameter_digest: str
    input_digest: str
    from_batch_id: Annotated[int | None, "the first batch that it rated"]
    created_at: datetime
    made_current_at: datetime | None


def run_as_json(pool: str, row: Mapping[str, Any]) -> RatingRun:
    """Return the JSON of a row of `RUN_FIELDS` of the pool with this code."""
    return {
        "number": row["number"],
        "url": absolute_url(f"pools/{pool}/runs/{row['number']}"),
        "engine_version": row["engine_version"],
        "parameter_digest": row["parameter_digest"],
        "input_digest": row["input_digest"],
        "from_batch_id": row["from_batch_id"],
        "created_at": row["created_at"],
        "made_current_at": row["made_current_at"],
    }


def load_current_changes(
    pools: "QuerySet[Any, Any] | Collection[Pool]", players: Collection[int]
) -> "QuerySet[Change]":
    """Return the current changes of players in pools; a query of pools selects their keys.

    Changes have no index by player: it would take half of the time of a rebuild. The games of the
    batches have one, and lead to the changes.
    """
    games = Q(batch__games__first__in=players) | Q(batch__games__second__in=players)
    return Change.objects.filter(
        games,
        IN_CURRENT_RUN,
        batch__games__pool__in=pools,
        batch__games__game=F("game"),
        pool__in=pools,
        player__in=players,
    )


class History(NamedTuple):
    """What the interval of a rating depends on, besides the rating: how its player came to it.

    `start` is the rating in milli before the first rated game, None for a player who was unrated.
    `games` are those of the current changes, without games elsewhere that led to the start.
    """

    start: int | None = None
    sizes: Sizes = ONE_AT_A_TIME
    games: int = 0


def load_histories(
    pools: Collection[Pool], players: Collection[int]
) -> dict[tuple[int, int], History]:
    """Return the histories of players by pool and player, in a query for 500 players."""
    months = {pool.pk: has_months(pool) for pool in pools}
    batches: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    starts: dict[tuple[int, int], int] = {}
    for ids in chunks(sorted(players)):
        rows = (
            load_current_changes(pools, ids)
            .values_list("pool", "player", "batch", "batch__effective_at", "before", "k")
            .annotate(games=Count("game"))
            .order_by("batch__effective_at", "batch__order_key", "batch")
        )
        for pool, player, batch, at, before, k, games in rows:
            starts.setdefault((pool, player), before)
            period = period_number(at) if months[pool] else batch
            batches[pool, player].append((period, k, games))
    return {
        key: History(starts[key] or None, sizes_of(own), sum(games for *_, games in own))
        for key, own in batches.items()
    }


def shown_interval(
    system: RatingSystem, rating: int, games: int, history: History, spread: int
) -> Interval | None:
    """Return the interval of a rating; None for a provisional one, or if none is known to hold."""
    if games < PROVISIONAL_BELOW:
        return None
    return interval_of(
        system, rating, games, start=history.start, spread=spread, sizes=history.sizes
    )


States = Mapping[int, Any]
"""A `PlayerState` or a `FideState` of each player, as the system needs it."""


def load_current_states(pool: Pool, system: RatingSystem, players: Mapping[int, Player]) -> States:
    """Return the states of players by id, in a fixed number of queries.

    A player without rated games starts from their seed, or at the start of the system.
    """
    states: dict[int, PlayerState | FideState] = {}
    for number, player in players.items():
        seed = (player.seed_rating, player.seed_games, player.seed_reached_2400)
        states[number] = Start.from_points(*seed).state(system)
    rated = load_last_states(pool, system, players)
    return states | {number: state for number, (state, _) in rated.items()}


def load_last_states(
    pool: Pool, system: RatingSystem, players: Collection[int]
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the states of the players with rated games, and the times of their last batches."""
    states: dict[int, tuple[PlayerState | FideState, datetime]] = {}
    for ids in chunks(sorted(players)):
        for rating in Rating.objects.filter(pool=pool, player__in=ids):
            if isinstance(system, Elo):
                state: PlayerState | FideState = PlayerState(rating.rating, rating.games)
            elif rating.state is None:  # the rating is by another system until the next run
                state = start_rated(rating.rating, rating.games)
            else:
                state = read_state(rating.state)
            states[rating.player_id] = state, rating.last_game_at
    if isinstance(system, Elo) or pool.current_run is None:
        return states
    unrated = pool.current_run.unrated
    for player in players:
        if (found := unrated.get(str(player))) is not None:
            at, *values = found
            states[player] = read_state(values), datetime.fromisoformat(at)
    return states


def find_juniors(players: Iterable[Player], year: int) -> frozenset[int]:
    """Return the players who have FIDE's K of juniors in a year."""
    return frozenset(
        player.pk
        for player in players
        if player.birth_year is not None and is_junior(player.birth_year, year)
    )


def rate_games(
    states: States,
    games: Sequence[RatedGame[int]],
    system: RatingSystem,
    juniors: Collection[int] = frozenset(),
) -> list[RatingChange[int]]:
    """Return the changes by games that are rated together now, as one batch or month."""
    if isinstance(system, Elo):
        return list(rate_batch(states, games, system).changes())
    month = period_number(timezone.now())
    return list(rate_period(states, games, system, period=month, juniors=juniors).changes())
