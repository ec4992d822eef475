"""Sign up, set a new password, and take the role of an invitation, each by a message.

The secret of a message follows the `#` of its link; a script puts it into the form's field, and
without scripts the reader pastes it. No page states whether an address has an account.
"""

from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.serializers import (
    AcceptanceSerializer,
    EmailSerializer,
    NewPasswordSerializer,
    SignUpSerializer,
)
from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.views import sign_up

SENT: Final = gettext_noop(
    "A message with a link is on its way, if the address is right; read it to go on."
)


class SignUpPage(PageView):
    template = "games/sign_up.html"
    actions = {"sign-up": PageAction(sign_up.SignUp, done=SENT)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, unless the installation has closed the sign-up."""
        fields = form_fields(SignUpSerializer(), ("name", "email"), state=self.form)
        return {"fields": fields, "is_closed": settings.SIGN_UP == "closed"}


class PasswordPage(PageView):
    template = "games/password.html"
    actions = {"password": PageAction(sign_up.RequestPassword, done=SENT)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form."""
        return {"fields": form_fields(EmailSerializer(), ("email",), state=self.form)}


class LinkPage(PageView):
    """A page that a message links to; then the reader logs in."""

    template = "games/link.html"

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the login, which states what was done (login.py)."""
        return f"/login?done={name}&next=/my"


class ConfirmSignUpPage(LinkPage):
    actions = {"sign-up": PageAction(sign_up.ConfirmSignUp, done="", link="token")}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form of the password of the new account."""
        fields = form_fields(NewPasswordSerializer(), ("token", "password"), state=self.form)
        return {"fields": fields, "action": "sign-up"}


class SetPasswordPage(LinkPage):
    actions = {"password": PageAction(sign_up.ResetPassword, done="", link="token")}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form of the new password."""
        fields = form_fields(NewPasswordSerializer(), ("token", "password"), state=self.form)
        return {"fields": fields, "action": "password"}


class InvitationPage(LinkPage):
    actions = {"invitation": PageAction(sign_up.AcceptInvitation, done="", link="token")}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, with what an address without an account needs."""
        names = ("token", "name", "password")
        fields = form_fields(AcceptanceSerializer(), names, state=self.form)
        return {"fields": fields, "action": "invitation"}

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the login, and after it that of the event."""
        slug = content["stream"].removeprefix("tournament/")
        return f"/login?done={name}&next=/e/{slug}/run"
