"""The personal links of an event that work."""

from typing import Final

from django.conf import settings
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from tournament.models import PersonalLink, Tournament

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
