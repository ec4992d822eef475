"""The roles of the account of the request, and the invitations to it."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view

from games.core.accounts.views import logged_in_account, unrestricted_account
from games.core.actions import Action, Call
from games.core.errors import Forbidden, require_found
from games.core.permissions import require_account
from games.core.roles import services
from games.core.roles.queries import find_invitation, invitations_to
from games.core.roles.types import (
    AcceptedRole,
    OwnInvitation,
    accepted_as_json,
    invitations_as_json,
)
from games.core.types import described
from games.core.views import ValuesListView
from games.models import EmailLink, Role
from games.rules.text import Text


class AnswerInvitation(Action):
    """An answer to an invitation to the address of the account."""

    permission = "roles.answer"

    def find(self, call: Call) -> EmailLink:
        """Return the invitation; raise LoginNeeded, or NotFound if it is not to the account."""
        number = call.address["invitation_id"]
        link = invitations_to(logged_in_account(call)).filter(pk=number).first()
        return require_found(link, Text("you have no open invitation %(number)s", number=number))

    def check(self, call: Call, found: EmailLink) -> None:
        require_account(call, self.permission, stream=found.stream)


class AcceptInvitation(AnswerInvitation):
    """Accept an invitation: the account has the role from now on.

    Only the account with the invited address finds it (404 for others). A role that the account has
    already stays, and the invitation is used.
    """

    status = 201
    made = ("id", "url")
    location = "me/roles/{id}"
    done = gettext_noop("You have the role now.")

    def perform(self, call: Call, link: EmailLink) -> AcceptedRole:
        return accepted_as_json(services.accept_invitation(link, by=call.account))


class DeclineInvitation(AnswerInvitation):
    """Decline an invitation, which cannot be accepted any more then.

    Only the account with the invited address finds it (404 for others). An owner can invite the
    address again.
    """

    done = gettext_noop("The invitation is declined.")

    def perform(self, call: Call, link: EmailLink) -> None:
        services.decline_invitation(link, by=call.account)


def require_invitation(token: str) -> EmailLink:
    """Return the open invitation of the token in a message; raise NotFound."""
    detail = Text("the invitation is answered, revoked, replaced by a later message, or expired")
    return require_found(find_invitation(token), detail)


class AcceptByLink(AcceptInvitation):
    """Accept an invitation on the page that its message links to."""

    def find(self, call: Call) -> EmailLink:
        """Return the invitation; raise NotFound, LoginNeeded, or Forbidden for another account."""
        link = require_invitation(call.address["token"])
        if link.email != logged_in_account(call).email:
            detail = Text(
                "the invitation is for another address; log in with the account of that address"
            )
            raise Forbidden("other_address", detail)
        return link


class DeclineByLink(DeclineInvitation):
    """Decline an invitation on the page that its message links to; the link shows who does it."""

    permission = ""

    def find(self, call: Call) -> EmailLink:
        return require_invitation(call.address["token"])

    def check(self, call: Call, found: EmailLink) -> None:
        """Ask for no login: an address without an account can decline too."""

    def perform(self, call: Call, link: EmailLink) -> None:
        services.decline_invitation(link, by=None)


class DropRole(Action):
    """Give up a role of the account, in a tournament or a pool.

    The last owner of a tournament (`last_owner`) and the last rating officer of a pool
    (`last_officer`) stay.
    """

    name = "drop_role"
    permission = "roles.answer"
    done = gettext_noop("You do not have the role any more.")

    def find(self, call: Call) -> Role:
        """Return the role; raise LoginNeeded, or NotFound if it is not the account's."""
        number = call.address["role_id"]
        role = logged_in_account(call).roles.filter(pk=number).first()
        return require_found(role, Text("you have no role %(number)s", number=number))

    def check(self, call: Call, found: Role) -> None:
        require_account(call, self.permission, stream=found.stream)

    def perform(self, call: Call, role: Role) -> None:
        services.remove_role(role, by=call.account)


@extend_schema_view(get=extend_schema(operation_id="list_own_invitations"))
class OwnInvitationList(ValuesListView):
    """The open invitations to the address of the account, oldest first.

    An invitation is open until it is answered, revoked, replaced or expired. A token for one
    tournament cannot list them (403).
    """

    serializer_class = described(OwnInvitation)
    is_public = False
    permission = "roles.see"

    def get_queryset(self) -> Any:
        return invitations_to(unrestricted_account(self.request, self.permission))

    def rows_as_json(self, rows: Sequence[Any]) -> list[OwnInvitation]:
        return invitations_as_json(rows)
