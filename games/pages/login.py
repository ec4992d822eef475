"""Log in and out."""

from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.forms import FormState
from games.core.pages import PageView, redirect
from games.pages.session import close_session, open_login

LOGIN_NOTICES: Final = {
    "sign-up": gettext_noop("Your account exists now. Log in with your password."),
    "password": gettext_noop("The new password is set. Log in with it."),
    "invitation": gettext_noop("You have the role now. Log in to go on."),
    "end-sessions": gettext_noop("You are logged out on all devices."),
}
"""What a reader has done by the link of a message (sign_up.py)."""


class LoginPage(PageView):
    template = "games/login.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the address to return to, and what was done before."""
        done = LOGIN_NOTICES.get(request.query_params.get("done", ""))
        return {"next": next_of(request), "done": gettext(done) if done else ""}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Log in, and return to the page that needed it."""
        form = request._request.POST
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
    form, query = request._request.POST, request.query_params
    address = form.get("next") or query.get("next") or "/"
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else "/"
