"""The printed cards and sheets that a change of pairing numbers makes out of date."""

from typing import Any

from django.db.models import F

from games.queries import rows_as_dicts
from tournament.models import Round, Tournament


def find_outdated_papers(tournament: Tournament) -> dict[str, Any]:
    """Return the cards and sheets with other pairing numbers than those of the running event.

    They were printed with the numbers of the last publication, or of the start.
    """
    if tournament.state != Tournament.State.RUNNING:
        return {"cards": [], "sheets": []}
    numbered = tournament.entries.filter(pairing_number__isnull=False)
    changed = numbered.exclude(published_number=F("pairing_number"))
    rows = rows_as_dicts(
        changed.order_by("pairing_number"), "pk", "published_number", "pairing_number"
    )
    cards = [
        {"entry": row["pk"], "before": row["published_number"], "after": row["pairing_number"]}
        for row in rows
    ]
    return {"cards": cards, "sheets": _published_sheets(tournament) if cards else []}


def _published_sheets(tournament: Tournament) -> list[str]:
    """Return the addresses of the sheets of published rounds; slips only of open rounds."""
    published = tournament.round_set.filter(published_at__isnull=False).order_by("number")
    return [
        f"rounds/{number}/{name}.pdf"
        for number, state in published.values_list("number", "state")
        for name in (["pairings", "slips"] if state == Round.State.PUBLISHED else ["pairings"])
    ]
