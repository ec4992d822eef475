"""The personal links of an event that work."""

from django.conf import settings
from django.db.models import F, QuerySet

from tournament.models import PersonalLink, Tournament


def working_links(tournament: Tournament) -> "QuerySet[PersonalLink]":
    """Return the links by pairing number, with their entries and players."""
    links = PersonalLink.objects.filter(entry__tournament=tournament, revoked_at=None)
    order = F("entry__pairing_number").asc(nulls_last=True), "entry__player__name", "entry_id"
    return links.select_related("entry__player__merged_into").order_by(*order)


def page_address(tournament: Tournament, token: str) -> str:
    """Return the address of the page that a token opens; browsers do not send its last part."""
    return f"{settings.PUBLIC_URL}/e/{tournament.slug}/me#{token}"
