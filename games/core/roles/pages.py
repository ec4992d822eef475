"""The page that the message of an invitation links to, and that by which messages are refused."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.adapter import INVITED
from games.core.accounts.refusals import change_refusal, digests_of, has_refused, read_refusal
from games.core.accounts.views import unrestricted_account
from games.core.actions import Action, Call
from games.core.errors import require_found
from games.core.forms import Form
from games.core.pages import PageView, just_done
from games.core.permissions import Caller, current_account
from games.core.roles.queries import find_invitation
from games.core.roles.views import AcceptByLink, DeclineByLink
from games.models import Account
from games.rules.text import Text


class InvitationPage(PageView):
    template = "games/core/invitation.html"
    actions = {"accept": Form(AcceptByLink), "decline": Form(DeclineByLink)}

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, which says so if the invitation cannot be answered any more."""
        context = self.context(request, **address)
        if context["link"] and not context["account"]:
            request.session[INVITED] = address["token"]  # it may sign up where only invited ones do
        status = 200 if context["link"] or just_done(request) else 404
        return self.page(context, status=status)

    def context(self, request: Request, token: str = "", **address: Any) -> dict[str, Any]:
        user, _ = current_account(request)
        link = find_invitation(token)
        is_own = isinstance(user, Account) and link is not None and link.email == user.email
        query = urlencode({"next": request.path})
        account = user if isinstance(user, Account) else None
        return {"link": link, "account": account, "is_own": is_own, "login_query": query}

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the page of the person's games and events, where the new role is."""
        if name == "accept":
            return "/my?done=accept-invitation"
        return super().next_address(request, name, content, **address)


class ChangeMail(Action):
    """Refuse the messages that others send to an address, or want them again.

    The address is that of the token in the message, or of the account.
    """

    is_refusal = True

    def find(self, call: Call) -> list[str]:
        """Return the digests of the address; raise NotFound or LoginNeeded."""
        return digests_for(call, call.address.get("token", ""))

    def perform(self, call: Call, digests: list[str]) -> None:
        change_refusal(digests, is_refused=self.is_refusal)


class RefuseMail(ChangeMail):
    done = gettext_noop("This site sends no such messages to the address any more.")


class WantMail(ChangeMail):
    is_refusal = False
    done = gettext_noop("This site sends such messages to the address again.")


def digests_for(caller: Caller, token: str) -> list[str]:
    """Return the digests of the address of a token, else of the account."""
    if token:
        detail = Text("this address is not whole; copy it from the message once more")
        return [require_found(read_refusal(token) or None, detail)]
    return digests_of(unrestricted_account(caller).email or "")


def no_members(_form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Ignore what a mail program sends beside the address."""
    return {}


ONE_CLICK: Final = "List-Unsubscribe"
"""The field that a mail program sends by itself (RFC 8058)."""


class OneClickPage(PageView):
    """A page at the end of a mail, without a login; a mail program posts to it by itself.

    `one_click` names the action that such a request, which follows no redirect, carries out.
    """

    one_click: str

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view without a CSRF token: its address is the secret, and it uses no login."""
        view = super().as_view(**initkwargs)
        view.csrf_exempt = True
        return view

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of the form, or of a mail program."""
        if ONE_CLICK not in request.POST:
            return super().post(request, **address)
        self.perform(request, self.actions[self.one_click], address, dry_run=False)
        return self.page(self.context(request, **address))


class MailPage(PageView):
    """The choice of an account whether it gets the messages that others send."""

    template = "games/core/mail.html"
    actions = {"refuse": Form(RefuseMail, body=no_members), "want": Form(WantMail)}

    def context(self, request: Request, token: str = "", **address: Any) -> dict[str, Any]:
        """Return whether the address refuses them; the page of a token does not say whose it is."""
        is_refused = has_refused(digests_for(request, token))
        return {"is_refused": is_refused, "is_own": not token}


class RefusalPage(OneClickPage, MailPage):
    """The same by the link at the end of a message, without a login."""

    one_click = "refuse"
