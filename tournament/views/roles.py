"""The people of an event: roles, and invitations to them; for its owners."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.mail import Kind, open_links
from games.core.accounts.serializers import (
    HeldRoleSerializer,
    InvitationSerializer,
    NewRoleSerializer,
    RoleRequestSerializer,
)
from games.core.accounts.services import (
    grant_or_invite,
    remove_role,
    resend_invitation,
    revoke_invitation,
)
from games.core.errors import NotFound
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.models import EmailLink, Role
from games.rules.text import Text
from tournament.core.lookup import require_tournament
from tournament.models import Tournament


@extend_schema_view(get=extend_schema(operation_id="roles"))
class RoleList(ValuesListView):
    """The owners, directors and scorers of the event."""

    queryset = Role.objects.none()
    serializer_class = HeldRoleSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        held = Role.objects.filter(stream=tournament.stream).select_related("account")
        return self.page_response(self.filter_queryset(held))

    @extend_schema(
        operation_id="grant_role",
        request=RoleRequestSerializer,
        responses={201: NewRoleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Grant a role to the account of an address; invite an address without an account."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        content = validated_body(RoleRequestSerializer, request)
        with maybe_dry_run(request):
            granted = grant_or_invite(
                tournament.stream, **content, name=tournament.name, by=account
            )
        is_role = isinstance(granted, Role)
        body = {"role": granted if is_role else None, "invitation": None if is_role else granted}
        return Response(NewRoleSerializer(body).data, status=201)


class RoleView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="remove_role", responses={204: None})
    def delete(self, request: Request, slug: str, role_id: int) -> Response:
        """Remove a role; the last owner stays (`last_owner`)."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        role = Role.objects.filter(stream=tournament.stream, pk=role_id).first()
        if role is None:
            raise NotFound(
                "not_found",
                Text(
                    "there is no role %(number)s in %(event)s",
                    number=role_id,
                    event=tournament.name,
                ),
            )
        with maybe_dry_run(request):
            remove_role(role, by=account)
        return Response(status=204)


@extend_schema_view(get=extend_schema(operation_id="invitations"))
class InvitationList(ValuesListView):
    """The open invitations of the event."""

    queryset = EmailLink.objects.none()
    serializer_class = InvitationSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        links = open_links(Kind.INVITATION).filter(stream=tournament.stream)
        return self.page_response(self.filter_queryset(links))


class InvitationView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="revoke_invitation", responses={204: None})
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Revoke an invitation; its token does not work any more."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        link = _invitation_of(tournament, invitation_id)
        with maybe_dry_run(request):
            revoke_invitation(link, by=account)
        return Response(status=204)


class ResendInvitation(ApiView):
    @extend_schema(operation_id="resend_invitation", request=None, responses=InvitationSerializer)
    def post(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Send the message of an invitation again; its earlier token does not work any more."""
        require_no_members(request.data)
        tournament, account = require_tournament(request, slug, "tournament.roles")
        link = _invitation_of(tournament, invitation_id)
        with maybe_dry_run(request):
            link = resend_invitation(link, by=account)
        return Response(InvitationSerializer(link).data)


def _invitation_of(tournament: Tournament, invitation_id: int) -> EmailLink:
    """Return an invitation of the event; raise NotFound."""
    links = EmailLink.objects.filter(stream=tournament.stream, kind=Kind.INVITATION)
    link = links.filter(pk=invitation_id).first()
    if link is None:
        detail = Text(
            "there is no invitation %(number)s in %(event)s",
            number=invitation_id,
            event=tournament.name,
        )
        raise NotFound("not_found", detail)
    return link
