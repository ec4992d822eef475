"""The printed cards and sheets that a change of entries makes out of date."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import F, Q

from tournament.models import Entry, Round, Tournament


def find_outdated_papers(tournament: Tournament, edited: Collection[int] = ()) -> dict[str, Any]:
    """Return the cards and sheets with other pairing numbers than those of the running event.

    They were printed with the numbers of the last publication, or of the start. The cards of the
    `edited` entries show other values that have changed.
    """
    if tournament.state != Tournament.State.RUNNING:
        return outdated_papers(tournament, ())
    is_unchanged = Q(printed_number=F("pairing_number"), printed_number__isnull=False)
    numbered = tournament.entries.filter(pairing_number__isnull=False)
    found = numbered.filter(~is_unchanged | Q(pk__in=edited)).order_by("pairing_number")
    return outdated_papers(tournament, found.only("pairing_number", "printed_number"))


def outdated_papers(tournament: Tournament, entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the cards of these entries, and the sheets if any has another pairing number.

    An entry that is not saved has no id.
    """
    cards = [
        {"entry": entry.pk, "before": entry.printed_number, "after": entry.pairing_number}
        for entry in entries
    ]
    is_renumbered = any(card["before"] != card["after"] for card in cards)
    return {"cards": cards, "sheets": _published_sheets(tournament) if is_renumbered else []}


def _published_sheets(tournament: Tournament) -> list[str]:
    """Return the addresses of the sheets of published rounds; slips only of open rounds."""
    published = tournament.round_set.filter(published_at__isnull=False).order_by("number")
    return [
        f"rounds/{number}/{name}.pdf"
        for number, state in published.values_list("number", "state")
        for name in (["pairings", "slips"] if state == Round.State.PUBLISHED else ["pairings"])
    ]
