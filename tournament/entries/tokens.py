"""The tokens that are valid for one event only: personal ones of players, and others."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request

from games.core.accounts.pages import AccountPage, token_form
from games.core.accounts.tokens import check_token, issue_personal_token, revoke_event_token
from games.core.accounts.views import CreateToken, TokenList, TokenPages
from games.core.actions import Call
from games.core.errors import NotFound, check_all
from games.core.forms import Form, with_zone
from games.core.types import described
from games.core.views import ValuesListView, endpoint
from games.models import Token
from games.players.serializers import EventToken, event_tokens_as_json
from games.rules.text import Text
from tournament.core.lookup import ActionInEvent, named_tournament, require_tournament
from tournament.core.pages import RunPage
from tournament.core.references import EntryReference, entry_reference
from tournament.entries.lookup import entry_of
from tournament.models import Entry, Tournament


class PersonalToken(EntryReference):
    """A token of a player for one event."""

    scopes: list[str]
    expires_at: datetime | None
    token: Annotated[str, "the secret, shown only once"]


def personal_token_as_json(entry: Entry, token: Token, secret: str) -> PersonalToken:
    """Return a new token of the player of an entry with its secret."""
    return {
        **entry_reference(entry),
        "scopes": token.scopes,
        "expires_at": token.expiry,
        "token": secret,
    }


class IssuePersonalToken(ActionInEvent):
    """Issue a token for reports of the player in this tournament; older tokens are revoked.

    It has no scope that the token of the request lacks, and does not outlive it.
    """

    name = "issue_personal_token"
    permission = "tournament.links"
    status = 201
    made = ("token",)
    is_shown = True

    def perform(self, call: Call, tournament: Tournament) -> PersonalToken:
        entry = entry_of(tournament, call.address["entry_id"])
        issued = issue_personal_token(
            entry.player, tournament.stream, by=call.account, within=call.auth
        )
        return personal_token_as_json(entry, *issued)


class CreateTokenForEvent(CreateToken):
    __doc__ = CreateToken.__doc__

    def prepare(self, call: Call, found: None) -> str:
        slug = call.body["tournament_slug"]
        stream = super().prepare(call, found)
        if slug:
            named = partial(named_tournament, call, slug)
            check_all(named, partial(check_token, call.body, within=call.auth))
        return stream


class Tokens(TokenList):
    __doc__ = TokenList.__doc__
    post = endpoint(CreateTokenForEvent)


class TokensOfAccount(AccountPage):
    actions = {**AccountPage.actions, "create-token": Form(CreateTokenForEvent)}


class RevokeEventToken(ActionInEvent):
    """Revoke a token that is valid for this tournament only.

    It may be that of a player or of an official. Who holds a role can make another one.
    """

    name = "revoke_tournament_token"
    permission = "tournament.revoke"
    done = gettext_noop("The token is revoked.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        token_id = call.address["token_id"]
        if not revoke_event_token(tournament.stream, token_id, by=call.account):
            detail = Text("%(name)s has no token %(number)s", name=tournament.name, number=token_id)
            raise NotFound("not_found", detail)


@extend_schema_view(get=extend_schema(operation_id="list_tournament_tokens"))
class EventTokenList(ValuesListView):
    """The tokens that are valid for this tournament only, oldest first, without their secrets.

    These are the personal ones of its players, and those that accounts created for it.
    """

    serializer_class = described(EventToken)
    pagination_class = TokenPages
    permission = "tournament.tokens"

    def get_queryset(self) -> Any:
        return tokens_of(require_tournament(self.request, self.kwargs["slug"], self.permission))

    def rows_as_json(self, rows: Sequence[Any]) -> list[EventToken]:
        return event_tokens_as_json(rows)


def tokens_of(tournament: Tournament) -> Any:
    """Return the tokens that are valid for an event only."""
    return Token.objects.filter(stream=tournament.stream).select_related("user__player")


SCOPES: Final = (
    "tournament:read", "tournament:write", "entry:write", "result:write", "record:write",
)  # fmt: skip
"""The scopes that are of use in one event."""


def token_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a token that is valid for the event of the page only."""
    slug = address["slug"]
    zone = Tournament.objects.values_list("time_zone", flat=True).get(slug=slug)
    until = with_zone(content.get("expires_at"), zone)
    return {**content, "tournament_slug": slug, "expires_at": until}


class TokensPage(RunPage):
    """The tokens of an event, oldest first, for its owners."""

    template = "tournament/entries/run_tokens.html"
    section = "roles"
    actions = {
        "create-token": Form(CreateToken, body=token_body, is_typed=True),
        "player-token": Form(IssuePersonalToken, ("entry_id",)),
        "revoke-token": Form(RevokeEventToken, words=("token_id",)),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Create or revoke a token as an owner."""
        require_tournament(request, address["slug"], "tournament.tokens")
        return super().post(request, **address)

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a page of the tokens, the form of a new one, and the players of the event."""
        require_tournament(request, tournament.slug, "tournament.tokens")
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        return {
            **TokenPages().context("tokens", tokens_of(tournament), request),
            "entries": accepted.select_related("player__merged_into").order_by(
                "player__folded_name"
            ),
            **token_form(self.form, ("name", "expires_at"), SCOPES, tournament.time_zone),
        }
