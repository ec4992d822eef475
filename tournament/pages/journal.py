"""The journal of an event, the newest lines first, in pages.

A line says what happened, when, and which account caused it; the names of accounts and the payloads
are for the officials of the event, so the page has names only for them, and no payloads.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.journal.lines import SYSTEM
from games.core.pagination import CursorPages
from games.models import Account, JournalLine
from tournament.core.texts import KIND_TEXTS
from tournament.models import Tournament
from tournament.pages.event import EventPage


class JournalPage(EventPage):
    template = "tournament/journal.html"
    public_read = "slug"
    tab = "journal"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the journal; two queries, or one without names."""
        pages = CursorPages()
        pages.ordering = ("-sequence",)
        rows = JournalLine.objects.filter(stream=tournament.stream)
        lines = pages.paginate_queryset(rows, request)
        names = _names_of(lines) if frame["is_official"] else {}
        return {
            "lines": [
                (line, KIND_TEXTS.get(line.kind, line.kind), _actor(line, names)) for line in lines
            ],
            **pages.neighbours,
        }


def _names_of(lines: Iterable[JournalLine]) -> dict[str, str]:
    """Return the names of the accounts that caused lines, by actor."""
    numbers = {line.actor.removeprefix("account/") for line in lines if line.actor != SYSTEM}
    accounts = Account.objects.filter(pk__in=filter(str.isdecimal, numbers))
    return {f"account/{account.pk}": account.name for account in accounts}


def _actor(line: JournalLine, names: Mapping[str, str]) -> str:
    if line.actor == SYSTEM:
        return gettext("the service")
    number = line.actor.removeprefix("account/")
    return names.get(line.actor) or gettext("account %(number)s") % {"number": number}
