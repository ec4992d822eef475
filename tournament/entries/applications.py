"""Applications for a place in an event, and the link with which people without a login apply."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable
from games.core.requests import current_account, maybe_dry_run, require_account, validated_body
from games.core.views import ApiView
from games.http.members import require_no_members
from games.models import Account, Player
from games.players.matching import PlayerDetails
from games.rules.text import Text
from tournament.core.actions import APPLY
from tournament.core.lookup import (
    list_event_actions,
    require_in_event,
    require_tournament,
    tournament_seen_by,
)
from tournament.models import Tournament
from tournament.serializers.applications import (
    ApplicationLinkSerializer,
    ApplicationSerializer,
    AppliedSerializer,
)
from tournament.services import applications
from tournament.services.entry_payloads import PRIVATE_VALUES

ENTRY_ONLY = ("category",)
"""The values of a person that only their entry has, and not the player."""


class Apply(ApiView):
    @extend_schema(
        operation_id="apply", request=ApplicationSerializer, responses={201: AppliedSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Apply for a place while the registration is open; the organiser accepts or refuses.

        Without a name, an account applies for its own player. A person without a login needs the
        key of the event's link.
        """
        content = validated_body(ApplicationSerializer, request)
        tournament, account = _require_applicant(request, slug, content.pop("link", ""))
        personal = {name: content[name] for name in PRIVATE_VALUES if content.get(name)}
        applicant: Player | PlayerDetails | None = _read_details(content)
        if applicant is None and account is not None:
            applicant = Player.objects.filter(account=account).first()
        if applicant is None:
            raise Unprocessable("name_needed", Text("send the name of the player"), at="/name")
        with maybe_dry_run(request):
            entry = applications.apply(tournament, applicant, by=account, **personal)
        return Response({"entry": entry.pk, "state": entry.state}, status=201)


def _read_details(content: dict[str, Any]) -> PlayerDetails | None:
    """Return the details of the person who applies; None if there is no name."""
    if "name" not in content:
        return None
    values = {name: content[name] for name in content if name not in ENTRY_ONLY}
    return PlayerDetails(**values | {"country": content.get("country", "").upper()})


def _require_applicant(request: Request, slug: str, key: str) -> tuple[Tournament, Account | None]:
    """Return the tournament, and the account unless the caller has none; raise 401, 403, 404, 422.

    The key of the link also opens an event that is not public.
    """
    user, _ = current_account(request)
    tournament = applications.find_by_key(slug, key) if key else None
    if tournament is None:
        if key and tournament_seen_by(request, slug):
            detail = Text("the link is wrong, or was revoked or replaced")
            raise Unprocessable("invalid_link", detail, at="/link")
        return require_in_event(request, slug, "apply")
    list_event_actions(request, tournament, has_link=True)
    if not isinstance(user, Account):
        return tournament, None
    return tournament, require_account(request, APPLY, stream=tournament.stream)


class ApplicationLink(ApiView):
    problems = {"DELETE": (409,)}
    is_public = False

    @extend_schema(operation_id="application_link", responses=ApplicationLinkSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the link with which people without a login apply."""
        tournament, _ = require_tournament(request, slug, "tournament.links")
        return Response(link_as_json(tournament, tournament.application_key))

    @extend_schema(
        operation_id="create_application_link",
        request=None,
        responses={201: ApplicationLinkSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create the link; an earlier one does not work any more."""
        require_no_members(request.data)
        tournament, account = require_tournament(request, slug, "tournament.links")
        with maybe_dry_run(request):
            key = applications.create_application_key(tournament, by=account)
        return Response(link_as_json(tournament, key), status=201)

    @extend_schema(operation_id="revoke_application_link", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Revoke the link."""
        tournament, account = require_tournament(request, slug, "tournament.links")
        with maybe_dry_run(request):
            applications.delete_application_key(tournament, by=account)
        return Response(status=204)


def link_as_json(tournament: Tournament, key: str) -> dict[str, Any]:
    """Return the key and the address of the page of the link, if there is one."""
    page = f"{settings.PUBLIC_URL}/e/{tournament.slug}/apply"
    return {"key": key, "address": f"{page}#{key}" if key else page}
