"""The pages of an event, which have its name, its state and its tabs (tournament/event.html)."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework.request import Request

from games.core.pages import PageView
from games.core.requests import can_see_drafts
from games.http.etags import require_change, tag_of
from games.models import Account
from tournament import queries
from tournament.core.heads import head_note, table_state
from tournament.core.lookup import own_account, tournament_seen_by
from tournament.core.texts import KIND_TEXTS
from tournament.models import Entry, Round, Tournament
from tournament.views.seen import UNPUBLISHED, can_see_forecast, hide_draft


class EventPage(PageView):
    """A page of an event; a subclass defines `template`, `tab` and `content`.

    One that `is_costly` is not computed for a stranger who has the current page.
    """

    tab = ""
    is_costly = False

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the frame of the event, and the content of the page."""
        is_tagged = self.is_costly and not isinstance(request.user, Account)
        state = table_state(slug) if is_tagged else []
        tournament = tournament_seen_by(request, slug)
        if is_tagged:
            address_and_day = (request.get_full_path(), local_day(tournament), get_language())
            require_change(request, tag_of(settings.VERSION, *address_and_day, state))
        frame = event_frame(request, tournament, tab=self.tab)
        return frame | self.content(request, tournament, frame, **address)

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the context of the page itself."""
        return {}


def event_frame(request: Request, tournament: Tournament, *, tab: str = "") -> dict[str, Any]:
    """Return what the template of every page of an event needs, for any view.

    `next_round` is the first one that is not published.
    """
    rounds = queries.rounds_of(tournament)
    is_official = can_see_drafts(request, tournament.stream)
    if not is_official:
        rounds = [hide_draft(this_round) for this_round in rounds]
    published = [this_round for this_round in rounds if this_round.state not in UNPUBLISHED]
    following = [this_round for this_round in rounds if this_round.state in UNPUBLISHED]
    return {
        "event": tournament,
        "tab": tab,
        "rounds": rounds,
        "current_round": current_round(tournament, published),
        "next_round": following[0] if following else None,
        "is_being_played": any(r.state == Round.State.PUBLISHED for r in published),
        "is_official": is_official,
        "has_forecast": tournament.state == Tournament.State.RUNNING
        and can_see_forecast(request, tournament),
        "own_entry": own_entry(tournament, own_account(request, tournament)),
        "head": head_note(tournament),
        "journal_kinds": KIND_TEXTS,
    }


def current_round(tournament: Tournament, published: Sequence[Round]) -> Round | None:
    """Return the round that is being played, else the last published one.

    In a league, in which all rounds are open, it is the last one that has begun.
    """
    played = [found for found in published if found.state == Round.State.PUBLISHED]
    today = local_day(tournament)
    begun = [found for found in played if found.starts_on and found.starts_on <= today]
    return next(iter([*begun[-1:], *played[:1], *published[-1:]]), None)


def local_day(tournament: Tournament) -> date:
    """Return the day at the place of the event."""
    return timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date()


def own_entry(tournament: Tournament, account: int | None) -> Entry | None:
    """Return the entry of an account; no query for a stranger."""
    if account is None:
        return None
    own = tournament.entries.filter(queries.is_own(account, "player")).select_related("player")
    entry = own.order_by("pk").first()
    if entry is not None:
        entry.tournament = tournament
    return entry
