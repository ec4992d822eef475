"""The people of an event: who may do what, and the invitations that are open."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.mail import Kind, open_links
from games.core.accounts.serializers import RoleRequestSerializer
from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.permissions import find_refusals
from games.core.requests import current_account
from games.core.text import translated
from games.models import Role
from tournament.core.lookup import require_tournament
from tournament.core.pages import RunPage
from tournament.models import Round, Tournament
from tournament.views.roles import InvitationView, ResendInvitation, RoleList, RoleView


class RolesPage(RunPage):
    template = "tournament/run/roles.html"
    section = "roles"
    actions = {
        "grant": PageAction(
            RoleList, gettext_noop("The person has the role, or an invitation by email.")
        ),
        "remove": PageAction(
            RoleView, gettext_noop("The role is removed."), method="delete", parameters=("role_id",)
        ),
        "resend": PageAction(
            ResendInvitation,
            gettext_noop("The invitation is sent again."),
            parameters=("invitation_id",),
        ),
        "revoke": PageAction(
            InvitationView,
            gettext_noop("The invitation does not work any more."),
            method="delete",
            parameters=("invitation_id",),
        ),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the roles and invitations; only owners change them."""
        require_tournament(request, tournament.slug, "tournament.links")
        user, token = current_account(request)
        permission = "tournament.roles"
        refusal = find_refusals(user, token, [permission], stream=tournament.stream)[permission]
        held = Role.objects.filter(stream=tournament.stream).select_related("account")
        invitations = open_links(Kind.INVITATION).filter(stream=tournament.stream)
        fields = form_fields(
            RoleRequestSerializer(), ["email", "role"], state=self.form, action="grant"
        )
        return {
            "held": held.order_by("role", "account__name"),
            "invitations": invitations.order_by("pk"),
            "refusal": translated(refusal.detail) if refusal else "",
            "fields": fields,
        }
