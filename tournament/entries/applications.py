"""Applications: players apply for a place, with their account or by the event's link.

The link serves everyone who has it and gives no other right. Its key follows the `#` of the
address, so the server does not see it before the form is sent; until then, the page shows nothing
of an event that is not public. A person without an account sends their details, which
`games.players.matching` compares with the registered players.
"""

import secrets
from dataclasses import fields
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.errors import Conflict, NotFound, Unprocessable
from games.core.forms import Form, form_fields
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.core.pages import PageView
from games.core.permissions import require_account
from games.core.serializers import CountryField, NameField, RatingField
from games.core.uploads.progress import no_progress
from games.core.views import ApiView, endpoint
from games.models import Account, Player
from games.names import MAX_NAME_LENGTH
from games.players.matching import PlayerDetails, match_players, register_new_players
from games.rules.text import Text
from tournament.core.actions import require_event_action
from tournament.core.locking import lock_tournament
from tournament.core.lookup import (
    ActionInEvent,
    allowed_event_actions,
    require_tournament,
    tournament_seen_by,
)
from tournament.core.pages import event_frame
from tournament.entries.serializers import VALUES, EntryValuesSerializer
from tournament.entries.services import add_entry, entry_payload
from tournament.models import Entry, Tournament

KEY_BYTES = 16


def create_application_key(tournament: Tournament, *, by: Account) -> str:
    """Create the key of the link for applications; an earlier link does not work any more."""
    return _set_key(tournament, secrets.token_urlsafe(KEY_BYTES), "applications.opened", by)


def delete_application_key(tournament: Tournament, *, by: Account) -> None:
    """Revoke the link for applications; raises Conflict if there is none."""
    if not tournament.application_key:
        raise Conflict("nothing_to_do", Text("the event has no link for applications"))
    _set_key(tournament, "", "applications.closed", by)


def _set_key(tournament: Tournament, key: str, kind: str, by: Account) -> str:
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        tournament.application_key = key
        tournament.save(update_fields=["application_key"])
        append_line(tournament.stream, kind, {}, by=by)
    return key


def find_by_key(slug: str, key: str) -> Tournament | None:
    """Return the tournament if this is the key of its link for applications."""
    tournament = Tournament.objects.filter(slug=slug).exclude(application_key="").first()
    if tournament and constant_time_compare(tournament.application_key, key):
        return tournament
    return None


