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

from django.db.models import Count, Max, Min, QuerySet
from django.db.models.functions import Coalesce

from games.core.journal.chain import digest_of
from games.models.bulk import chunks
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
    return _by_batch(_openings_of(pool, batches, follow_merges=follow_merges))


def _openings_of(
    pool: Pool, batches: "QuerySet[Batch]", *, follow_merges: bool = True
) -> "QuerySet[Opening, tuple[int, int, int, int]]":
    player = Coalesce("player__merged_into_id", "player_id") if follow_merges else "player_id"
    return (
        Opening.objects.filter(pool=pool, batch__in=batches.values("pk"))
        .order_by("games", "-player_id")
        .values_list("batch_id", player, "rating", "games")
    )


def _by_batch(rows: Iterable[tuple[int, int, int, int]]) -> dict[int, Openings]:
    openings: dict[int, dict[int, PlayerState]] = defaultdict(dict)
    for batch, player_id, rating, games in rows:
        openings[batch][player_id] = PlayerState(rating, games)
    return dict(openings)


def load_states(
    changes: "QuerySet[Change]", openings: Mapping[int, Openings], system: RatingSystem
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the state of each player after these changes, and the time of their last batch.

    `changes` are the current changes of some batches, `openings` the openings of these.
    """
    if isinstance(system, Elo):
        return _load_elo_states(changes, openings)
    rows = changes.order_by(*RATED_ORDER).values_list(
        "player_id", "before", "opponent_before", "handicap_part", "score", "after", "batch_id",
        "batch__effective_at",
    )  # fmt: skip
    states: dict[int, tuple[FideState, datetime]] = {}
    for player, before, opponent, part, score, after, batch, effective_at in rows.iterator(
        chunk_size=2000
    ):
        if player in states:
            state = states[player][0]
        else:
            opening = openings.get(batch, {}).get(player)
            games = opening.games if opening else 0
            state = start_rated(before, games) if before else FideState()
        state = repeat_change(
            state, before, opponent, part, score, after,
            period=period_number(effective_at), event=batch,
        )  # fmt: skip
        states[player] = state, effective_at
    return {**states}


def _load_elo_states(
    changes: "QuerySet[Change]", openings: Mapping[int, Openings]
) -> dict[int, tuple[PlayerState | FideState, datetime]]:
    """Return the states from the last batch of each player, and the number of their changes."""
    time = "batch__effective_at"
    counted = (
        changes.order_by()
        .values("player")
        .annotate(games=Count("game"), first=Min(time), last=Max(time))
    )
    rows = list(counted.values_list("player", "games", "first", "last"))
    games = {player: count for player, count, _, _ in rows}
    imported = {player for batch in openings.values() for player in batch}
    firsts = {player: first for player, _, first, _ in rows if player in imported}
    for player, (batch, _) in _find_batches(changes, firsts, is_first=True).items():
        opening = openings.get(batch, {}).get(player)
        games[player] += opening.games if opening else 0
    lasts = {player: last for player, _, _, last in rows}
    return {
        player: (PlayerState(after, games[player]), lasts[player])
        for player, (_, after) in _find_batches(changes, lasts).items()
    }


def _find_batches(
    changes: "QuerySet[Change]", times: Mapping[int, datetime], *, is_first: bool = False
) -> dict[int, tuple[int, int]]:
    """Return the batch of each of these players at a time, and their rating after it.

    This is the last of that time, or the first.
    """
    found: dict[int, tuple[int, int]] = {}
    for at_once in chunks(sorted(set(times.values()))):
        rows = changes.filter(batch__effective_at__in=at_once).order_by(
            "-batch" if is_first else "batch"
        )
        for player, batch, after, at in rows.values_list(
            "player_id", "batch_id", "after", "batch__effective_at"
        ).iterator(chunk_size=2000):
            if times.get(player) == at:
                found[player] = batch, after
    return found


def export_openings(batch: Batch, players: Iterable[int]) -> dict[int, PlayerState]:
    """Return the openings to export with a batch: the players' ratings before it.

    Players who entered it with a seed only are left out.
    """
    earlier = batches_before(batch.pool, (batch.effective_at, batch.pk))
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
