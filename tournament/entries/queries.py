"""The printed cards and sheets that a change of entries makes out of date.

The personal links of an event that work.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from tournament.models import Entry, PersonalLink, Round, Tournament


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


AFTER_ALL_NUMBERS: Final = 10**9
"""More than every pairing number."""


def working_links(tournament: Tournament) -> "QuerySet[PersonalLink]":
    """Return the links by pairing number, then by name, with their entries and players.

    `number` is the pairing number, `AFTER_ALL_NUMBERS` without one.
    """
    links = PersonalLink.objects.filter(entry__tournament=tournament, revoked_at=None)
    order = F("entry__pairing_number").asc(nulls_last=True), "entry__player__name", "entry_id"
    number = Coalesce("entry__pairing_number", AFTER_ALL_NUMBERS)
    links = links.select_related("entry__player__merged_into").annotate(number=number)
    return links.order_by(*order)


def page_address(tournament: Tournament, token: str) -> str:
    """Return the address of the page that a token opens; browsers do not send its last part."""
    return f"{settings.PUBLIC_URL}/e/{tournament.slug}/me#{token}"
