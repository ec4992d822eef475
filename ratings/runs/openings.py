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

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from games.core.journal.chain import digest_of
from ratings.batches.order import batches_before, period_number
from ratings.models import RATED_ORDER, Batch, BatchGame, Change, Opening, Pool
from ratings.runs.queries import load_current_changes
from ratings.systems.elo import PlayerState
from ratings.systems.fide import FideState, repeat_change
from ratings.systems.presets import RatingSystem, Start, find_preset

Openings = Mapping[int, Start]
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
    openings: dict[int, dict[int, Start]] = defaultdict(dict)
    for batch, player_id, *start in rows.order_by("games", "-player_id").values_list(
        "batch_id", player, "rating", "games", "reached_2400"
    ):
        openings[batch][player_id] = Start(*start)
    return dict(openings)


def _load_established(pool: Pool, batches: "QuerySet[Batch]") -> dict[tuple[int, int], Start]:
    """Return the seeds that rated games led to, by game and player, of the games of batches."""
    rows = BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"))
    starts = {}
    for seat in ("first", "second"):
        columns = (f"{seat}_seed", f"{seat}_seed_games", f"{seat}_reached_2400")
        established = Q(**{f"{columns[1]}__gt": 0}) | Q(**{columns[2]: True})
        for game, player, *start in rows.filter(established).values_list(
            "game_id", f"{seat}_id", *columns
        ):
            starts[game, player] = Start(*start)
    return starts


def load_states(
    pool: Pool, changes: "QuerySet[Change]", batches: "QuerySet[Batch]", system: RatingSystem
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the state of each player after these changes, and the time of their last batch.

    `changes` are current changes of these batches of the pool.
    """
    openings, established = load_openings(pool, batches), _load_established(pool, batches)
    states: dict[int, tuple[PlayerState | FideState, datetime]] = {}
    rows = changes.order_by(*RATED_ORDER).values_list(
        "player_id", "before", "opponent_before", "handicap_part", "score", "after", "batch_id",
        "game_id", "batch__effective_at",
    )  # fmt: skip
    for player, before, opponent, part, score, after, batch, game, at in rows.iterator(2000):
        if player in states:
            state = states[player][0]
        else:
            start = openings.get(batch, {}).get(player) or established.get((game, player))
            state = (start or Start(before))._replace(rating=before).state(system)
        if isinstance(state, PlayerState):
            state = PlayerState(after, state.games + 1)
        else:
            period = period_number(at)
            state = repeat_change(
                state, before, opponent, part, score, after, period=period, event=batch
            )
        states[player] = state, at
    return states


def export_openings(batch: Batch, players: Iterable[int]) -> dict[int, Start]:
    """Return the openings to export with a batch: the players' ratings before it.

    Players who entered it with a seed only are left out.
    """
    earlier = batches_before(batch)
    changes = load_current_changes([batch.pool], list(players))
    changes = changes.filter(batch__in=earlier.values("pk"))
    system = find_preset(batch.pool.preset, batch.pool.parameters)
    states = load_states(batch.pool, changes, earlier, system)
    own = load_openings(batch.pool, Batch.objects.filter(pk=batch.pk)).get(batch.pk, {})
    rated = {
        player: Start(
            state.rating, state.games, isinstance(state, FideState) and state.has_reached_2400
        )
        for player, (state, _) in states.items()
        if isinstance(state, PlayerState) or state.rating
    }
    return {**own, **rated}
