"""Published rating lists of a pool."""

from datetime import date
from typing import Any

from django.db.models import QuerySet

from games.core.errors import NotFound
from games.rules.text import Text
from ratings.lists.queries import ListTerms, list_rules
from ratings.models import ListedRating, Pool, PublishedList
from ratings.systems.presets import find_preset


def load_lists(pool: Pool) -> "QuerySet[PublishedList]":
    """Return the published lists of a pool, with their runs."""
    return pool.published_lists.select_related("run")


def find_list(pool: Pool, published_on: str) -> PublishedList:
    """Return the list of a day, as in `2026-12-01`; raises NotFound."""
    try:
        found = load_lists(pool).filter(published_on=date.fromisoformat(published_on)).first()
    except ValueError:  # there is no such day
        found = None
    if found is None:
        raise NotFound(
            "not_found",
            Text("no list of %(pool)s was published on %(day)s", pool=pool.code, day=published_on),
        )
    return found


def listed_ratings(published: PublishedList) -> "QuerySet[ListedRating]":
    """Return the rows of a published list, best first."""
    return published.ratings.order_by("-rating", "player_id")


def published_terms(published: PublishedList) -> ListTerms:
    """Return the terms of a published list, which are those of its day."""
    system = find_preset(published.preset, published.parameters)
    return ListTerms(system, published.published_at, list_rules())


def list_as_json(pool: Pool, published: PublishedList) -> dict[str, Any]:
    """Return the JSON of a published list, without its rows."""
    return {
        "pool": pool.code,
        "published_on": published.published_on,
        "published_at": published.published_at,
        "run": published.run.number,
        "input_digest": published.run.input_digest,
        "players": published.players,
        "rules": list_rules(),
        "ratings": f"/api/v1/pools/{pool.code}/lists/{published.published_on}/ratings",
    }
