"""The account of the reader: its tokens, its sessions, and its player."""

from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.serializers import AccountChangeSerializer
from games.core.accounts.views import Me, TokenList, TokenView, unrestricted_account
from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView, redirect
from games.pages.session import close_all_sessions
from games.pages.token_form import token_form
from games.serializers.tokens import TokenRequestSerializer

END_SESSIONS: Final = "end-sessions"


class AccountPage(PageView):
    template = "games/account.html"
    actions = {
        "create-token": PageAction(
            TokenList, done="", is_shown=True, serializer=TokenRequestSerializer
        ),
        "revoke-token": PageAction(
            TokenView,
            done=gettext_noop("The token is revoked."),
            method="delete",
            words=("token_id",),
        ),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Create or revoke a token, or log out everywhere."""
        if request._request.POST.get("action") != END_SESSIONS:
            response = super().post(request, **address)
            response.headers["Cache-Control"] = "no-store"  # it may contain the secret of a token
            return response
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
    template = "games/account_name.html"
    actions = {"rename": PageAction(Me, done=gettext_noop("The name is changed."), method="patch")}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, with the name."""
        values = {"name": unrestricted_account(request).name}
        serializer = AccountChangeSerializer()
        return {"fields": form_fields(serializer, ("name",), values=values, state=self.form)}
