"""The states of players after everything that is rated, to rate further games in memory."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from games.models import Player
from ratings.models import Batch, Pool, Rating
from ratings.queries.batch_order import period_number
from ratings.queries.current_changes import load_current_changes
from ratings.queries.openings import load_openings, load_states
from ratings.systems.elo import MILLI, Elo, PlayerState, RatedGame, RatingChange, rate_batch
from ratings.systems.fide import FideState, rate_period, start_rated
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
    if isinstance(system, Elo):
        for rating in Rating.objects.filter(pool=pool, player__in=players):
            states[rating.player_id] = PlayerState(rating.rating, rating.games)
        return states
    changes = load_current_changes([pool], players)
    batches = Batch.objects.filter(pk__in=changes.values("batch"))
    rated = load_states(changes, load_openings(pool, batches), system)
    return states | {number: state for number, (state, _) in rated.items()}


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
