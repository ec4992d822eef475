"""Publish the rating list of a pool."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import Rank

from games.core.errors import Conflict
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.models.bulk import BATCH_SIZE
from games.rules.text import Text
from ratings.core.locking import lock_pool
from ratings.lists.queries import histories_of, live_list
from ratings.models import ListedRating, Pool, PublishedList
from ratings.runs.queries import digest_list


def publish_list(pool: Pool, *, now: datetime, by: Account) -> PublishedList:
    """Publish the live list of a pool as that of this day (UTC).

    Raises Conflict if no game of the pool is rated yet, or if the list of this day is published.
    """
    with transaction.atomic():
        pool = lock_pool(pool.pk)
        run = pool.current_run
        if run is None:
            raise Conflict("no_run", Text("no game is rated in %(pool)s yet", pool=pool.code))
        if pool.published_lists.filter(published_on=now.date()).exists():
            detail = Text(
                "the list of %(pool)s is published, and does not change any more", pool=now.date()
            )
            raise Conflict("list_published", detail)
        published = PublishedList.objects.create(
            pool=pool,
            published_on=now.date(),
            published_at=now,
            run=run,
            preset=pool.preset,
            parameters=pool.parameters,
            spread=pool.spread,
        )
        published.players = _copy_ratings(published)
        published.ratings_digest = digest_list(published)
        published.save(update_fields=["players", "ratings_digest"])
        payload = {
            "published_on": str(published.published_on),
            "run": run.number,
            "input_digest": run.input_digest,
            "players": published.players,
        }
        rows = changed_rows(published)
        append_line(pool.stream, "list.published", payload, by=by, rows=rows)
    return published


def _copy_ratings(published: PublishedList) -> int:
    """Copy the live list, and return the number of its players."""
    fields = ("player_id", "rating", "games", "last_game_at", "rank")
    live = live_list(published.pool, published.published_at)
    ratings = live.ratings.annotate(rank=Window(Rank(), order_by=F("rating").desc()))
    found = list(ratings.values(*fields))
    rows = [
        ListedRating(
            published_list=published,
            **row,
            start=history.start,
            least=round(10 * history.sizes.least),
            most=round(10 * history.sizes.most),
        )
        for row, history in zip(found, histories_of(found, live.terms), strict=True)
    ]
    ListedRating.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    return len(rows)
