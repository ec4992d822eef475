"""The page on which the site's staff administers an account."""

from collections.abc import Callable
from typing import Any, Final

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games.core.accounts import services
from games.core.accounts.serializers import ChangedAccountSerializer
from games.core.actions import Action, Call
from games.core.errors import require_found
from games.core.forms import Form, form_fields
from games.core.journal.lines import SITE
from games.core.pages import PageView
from games.core.permissions import SITE_STAFF, Caller, require_account, role_missing
from games.models import Account, JournalLine
from games.rules.text import Text

MOST_LINES: Final = 50
KINDS: Final = {
    "account.closed": gettext_noop("closed"),
    "account.reopened": gettext_noop("opened again"),
    "account.changed": gettext_noop("name or address changed"),
    "account.sessions_ended": gettext_noop("logged out everywhere"),
    "account.tokens_revoked": gettext_noop("tokens revoked"),
    "account.factor_removed": gettext_noop("second factor removed"),
    "account.staff_appointed": gettext_noop("appointed as staff"),
    "account.staff_dismissed": gettext_noop("no longer staff"),
    "account.exported": gettext_noop("data exported"),
    "account.erased": gettext_noop("name and address erased"),
    "app.registered": gettext_noop("app registered"),
    "app.changed": gettext_noop("app changed"),
    "app.secret_renewed": gettext_noop("app: new secret"),
    "app.deleted": gettext_noop("app deleted"),
    "app.disabled": gettext_noop("app disabled"),
    "app.enabled": gettext_noop("app enabled"),
    "app.allowed": gettext_noop("an app was allowed to act for the account"),
    "app.revoked": gettext_noop("access of an app revoked"),
}
"""What the lines of the site's journal say about accounts."""


def require_staff(caller: Caller) -> None:
    """Require staff who has logged in on a page: no token administers accounts."""
    require_account(caller, AdministerAccount.permission)
    if caller.auth is not None:
        raise role_missing(SITE_STAFF)


class AdministerAccount(Action):
    """A change of an account by the site's staff, on a page only; `change` is the service."""

    permission = "accounts.administer"
    change: Callable[..., None]

    def check(self, call: Call, found: Any) -> None:
        require_staff(call)

    def prepare(self, call: Call, found: Any) -> Any:
        return find_account(call.address["account_id"])

    def perform(self, call: Call, prepared: Any) -> None:
        self.change(prepared, by=call.account, **(call.body or {}))


class CloseAccount(AdministerAccount):
    change = staticmethod(services.close_account)
    done = gettext_noop("The account is closed.")


class ReopenAccount(AdministerAccount):
    change = staticmethod(services.reopen_account)
    done = gettext_noop("The account is open again.")


class EraseAccount(AdministerAccount):
    change = staticmethod(services.erase_account)
    done = gettext_noop("Name and address of the account are erased.")


class ChangeAccount(AdministerAccount):
    change = staticmethod(services.change_account)
    body = ChangedAccountSerializer
    done = gettext_noop("The account is changed.")


class EndSessions(AdministerAccount):
    change = staticmethod(services.end_sessions)
    done = gettext_noop("The account is logged out everywhere.")


class RevokeTokens(AdministerAccount):
    change = staticmethod(services.revoke_tokens)
    done = gettext_noop("The tokens of the account are revoked.")


class RemoveSecondFactor(AdministerAccount):
    change = staticmethod(services.remove_second_factor)
    done = gettext_noop("The second factor is removed.")


class AppointStaff(AdministerAccount):
    change = staticmethod(services.appoint_staff)
    done = gettext_noop("The account belongs to the site's staff now.")


class DismissStaff(AdministerAccount):
    change = staticmethod(services.dismiss_staff)
    done = gettext_noop("The account does not belong to the site's staff any more.")


def find_account(number: int) -> Account:
    """Return an account by its number; raises NotFound."""
    account = Account.objects.filter(pk=number).first()
    return require_found(account, Text("there is no account %(number)s", number=number))


class StaffAccountPage(PageView):
    template = "games/core/staff_account.html"
    actions = {
        "close": Form(CloseAccount),
        "reopen": Form(ReopenAccount),
        "erase": Form(EraseAccount),
        "change": Form(ChangeAccount),
        "end-sessions": Form(EndSessions),
        "revoke-tokens": Form(RevokeTokens),
        "remove-factor": Form(RemoveSecondFactor),
        "appoint": Form(AppointStaff),
        "dismiss": Form(DismissStaff),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        require_staff(request)
        found = find_account(address["account_id"])
        values = {"name": found.name, "email": found.email}
        serializer = ChangedAccountSerializer()
        fields = form_fields(
            serializer, ("name", "email"), values=values, state=self.form, action="change"
        )
        lines = JournalLine.objects.filter(
            stream=SITE, kind__in=KINDS, payload__body__account=found.pk
        )
        return {
            "found": found,
            "is_self": found.pk == request.user.pk,
            "fields": fields,
            "factors": Authenticator.objects.filter(user=found),
            "sessions": UserSession.objects.filter(user=found).order_by("-created_at"),
            "tokens": found.auth_token_set.order_by("created"),
            "roles": found.roles.order_by("stream", "role"),
            "lines": [
                (line.at, gettext(KINDS[line.kind]), line.actor)
                for line in lines.order_by("-sequence")[:MOST_LINES]
            ],
        }
