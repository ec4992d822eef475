"""Games that have the same record as another game."""

from typing import Any

from django.db.models import Count

from games.models import Report
from games.queries import records_beside
from tournament.models import Tournament

RECORD_COLUMNS = (
    "digest", "game_id", "game__event", "game__stream", "game__round", "game__first_id",
    "game__first__name", "game__second_id", "game__second__name",
)  # fmt: skip


def repeated_records_as_json(tournament: Tournament) -> list[dict[str, Any]]:
    """Return each record of the event that several games have, with these games.

    Games of other events are listed if they are public.
    """
    own = Report.objects.filter(game__stream=tournament.stream).exclude(record="")
    reports = records_beside(tournament.stream).filter(digest__in=own.values("digest"))
    repeated = reports.values("digest").annotate(games=Count("game", distinct=True))
    digests = repeated.filter(games__gt=1).values("digest")
    rows = reports.filter(digest__in=digests).values(*RECORD_COLUMNS).distinct()
    games: dict[str, list[dict[str, Any]]] = {}
    for row in rows.order_by("digest", "game_id"):
        games.setdefault(row["digest"], []).append(
            {
                "game": row["game_id"],
                "event": row["game__event"],
                "stream": row["game__stream"],
                "round": row["game__round"],
                "first": {"id": row["game__first_id"], "name": row["game__first__name"]},
                "second": {"id": row["game__second_id"], "name": row["game__second__name"]},
            }
        )
    return [{"digest": digest, "games": found} for digest, found in games.items()]
