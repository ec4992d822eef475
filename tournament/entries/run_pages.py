"""The tokens that are valid for one event only: the list, a new one, one of a player.

Personal links of the players, with cards to print, and the link for applications.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.pages import token_form
from games.core.accounts.views import CreateToken, TokenPages
from games.core.page_actions import Form, PageAction
from games.models import Token
from tournament.core.lookup import require_tournament
from tournament.core.pages import RunPage
from tournament.entries.applications import ApplicationLink, link_as_json
from tournament.entries.links import LinkList, LinkView, token_of
from tournament.entries.queries import page_address, working_links
from tournament.entries.views import EntryToken, EventTokenView
from tournament.models import Entry, Round, Tournament


class LinksPage(RunPage):
    template = "tournament/entries/run_links.html"
    section = "links"
    actions = {
        "create": PageAction(LinkList, gettext_noop("Every player has a personal link now.")),
        "replace": PageAction(LinkList, gettext_noop("The earlier link does not work any more.")),
        "revoke": PageAction(
            LinkView,
            gettext_noop("The link is revoked."),
            method="delete",
            parameters=("entry_id",),
        ),
        "open-application": PageAction(
            ApplicationLink, gettext_noop("The link for applications is made.")
        ),
        "close-application": PageAction(
            ApplicationLink, gettext_noop("The link for applications is revoked."), method="delete"
        ),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the links that work, and how many players have none."""
        require_tournament(request, tournament.slug, "tournament.links")
        links = list(working_links(tournament))
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
        return {
            "links": [
                {
                    "entry": link.entry,
                    "name": link.entry.player.current.name,
                    "address": page_address(tournament, token_of(link)),
                }
                for link in links
            ],
            "without": accepted - len(links),
            "application": link_as_json(tournament, tournament.application_key),
        }


TOKEN_SCOPES: Final = ("tournament:read", "tournament:write", "result:write", "record:write")
"""The scopes that are of use in one event."""


def token_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a token that is valid for the event of the page only."""
    return {**content, "tournament": address["slug"]}


class TokensPage(RunPage):
    """The tokens of an event, oldest first, for its owners."""

    template = "tournament/entries/run_tokens.html"
    section = "roles"
    actions = {
        "create-token": Form(CreateToken, body=token_body, is_typed=True),
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