def apply(
    tournament: Tournament,
    applicant: Player | PlayerDetails,
    *,
    by: Account | None,
    **values: Any,
) -> Entry:
    """Enter a player as `applied`: this one, or the person with these details.

    `values` are columns of the entry. Raises Conflict unless the registration is open, if the
    player has applied already, and if the details fit several players.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_action(tournament, "apply")
        player = applicant
        if isinstance(player, PlayerDetails):
            player = _find_or_register(player, by, tournament.stream)
        entry = add_entry(tournament, player, by=by, state=Entry.State.APPLIED, **values)
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.applied", entry_payload(entry), by=by, rows=rows)
    return entry


def _find_or_register(details: PlayerDetails, by: Account | None, stream: str) -> Player:
    """Return the registered player of these details, or one who is new in the event.

    The refusal of ambiguous details names no candidates, because anyone can read it.
    """
    (found,) = match_players([details], by=by, is_distinct=True, progress=no_progress)
    if found.problem:
        detail = Text("these details may mean another person; ask the organiser to enter you")
        raise Conflict(found.problem.code, detail)
    register_new_players([found], by=by, stream=stream, progress=no_progress)
    return found.player


class ApplicationSerializer(EntryValuesSerializer):
    """The details of a person without a player of their own; an account with one needs none."""

    link = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        label=_("The event's link for applications, if you have no account"),
        help_text=gettext_noop("the key of the event's link"),
    )
    name = NameField(max_length=MAX_NAME_LENGTH, required=False)
    country = CountryField()
    club = NameField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    fide = NameField(max_length=11, required=False, allow_blank=True, label=_("FIDE id"))
    seed_rating = RatingField(required=False, allow_null=True, label=_("Rating"))


class AppliedSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    state = serializers.ChoiceField(Entry.State.choices)


class ApplicationLinkSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="empty without a link")
    address = serializers.CharField(help_text="the page that it opens")


class Apply(ActionInEvent):
    """Apply for a place while the registration is open; the organiser accepts or refuses.

    Without a name, an account applies for its own player. A person without a login needs the
    key of the event's link.
    """

    name = "apply"
    event_action = "apply"
    body = ApplicationSerializer
    example = {"name": "Ada Lovelace", "country": "GBR", "club": "Rooks", "seed_rating": 1800}
    response = AppliedSerializer
    status = 201
    made = ("entry",)
    done = gettext_noop("You have applied. The organiser accepts or refuses.")

    def find(self, call: Call) -> None:
        """Find nothing yet: the key of the link is in the body, and opens the event."""

    def check(self, call: Call, found: None) -> None:
        """Require nothing yet: `prepare` does, which knows whether there is a key."""

    def allowed_actions(self, call: Call, found: None) -> list[dict[str, Any]]:
        """Return the allowed actions of the event; one may apply with the key of its link."""
        slug, key = call.address["slug"], _key_of(call)
        tournament = find_by_key(slug, key) or tournament_seen_by(call, slug)
        return allowed_event_actions(call, tournament, has_link=bool(key))

    def prepare(self, call: Call, found: None) -> tuple[Tournament, Account | None]:
        """Return the tournament, and the account unless the caller has none."""
        slug, key = call.address["slug"], _key_of(call)
        tournament = find_by_key(slug, key)
        if tournament is None:
            tournament = tournament_seen_by(call, slug)
            if key:
                detail = Text("the link is wrong, or was revoked or replaced")
                raise Unprocessable("invalid_link", detail, at="/link")
        elif not isinstance(call.user, Account):
            return tournament, None
        return tournament, require_account(call, self.permission, stream=tournament.stream)

    def perform(self, call: Call, prepared: tuple[Tournament, Account | None]) -> dict[str, Any]:
        tournament, account = prepared
        values = {name: call.body[name] for name in VALUES if call.body.get(name)}
        applicant: Player | PlayerDetails | None = _read_details(call.body)
        if applicant is None and account is not None:
            applicant = Player.objects.filter(account=account).first()
        if applicant is None:
            raise Unprocessable("name_needed", Text("send the name of the player"), at="/name")
        entry = apply(tournament, applicant, by=account, **values)
        return {"entry": entry.pk, "state": entry.state}


def _key_of(call: Call) -> str:
    """Return the key of the link for applications, empty if the caller has none."""
    return str(call.body["link"]) if call.body and "link" in call.body else ""


def _read_details(content: dict[str, Any]) -> PlayerDetails | None:
    """Return the details of the person who applies; None if there is no name."""
    if "name" not in content:
        return None
    names = {column.name for column in fields(PlayerDetails)}
    values = {name: content[name] for name in content if name in names}
    return PlayerDetails(**values)


class CreateApplicationLink(ActionInEvent):
    """Create the link; an earlier one does not work any more."""

    name = "create_application_link"
    permission = "tournament.links"
    response = ApplicationLinkSerializer
    status = 201
    made = ("key", "address")
    done = gettext_noop("The link for applications is made.")

    def perform(self, call: Call, tournament: Tournament) -> dict[str, Any]:
        return link_as_json(tournament, create_application_key(tournament, by=call.account))


class RevokeApplicationLink(ActionInEvent):
    """Revoke the link."""

    name = "revoke_application_link"
    permission = "tournament.links"
    status = 204
    problems = (409,)
    done = gettext_noop("The link for applications is revoked.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        delete_application_key(tournament, by=call.account)


class EntryApplication(ApiView):
    post = endpoint(Apply)


class ApplicationLink(ApiView):
    permission = "tournament.links"
    post = endpoint(CreateApplicationLink)
    delete = endpoint(RevokeApplicationLink)

    @extend_schema(operation_id="application_link", responses=ApplicationLinkSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the link with which people without a login apply."""
        tournament = require_tournament(request, slug, self.permission)
        return Response(link_as_json(tournament, tournament.application_key))


def link_as_json(tournament: Tournament, key: str) -> dict[str, Any]:
    """Return the key and the address of the page of the link, if there is one."""
    page = f"{settings.PUBLIC_URL}/e/{tournament.slug}/apply"
    return {"key": key, "address": f"{page}#{key}" if key else page}


FIELDS: Final = ("name", "country", "club", *VALUES, "fide", "seed_rating")
"""The fields of the form, in their order."""


class ApplyPage(PageView):
    template = "tournament/entries/apply.html"
    actions = {"apply": Form(Apply, link="link")}

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the form, with the event if the reader may see it."""
        user = request.user
        player = None
        if isinstance(user, Account):
            player = Player.objects.filter(account=user).first()
        names = (
            *(VALUES if player else FIELDS),
            *(() if isinstance(user, Account) else ("link",)),
        )
        fields = form_fields(ApplicationSerializer(), names, state=self.form)
        context = {"slug": slug, "own_player": player, "fields": fields.values(), "is_open": True}
        try:
            tournament = tournament_seen_by(request, slug)
        except NotFound:
            return context
        is_open = tournament.state == Tournament.State.REGISTRATION
        return event_frame(request, tournament) | context | {"is_open": is_open}
