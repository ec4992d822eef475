"""The tokens that are valid for one event only: the list, a new one, one of a player."""

from collections.abc import Mapping
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.views import TokenList, TokenPages
from games.core.page_actions import PageAction
from games.models import Token
from games.pages.token_form import token_form
from games.serializers.tokens import TokenRequestSerializer
from tournament.core.lookup import require_tournament
from tournament.core.pages import RunPage
from tournament.models import Entry, Round, Tournament
from tournament.views.tokens import EntryToken, EventTokenView

TOKEN_SCOPES: Final = ("tournament:read", "tournament:write", "result:write", "record:write")
"""The scopes that are of use in one event."""


def token_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a token that is valid for the event of the page only."""
    return {**content, "tournament": address["slug"]}


class TokensPage(RunPage):
    """The tokens of an event, oldest first, for its owners."""

    template = "tournament/run/tokens.html"
    section = "roles"
    actions = {
        "create-token": PageAction(
            TokenList, done="", is_shown=True, body=token_body, serializer=TokenRequestSerializer
        ),
        "player-token": PageAction(EntryToken, done="", is_shown=True, parameters=("entry_id",)),
        "revoke-token": PageAction(
            EventTokenView,
            done=gettext_noop("The token is revoked."),
            method="delete",
            words=("token_id",),
        ),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Create or revoke a token as an owner; browsers do not store the page with a secret."""
        require_tournament(request, address["slug"], "tournament.tokens")
        response = super().post(request, **address)
        response.headers["Cache-Control"] = "no-store"
        return response

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the tokens, the form of a new one, and the players of the event."""
        require_tournament(request, tournament.slug, "tournament.tokens")
        rows = Token.objects.filter(stream=tournament.stream).select_related("user__player")
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        return {
            **TokenPages().context("tokens", rows, request),
            "entries": accepted.select_related("player__merged_into").order_by("player__name"),
            **token_form(self.form, ("name", "expires_at"), TOKEN_SCOPES),
        }
