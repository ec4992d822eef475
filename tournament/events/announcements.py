"""What the directors tell everybody: on the pages of the event, on the wall, and as messages.

An event has a few short texts, the newest last, each with its number and its time. One that is
withdrawn is shown and told no more; its line in the journal stays.
"""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.errors import NotFound
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.core.references import absolute_url
from games.core.serializers import MarkdownField
from games.core.types import list_of
from games.core.views import ApiView, endpoint
from games.models import Account
from games.rules.text import Text
from tournament.core.locking import lock_tournament, require_state
from tournament.core.lookup import ActionInEvent, tournament_seen_by
from tournament.models import Tournament

State = Tournament.State
ANNOUNCED_IN: Final = (
    State.REGISTRATION,
    State.RUNNING,
    State.REVIEW,
    State.FINAL,
    State.CANCELLED,
)
"""The states in which an event has readers, and can still change."""
LONGEST: Final = 1_000
MOST: Final = 50
"""Announcements of an event that are shown: the newest ones."""


def announce(tournament: Tournament, text: str, *, by: Account) -> dict[str, Any]:
    """Tell everybody something; raises Conflict for an event that has no readers."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, *ANNOUNCED_IN)
        number = 1 + tournament.announced
        new = {"number": number, "text": text, "at": timezone.now().isoformat()}
        tournament.announcements = [*tournament.announcements, new][-MOST:]
        tournament.announced = number
        _store(tournament, "tournament.announced", {"number": number, "text": text}, by=by)
    return new


def withdraw_announcement(tournament: Tournament, number: int, *, by: Account) -> None:
    """Show an announcement no more; raises NotFound for another number."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        shown = tournament.announcements
        rest = [one for one in shown if one["number"] != number]
        if len(rest) == len(shown):
            detail = Text(
                "%(event)s has no announcement %(number)s", event=tournament.name, number=number
            )
            raise NotFound("not_found", detail)
        tournament.announcements = rest
        _store(tournament, "announcement.withdrawn", {"number": number}, by=by)


def _store(tournament: Tournament, kind: str, payload: dict[str, Any], *, by: Account) -> None:
    tournament.save(update_fields=["announcements", "announced"])
    append_line(tournament.stream, kind, payload, by=by, rows=changed_rows(tournament))


class AnnouncementSerializer(serializers.Serializer):
    text = MarkdownField(
        max_length=LONGEST,
        required=True,
        allow_blank=False,
        allow_null=False,
        label=_("What everybody should know"),
        help_text=_("Everybody reads it, without Markdown; who asked for messages gets one."),
    )


class Announcement(TypedDict):
    """What the directors have told everybody."""

    number: Annotated[int, "in the order of time; none is used again"]
    text: str
    created_at: datetime
    url: str


def as_json(slug: str, stored: dict[str, Any]) -> Announcement:
    """Return an announcement of an event."""
    at = datetime.fromisoformat(stored["at"])
    return {
        "number": stored["number"],
        "text": stored["text"],
        "created_at": at,
        "url": absolute_url(f"tournaments/{slug}/announcements/{stored['number']}"),
    }


class Announce(ActionInEvent):
    """Announce something on the pages of the tournament and its wall, and as a message.

    Not before registration is open. The newest 50 are shown.
    """

    name = "announce"
    permission = "tournament.edit"
    body = AnnouncementSerializer
    example = {"text": "Round 3 begins half an hour later, at 14:30."}
    status = 201
    location = "tournaments/{slug}/announcements/{number}"
    done = gettext_noop("It is announced.")

    def perform(self, call: Call, tournament: Tournament) -> Announcement:
        return as_json(tournament.slug, announce(tournament, call.body["text"], by=call.account))


class WithdrawAnnouncement(ActionInEvent):
    """Withdraw an announcement: nothing shows it any more, and no message that still waits."""

    name = "withdraw_announcement"
    permission = "tournament.edit"
    done = gettext_noop("The announcement is withdrawn.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        withdraw_announcement(tournament, call.address["number"], by=call.account)


class AnnouncementList(ApiView):
    public_read = "slug"
    post = endpoint(Announce)

    @extend_schema(responses=list_of(Announcement))
    def get(self, request: Request, slug: str) -> Response:
        """Return what the directors have announced, the newest first.

        What they have withdrawn is not there.
        """
        stored = tournament_seen_by(request, slug).announcements
        rows = [as_json(slug, one) for one in reversed(stored)]
        return Response({"next": None, "previous": None, "results": rows})


class AnnouncementView(ApiView):
    delete = endpoint(WithdrawAnnouncement)
