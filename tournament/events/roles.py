"""The officials of an event: their roles, the invitations that offer them, and the page of both."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.actions import Call
from games.core.errors import Forbidden, require_found
from games.core.forms import Form, form_fields
from games.core.permissions import current_account, find_refusals
from games.core.references import page_url
from games.core.roles.queries import invitations_of
from games.core.roles.serializers import RoleRequestSerializer, SecondFactorSerializer
from games.core.roles.services import (
    offer_role,
    remove_role,
    require_second_factor,
    resend_invitation,
    revoke_invitation,
)
from games.core.roles.types import Invitation, held_as_json, invitation_as_json
from games.core.text import sentence
from games.core.views import ValuesListView, endpoint
from games.models import EmailLink, HiddenName, Role
from games.rules.text import Text
from tournament.core.lookup import ActionInEvent, require_tournament
from tournament.core.pages import RunPage
from tournament.models import Tournament


def require_shown(stream: str) -> None:
    """Raise Forbidden for a hidden event, whose name no message says."""
    if HiddenName.objects.filter(about=stream).exists():
        detail = Text(
            "The staff of this site has hidden this event: only its officials see it. Give it "
            "another name, and ask them to show it again."
        )
        raise Forbidden("name_hidden", detail)


class GrantRole(ActionInEvent):
    """Offer a role to an address, by an invitation that its account accepts or declines.

    The response is the same for an address with an account and for one without. An address has one
    open invitation of a tournament: another role replaces the one that it offers, and the message
    is sent again. A hidden tournament offers none (403 `name_hidden`).
    """

    name = "grant_role"
    permission = "tournament.roles"
    body = RoleRequestSerializer
    example = {"email": "scorer@example.org", "role": "scorer"}
    status = 201
    made = ("id", "url")
    location = "tournaments/{slug}/invitations/{id}"
    done = gettext_noop("The person is invited by email, and has the role when they accept it.")

    def perform(self, call: Call, tournament: Tournament) -> Invitation:
        require_shown(tournament.stream)
        link = offer_role(tournament.stream, **call.body, name=tournament.name, by=call.account)
        return invitation_as_json(link)


class RemoveRole(ActionInEvent):
    """Remove a role; the last owner stays (`last_owner`).

    It ends at once, for the tokens of the account, too. With an owner, their open invitations of
    other owners end. Who leaves on their own uses `DELETE me/roles/{role_id}`.
    """

    name = "remove_role"
    permission = "tournament.roles"
    done = gettext_noop("The role is removed.")

    def prepare(self, call: Call, found: Tournament) -> Role:
        number = call.address["role_id"]
        role = Role.objects.filter(stream=found.stream, pk=number).first()
        return require_found(
            role, Text("there is no role %(number)s in %(event)s", number=number, event=found.name)
        )

    def perform(self, call: Call, role: Role) -> None:
        remove_role(role, by=call.account)


class RequireSecondFactor(ActionInEvent):
    """Require a second factor of owners and directors, or not any more.

    The account that requires it has one. Until they have one too, the others are no owners and
    directors of the tournament, and neither are their tokens (`second_factor_needed`).
    """

    name = "require_second_factor"
    permission = "tournament.roles"
    body = SecondFactorSerializer
    example = {"needed": True}
    response = SecondFactorSerializer
    problems = (409,)
    done = gettext_noop("The setting is stored.")

    def perform(self, call: Call, tournament: Tournament) -> dict[str, Any]:
        is_required = call.body["needed"]
        require_second_factor(tournament.stream, is_required=is_required, by=call.account)
        return {"needed": is_required}


class ActionOfInvitation(ActionInEvent):
    """A write to an invitation of an event."""

    permission = "tournament.roles"

    def prepare(self, call: Call, found: Tournament) -> EmailLink:
        number = call.address["invitation_id"]
        links = EmailLink.objects.filter(stream=found.stream, kind=EmailLink.Kind.INVITATION)
        detail = Text(
            "there is no invitation %(number)s in %(event)s", number=number, event=found.name
        )
        return require_found(links.filter(pk=number).first(), detail)


class RevokeInvitation(ActionOfInvitation):
    """Revoke an invitation; its token does not work any more.

    409 `nothing_to_do` for one that is answered or expired; a role that was accepted is removed
    with `DELETE tournaments/{slug}/roles/{role_id}`.
    """

    name = "revoke_invitation"
    problems = (409,)
    done = gettext_noop("The invitation does not work any more.")

    def perform(self, call: Call, link: EmailLink) -> None:
        revoke_invitation(link, by=call.account)


class ResendInvitation(ActionOfInvitation):
    """Send the message of an invitation again; its earlier token does not work any more.

    It names the caller as the sender. An address gets only some messages (409 `resend_limit`).
    """

    done = gettext_noop("The invitation is sent again.")

    def perform(self, call: Call, link: EmailLink) -> Invitation:
        require_shown(link.stream)
        return invitation_as_json(resend_invitation(link, by=call.account))


class RoleList(ValuesListView):
    """The owners, directors and scorers of the tournament, for its owners.

    A role that is offered is in `invitations` until it is accepted. `id` is what `DELETE` takes.
    """

    permission = "tournament.tokens"
    post = endpoint(GrantRole)
    row_as_json = staticmethod(held_as_json)

    def get_queryset(self) -> Any:
        tournament = require_tournament(self.request, self.kwargs["slug"], self.permission)
        return Role.objects.filter(stream=tournament.stream).select_related("account")


class InvitationList(ValuesListView):
    """The open invitations of the tournament, for its owners.

    One gives no role until it is accepted. Those that were answered, revoked, replaced or have
    expired are not listed.
    """

    permission = "tournament.tokens"
    row_as_json = staticmethod(invitation_as_json)

    def get_queryset(self) -> Any:
        tournament = require_tournament(self.request, self.kwargs["slug"], self.permission)
        return invitations_of(tournament.stream)


class RolesPage(RunPage):
    template = "tournament/events/run_roles.html"
    section = "roles"
    actions = {
        "grant": Form(GrantRole),
        "remove": Form(RemoveRole, ("role_id",)),
        "second-factor": Form(RequireSecondFactor, is_typed=True),
        "resend": Form(ResendInvitation, ("invitation_id",)),
        "revoke": Form(RevokeInvitation, ("invitation_id",)),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the roles and invitations; only owners change them."""
        require_tournament(request, tournament.slug, "tournament.links")
        user, token = current_account(request)
        permission = "tournament.roles"
        refusal = find_refusals(user, token, [permission], stream=tournament.stream)[permission]
        held = Role.objects.filter(stream=tournament.stream).select_related("account")
        invitations = list(invitations_of(tournament.stream).order_by("pk"))
        fields = form_fields(
            RoleRequestSerializer(), ["email", "role"], state=self.form, action="grant"
        )
        return {
            "held": held.order_by("role", "account__name"),
            "is_strict": held.filter(second_factor=True).exists(),
            "invitations": invitations,
            "my_address": page_url("my"),
            "is_without_message": any(not link.sends for link in invitations),
            "refusal": sentence(refusal.detail) if refusal else "",
            "fields": fields,
        }
