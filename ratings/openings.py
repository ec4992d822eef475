"""Where players stood before a batch that came from another house, and before any batch here.

A bundle holds one event, and the batches before it stay at home. What these made of the event's
players comes along as *openings*: who has no rating here yet starts from the opening, in the place
of a seed, so that the event moves the same ratings by the same amounts. Who is rated here already
goes on from there. Openings are input like the games: the chain of digests holds them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from games.journal.chain import digest_of
from ratings.models import Batch, Change, Opening, Pool
from ratings.systems.elo import PlayerState

Openings = Mapping[int, PlayerState]
"""By player's id."""


def digest_of_openings(openings: Openings) -> str:
    """SHA-256 over the openings of a batch, by player; empty where there are none."""
    rows = [[player, *openings[player]] for player in sorted(openings)]
    return digest_of(rows) if rows else ""


def openings_as_brought(
    pool: Pool, batches: "QuerySet[Batch]"
) -> dict[int, dict[int, PlayerState]]:
    """The openings of each of these batches, by its id, as they came along."""
    return _openings(pool, batches, "player_id")


def openings_of(pool: Pool, batches: "QuerySet[Batch]") -> dict[int, dict[int, PlayerState]]:
    """The openings of each of these batches, by its id; who was merged is the one he became.

    Of two openings that are one person's now that of more games counts, then the first.
    """
    return _openings(pool, batches, Coalesce("player__merged_into_id", "player_id"))


def _openings(
    pool: Pool, batches: "QuerySet[Batch]", player: str | Coalesce
) -> dict[int, dict[int, PlayerState]]:
    rows = (
        Opening.objects.filter(pool=pool, batch__in=batches.order_by().values("pk"))
        .order_by("games", "-player_id")
        .values_list("batch_id", player, "rating", "games")
    )
    found: dict[int, dict[int, PlayerState]] = defaultdict(dict)
    for batch, who, rating, games in rows:
        found[batch][who] = PlayerState(rating, games)
    return dict(found)


def states_after(
    changes: "QuerySet[Change]", openings: Mapping[int, Openings]
) -> dict[int, tuple[PlayerState, datetime]]:
    """Everybody's state after these changes in force, and when the last batch of each was.

    `openings` are those of the batches that the changes are of.
    """
    rows = changes.order_by("pk").values_list(
        "player_id", "after", "batch_id", "batch__effective_at"
    )
    states: dict[int, tuple[PlayerState, datetime]] = {}
    for player, after, batch, played_at in rows.iterator(chunk_size=2000):
        if player in states:
            games = states[player][0].games
        else:
            opening = openings.get(batch, {}).get(player)
            games = opening.games if opening else 0
        states[player] = PlayerState(after, games + 1), played_at
    return states


def openings_for(batch: Batch, players: Iterable[int]) -> dict[int, PlayerState]:
    """What a batch that leaves the house brings along: where its players stood before it.

    Those who came to it with a seed alone are left out.
    """
    earlier = Q(effective_at__lt=batch.effective_at) | Q(
        effective_at=batch.effective_at, pk__lt=batch.pk
    )
    batches = Batch.objects.filter(earlier, pool=batch.pool_id)
    changes = Change.objects.filter(
        pool=batch.pool_id,
        superseded_by__isnull=True,
        player__in=list(players),
        batch__in=batches.values("pk"),
    )
    states = states_after(changes, openings_of(batch.pool, batches))
    own = Batch.objects.filter(pk=batch.pk)
    brought = openings_of(batch.pool, own).get(batch.pk, {})
    return brought | {player: state for player, (state, _) in states.items()}
