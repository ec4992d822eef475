"""Log out; the account of the reader and its tokens.

The pages of login, sign-up, passwords, second factors and sessions are allauth's
(games/templates/account).
"""

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.adapter import ASKED, is_own_page
from games.core.accounts.forms import NEW_PASSWORD
from games.core.accounts.queries import are_passkeys_needed, logins_left, name_of
from games.core.accounts.serializers import AccountChangeSerializer, TokenRequestSerializer
from games.core.accounts.services import close_account, end_logins_left, end_sessions, link_identity
from games.core.accounts.views import CreateToken, RenameAccount, RevokeToken, unrestricted_account
from games.core.authentication import close_session
from games.core.errors import NotFound
from games.core.forms import Form, FormState, form_fields
from games.core.pages import PageView, redirect
from games.core.permissions import SCOPES
from games.core.places import zone_name
from games.models import Account
from games.rules.text import Text


class Logout(PageView):
    def get(self, request: Request, **address: Any) -> Response:
        """Return to the home page, since only a form logs out."""
        return redirect("/")

    def post(self, request: Request, **address: Any) -> Response:
        """Log out; the field `next` may name a page of this site."""
        following = request.POST.get("next", "/")
        close_session(request)
        return redirect(following if is_own_page(following) else "/")


def token_form(
    state: FormState, names: Iterable[str], scopes: Iterable[str] = SCOPES, zone: str = ""
) -> dict[str, Any]:
    """Return the controls of these members of a token, and the scopes with their state.

    A time is in the time zone `zone`.
    """
    state = state if state.detail else FormState()
    typed = state.typed.get("scopes[]", ())
    fields = form_fields(TokenRequestSerializer(), names, state=state)
    if "expires_at" in fields:
        values = {"days": settings.TOKEN_LIFETIME.days, "zone": zone_name(zone)}
        help_text = gettext("Time of %(zone)s. Empty: %(days)d days from now.") % values
        fields["expires_at"] = replace(fields["expires_at"], help=help_text)
    return {
        "fields": fields,
        "scopes": [(name, gettext(SCOPES[name]), name in typed) for name in scopes],
    }


END_SESSIONS: Final = "end-sessions"


class AccountPage(PageView):
    template = "games/core/account.html"
    actions = {
        "create-token": Form(CreateToken),
        "revoke-token": Form(RevokeToken, words=("token_id",)),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Create or revoke a token, or log out everywhere."""
        if request.POST.get("action") != END_SESSIONS:
            return super().post(request, **address)
        account = unrestricted_account(request)
        end_sessions(account, by=account)
        return redirect("/login")

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        account = unrestricted_account(request)
        return {
            "player": getattr(account, "player", None),
            "tokens": account.auth_token_set.order_by("created"),
            **token_form(self.form, ("name", "tournament_slug")),
        }


class CloseOwnAccount(PageView):
    """The page on which a person closes their account; the password is asked for before."""

    template = "games/core/close_account.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        days = settings.CLOSED_ACCOUNT_DAYS
        return {"closed": unrestricted_account(request), "days": days}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        account = unrestricted_account(request)
        close_account(account, by=account)
        close_session(request)
        return redirect("/account/closed")


class LinkIdentity(PageView):
    """The question whether an identity at the provider of the single sign-on is to log in here."""

    template = "games/core/link_identity.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return whom the provider has named; raises NotFound if there is nothing to ask."""
        unrestricted_account(request)
        if ASKED not in request.session:
            raise NotFound("not_found", Text("there is no login to link; begin again"))
        identity = SocialAccount(**request.session[ASKED])
        return {"person": name_of(identity), "provider": identity.get_provider().name}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        account = unrestricted_account(request)
        if asked := request.session.pop(ASKED, None):
            link_identity(request, account, SocialAccount(**asked))
        return redirect("/account/logins/")


class PasswordChanged(PageView):
    """What a reset of the password has ended, and what still logs in, with a button to end it."""

    template = "games/core/password_changed.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        account, ended = self.reset(request)
        if account is None:
            return {}
        left = logins_left(account)
        return {
            "ended": ended if any(ended.values()) else {},
            "left": left if any(left.values()) else {},
            "are_passkeys_needed": are_passkeys_needed(account),
        }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        account, _ = self.reset(request)
        if account is None:
            raise NotFound("not_found", Text("this page is too old; set the password again"))
        end_logins_left(account)
        return redirect(request.path)

    def reset(self, request: Request) -> tuple[Account | None, dict[str, list[str]]]:
        """Return the account whose password this browser has set, and what that has ended."""
        reset = request.session.get(NEW_PASSWORD)
        if reset is None or time.time() > reset["at"] + settings.PASSWORD_RESET_TIMEOUT:
            return None, {}
        account = Account.objects.filter(pk=reset["account"], is_active=True).first()
        return account, reset["ended"]


class AccountNamePage(PageView):
    template = "games/core/account_name.html"
    actions = {"rename": Form(RenameAccount)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        values = {"name": unrestricted_account(request).name}
        serializer = AccountChangeSerializer()
        return {"fields": form_fields(serializer, ("name",), values=values, state=self.form)}
