"""The states of players after everything that is rated, to rate further games in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from games.bulk import chunks
from games.models import Player
from ratings.batches.order import period_number
from ratings.models import Pool, Rating
from ratings.systems.elo import MILLI, Elo, PlayerState, RatedGame, RatingChange, rate_batch
from ratings.systems.fide import FideState, rate_period, read_state, start_rated
from ratings.systems.presets import RatingSystem

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
