"""How a pool files an event: an approval by its officers holds for the event as it was approved.

With another owner, name or dates, or more than twice the players, it waits for them again.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Count

from games.rules.text import Text
from ratings.batches.decisions import Filing, RatingRequest, load_decided, owners_of
from ratings.models import Pool
from tournament.core.queries import LISTED_STATES
from tournament.models import Entry, Tournament

FEWEST_PLAYERS: Final = 10
"""An event is approved with so many players at least: it may have none yet."""


class EventFiling(NamedTuple):
    """How a pool files an event, and what has changed since its officers approved it."""

    filing: Filing
    changed: Sequence[str]


def rating_request(tournament: Tournament) -> RatingRequest:
    """Return the request to rate a tournament in its pool."""
    return RatingRequest(tournament.stream, tournament.created_by_id)


def describe_event(tournament: Tournament) -> dict[str, Any]:
    """Return what an approval of an event covers, as JSON."""
    players = tournament.entries.filter(state__in=LISTED_STATES).count()
    return {
        **_description(tournament),
        "players": max(players, tournament.places or 0, FEWEST_PLAYERS),
        "owners": sorted(owners_of([tournament.stream])[tournament.stream]),
    }


def find_event_filings(pool: Pool, tournaments: Collection[Tournament]) -> dict[str, EventFiling]:
    """Return how a pool files each of these events now, by stream.

    In two queries, and one more if the officers have approved one of them.
    """
    decided = load_decided(pool, [rating_request(event) for event in tournaments])
    covered = [event for event in tournaments if decided.covers(event.stream)]
    # Who has withdrawn has played games that are filed.
    listed = Entry.objects.filter(tournament__in=covered, state__in=LISTED_STATES)
    counts = listed.order_by().values_list("tournament").annotate(Count("pk")) if covered else ()
    players = dict(counts)
    found = {}
    for event in tournaments:
        changed = _changes(
            decided.covers(event.stream),
            event,
            decided.owners[event.stream],
            players.get(event.pk, 0),
        )
        filing = decided.filing(rating_request(event), is_changed=bool(changed))
        found[event.stream] = EventFiling(filing, changed)
    return found


def find_event_filing(pool: Pool, tournament: Tournament) -> EventFiling:
    """Return how a pool files an event now."""
    return find_event_filings(pool, [tournament])[tournament.stream]


def _description(tournament: Tournament) -> dict[str, str]:
    return {
        "name": tournament.name,
        "starts_on": tournament.starts_on.isoformat(),
        "ends_on": tournament.ends_on.isoformat(),
    }


def _changes(
    covers: Mapping[str, Any], event: Tournament, owners: Collection[int], players: int
) -> list[str]:
    """Return what of an event its approval does not cover, for readers."""
    if "name" not in covers:
        return []
    now = _description(event)
    changes = {
        Text("the name"): now["name"] != covers["name"],
        Text("the dates"): any(now[name] != covers[name] for name in ("starts_on", "ends_on")),
        Text("an owner"): not set(owners) <= set(covers["owners"]),
        Text("more than twice the players"): players > 2 * covers["players"],
    }
    return [name for name, is_changed in changes.items() if is_changed]
