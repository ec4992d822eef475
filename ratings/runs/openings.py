"""Openings: the ratings of players before an imported batch.

A bundle contains one event, without the batches before it in its pool. The ratings that those gave
the players of the event are exported with it as *openings*. In the pool that imports it, a new
player starts from their opening instead of their seed, so that the event changes the same ratings
by the same amounts; a player who is rated there already continues from that rating. Openings are
input like the games, and the input digests include them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from games.core.journal.chain import digest_of
from ratings.batches.order import batches_before, period_number
from ratings.models import RATED_ORDER, Batch, Change, Opening, Pool
from ratings.runs.queries import load_current_changes
from ratings.systems.elo import Elo, PlayerState
from ratings.systems.fide import FideState, repeat_change, start_rated
from ratings.systems.presets import RatingSystem, find_preset

Openings = Mapping[int, PlayerState]
"""The openings of one batch, by player."""


def digest_openings(openings: Openings) -> str:
    """Return the SHA-256 of the openings of a batch, ordered by player; empty without openings."""
    rows = [[player, *openings[player]] for player in sorted(openings)]
    return digest_of(rows) if rows else ""


def load_openings(
    pool: Pool, batches: "QuerySet[Batch]", *, follow_merges: bool = True
) -> dict[int, Openings]:
    """Return the openings of each of these batches, by its id.

    The opening of a merged player belongs to the player they were merged into, unless
    `follow_merges` is false. If a player has two openings then, the one with more games counts,
    or else the one with the smaller player id.
    """
    player = Coalesce("player__merged_into_id", "player_id") if follow_merges else "player_id"
    rows = Opening.objects.filter(pool=pool, batch__in=batches.values("pk"))
    openings: dict[int, dict[int, PlayerState]] = defaultdict(dict)
    for batch, player_id, *state in rows.order_by("games", "-player_id").values_list(
        "batch_id", player, "rating", "games"
    ):
        openings[batch][player_id] = PlayerState(*state)
    return dict(openings)


def load_states(
    changes: "QuerySet[Change]", openings: Mapping[int, Openings], system: RatingSystem
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the state of each player after these changes, and the time of their last batch.

    `changes` are the current changes of some batches, `openings` the openings of these.
    """
    is_elo = isinstance(system, Elo)
    states: dict[int, tuple[PlayerState | FideState, datetime]] = {}
    rows = changes.order_by(*RATED_ORDER).values_list(
        "player_id", "before", "opponent_before", "handicap_part", "score", "after", "batch_id",
        "batch__effective_at",
    )  # fmt: skip
    for player, before, opponent, part, score, after, batch, at in rows.iterator(chunk_size=2000):
        if player in states:
            state = states[player][0]
        else:
            opening = openings.get(batch, {}).get(player)
            games = opening.games if opening else 0
            state = PlayerState(before, games) if is_elo else start_rated(before, games)
        if isinstance(state, PlayerState):
            state = PlayerState(after, state.games + 1)
        else:
            period = period_number(at)
            state = repeat_change(
                state, before, opponent, part, score, after, period=period, event=batch
            )
        states[player] = state, at
    return states


def export_openings(batch: Batch, players: Iterable[int]) -> dict[int, PlayerState]:
    """Return the openings to export with a batch: the players' ratings before it.

    Players who entered it with a seed only are left out.
    """
    earlier = batches_before(batch)
    changes = load_current_changes([batch.pool], list(players))
    changes = changes.filter(batch__in=earlier.values("pk"))
    system = find_preset(batch.pool.preset, batch.pool.parameters)
    states = load_states(changes, load_openings(batch.pool, earlier), system)
    own = load_openings(batch.pool, Batch.objects.filter(pk=batch.pk)).get(batch.pk, {})
    rated = {
        player: PlayerState(state.rating, state.games)
        for player, (state, _) in states.items()
        if isinstance(system, Elo) or state.rating
    }
    return {**own, **rated}
