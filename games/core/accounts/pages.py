"""Log in and out, sign up, set a password; the account of the reader and its tokens.

The secret of a message follows the `#` of its link; a script puts it into the form's field, and
without scripts the reader pastes it. No page states whether an address has an account.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.serializers import (
    AccountChangeSerializer,
    EmailSerializer,
    SignUpSerializer,
    TokenRequestSerializer,
)
from games.core.accounts.views import (
    ConfirmSignUp,
    CreateToken,
    RenameAccount,
    RequestPassword,
    ResetPassword,
    RevokeToken,
    SignUp,
    unrestricted_account,
)
from games.core.authentication import close_all_sessions, close_session, open_login
from games.core.forms import Form, FormState, form_fields
from games.core.pages import PageView, redirect
from games.core.permissions import SCOPES

LOGIN_NOTICES: Final = {
    "sign-up": gettext_noop("Your account exists now. Log in with your password."),
    "password": gettext_noop("The new password is set. Log in with it."),
    "end-sessions": gettext_noop("You are logged out on all devices."),
}
"""What a reader has done by the link of a message."""


class LoginPage(PageView):
    template = "games/core/login.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the address to return to, and what was done before."""
        done = LOGIN_NOTICES.get(request.query_params.get("done", ""))
        return {"next": next_of(request), "done": gettext(done) if done else ""}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Log in, and return to the page that needed it."""
        form = request.POST
        email, password = form.get("email", ""), form.get("password", "")
        if "\0" not in email + password and open_login(request, email, password):
            return redirect(next_of(request))
        detail = gettext("The email address or the password is wrong.")
        self.form = FormState("login", {"email": email}, detail, "wrong_login")
        return self.page(self.context(request), status=422)


class Logout(PageView):
    def get(self, request: Request, **address: Any) -> Response:
        """Return to the home page, since only a form logs out."""
        return redirect("/")

    def post(self, request: Request, **address: Any) -> Response:
        """Log out."""
        close_session(request)
        return redirect("/")


def next_of(request: Request) -> str:
    """Return the address on this site to go to after the login."""
    form, query = request.POST, request.query_params
    address = form.get("next") or query.get("next") or "/"
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else "/"


class SignUpPage(PageView):
    template = "games/core/sign_up.html"
    actions = {"sign-up": Form(SignUp)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, unless the installation has closed the sign-up."""
        fields = form_fields(SignUpSerializer(), ("name", "email"), state=self.form)
        return {"fields": fields, "is_closed": settings.SIGN_UP == "closed"}


class PasswordPage(PageView):
    template = "games/core/password.html"
    actions = {"password": Form(RequestPassword)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form."""
        return {"fields": form_fields(EmailSerializer(), ("email",), state=self.form)}


class LinkPage(PageView):
    """A page that a message links to, with the fields `names`; then the reader logs in."""

    template = "games/core/link.html"
    names: tuple[str, ...] = ("token", "password")

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form of the only action."""
        ((action, form),) = self.actions.items()
        assert form.action.body is not None
        return {
            "fields": form_fields(form.action.body(), self.names, state=self.form),
            "action": action,
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the login, which states what was done."""
        return f"/login?done={name}&next=/my"


class ConfirmSignUpPage(LinkPage):
    actions = {"sign-up": Form(ConfirmSignUp, link="token")}


class SetPasswordPage(LinkPage):
    actions = {"password": Form(ResetPassword, link="token")}


def token_form(
    state: FormState, names: Iterable[str], scopes: Iterable[str] = SCOPES
) -> dict[str, Any]:
    """Return the controls of these members of a token, and the scopes with their state."""
    state = state if state.detail else FormState()
    typed = state.typed.get("scopes[]", ())
    fields = form_fields(TokenRequestSerializer(), names, state=state)
    if "expires_at" in fields:
        days = {"days": settings.TOKEN_LIFETIME.days}
        help_text = gettext("Empty: %(days)d days from now.") % days
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
        close_all_sessions(unrestricted_account(request))
        return redirect(f"/login?done={END_SESSIONS}")

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the account with its tokens, and the form of a new one."""
        account = unrestricted_account(request)
        return {
            "player": getattr(account, "player", None),
            "tokens": account.auth_token_set.order_by("created"),
            **token_form(self.form, ("name", "tournament")),
        }


class AccountNamePage(PageView):
    template = "games/core/account_name.html"
    actions = {"rename": Form(RenameAccount)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, with the name."""
        values = {"name": unrestricted_account(request).name}
        serializer = AccountChangeSerializer()
        return {"fields": form_fields(serializer, ("name",), values=values, state=self.form)}
