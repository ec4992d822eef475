"""What a correction of an event would change, computed in memory."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from games.core.decimals import rating_number
from games.models import Game
from ratings.batches.eligibility import corrected_input
from ratings.batches.order import batches_from, find_period_start, load_periods
from ratings.batches.services import rows_of
from ratings.models import IN_CURRENT_RUN, Batch, Change, Pool
from ratings.runs.openings import load_openings, load_states
from ratings.runs.state import CHANGE_COLUMNS, PoolState
from ratings.systems.presets import find_preset

BATCH_COLUMN, PLAYER = CHANGE_COLUMNS.index("batch_id"), CHANGE_COLUMNS.index("player_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEffect:
    """How the ratings of a pool change: the events, and the players with rating before and after.

    A rating is None for a player without rated games, `events` are those from the corrected one on
    in which a rating changes, with the number of players.
    """

    pool: str
    events: tuple[tuple[str, int], ...]
    players: Mapping[int, tuple[int | None, int | None]]

    def as_json(self) -> dict[str, Any]:
        """Return the effect for the API; players are ids."""
        return {
            "pool": self.pool,
            "tournaments": [{"name": name, "players": count} for name, count in self.events],
            "players": [
                {"player": player, "rating": [_as_number(rating) for rating in ratings]}
                for player, ratings in sorted(self.players.items())
            ],
        }


def _as_number(rating: int | None) -> float | None:
    return None if rating is None else rating_number(rating)


def preview_ratings(stream: str, games: Mapping[int, Game]) -> list[RatingEffect]:
    """Return what the corrected results of games of an event, by id, do to the ratings.

    Every pool with which the event is filed is rated from the event on, as it is filed and with
    the corrected results.
    """
    batches = Batch.objects.filter(stream=stream).select_related("pool").order_by("pool__code")
    effects = [_preview_batch(batch.pool, batch, games) for batch in batches]
    return [effect for effect in effects if effect.players]


def _preview_batch(pool: Pool, corrected: Batch, games: Mapping[int, Game]) -> RatingEffect:
    position = find_period_start(pool, (corrected.effective_at, corrected.pk))
    batches = batches_from(pool, position)
    openings = load_openings(pool, batches)
    filed = {row.game_id: row for row in rows_of(corrected).filter(game__in=games)}
    inputs = {
        number: corrected_input(row, corrected, games[number]) for number, row in filed.items()
    }
    before, after = _load_state(pool, batches), _load_state(pool, batches)
    labels: dict[int, str] = {}
    changed: set[tuple[Any, Any]] = set()
    for period in load_periods(pool, batches):
        corrected_period = [
            (batch, [inputs.get(row.game_id, row) for row in rows]) for batch, rows in period
        ]
        old = before.rate_period(period, openings)
        new = after.rate_period(corrected_period, openings)
        changed |= {(row[BATCH_COLUMN], row[PLAYER]) for row in {*old} ^ {*new}}
        labels |= {batch.pk: batch.label for batch, _ in period}
    counts = Counter(batch for batch, _ in changed)
    players = before.rated | after.rated
    ratings = {player: (_rating(before, player), _rating(after, player)) for player in players}
    return RatingEffect(
        pool=pool.code,
        events=tuple((label, counts[batch]) for batch, label in labels.items() if counts[batch]),
        players={player: pair for player, pair in ratings.items() if pair[0] != pair[1]},
    )


def _load_state(pool: Pool, batches: "QuerySet[Batch]") -> PoolState:
    """Return the state before these batches."""
    state = PoolState(find_preset(pool.preset, pool.parameters))
    earlier = Batch.objects.filter(pool=pool).exclude(pk__in=batches.values("pk"))
    changes = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=earlier.values("pk"))
    state.add_states(load_states(pool, changes, earlier, state.system))
    return state


def _rating(state: PoolState, player: int) -> int | None:
    """Return the rating of a player with rated games."""
    return state.players[player].rating if state.has_rating(player) else None
