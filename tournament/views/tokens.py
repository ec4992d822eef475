"""The tokens that are valid for one event only: personal ones of players, and others."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.tokens import issue_personal_token, revoke_event_token
from games.core.accounts.views import TokenPages
from games.core.errors import NotFound
from games.core.requests import current_account, maybe_dry_run
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.models import Token
from games.players.serializers import EventTokenSerializer
from games.rules.text import Text
from tournament.core.lookup import entry_of, require_tournament
from tournament.entries.serializers import PersonalTokenSerializer


@extend_schema_view(get=extend_schema(operation_id="event_tokens"))
class EventTokenList(ValuesListView):
    """The tokens that are valid for this event only, oldest first, without their secrets.

    These are the personal ones of its players, and those that accounts created for it.
    """

    queryset = Token.objects.none()
    serializer_class = EventTokenSerializer
    pagination_class = TokenPages
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        rows = Token.objects.filter(stream=tournament.stream).select_related("user__player")
        return self.page_response(self.filter_queryset(rows))


class EventTokenView(ApiView):
    @extend_schema(operation_id="revoke_event_token", responses={204: None})
    def delete(self, request: Request, slug: str, token_id: str) -> Response:
        """Revoke a token that is valid for this event only."""
        tournament, account = require_tournament(request, slug, "tournament.revoke")
        with maybe_dry_run(request):
            if not revoke_event_token(tournament.stream, token_id, by=account):
                detail = Text(
                    "%(name)s has no token %(number)s", name=tournament.name, number=token_id
                )
                raise NotFound("not_found", detail)
        return Response(status=204)


class EntryToken(ApiView):
    @extend_schema(
        operation_id="personal_token", request=None, responses={201: PersonalTokenSerializer}
    )
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Issue a token for reports of the player in this event; older tokens are revoked.

        It has no scope that the token of the request lacks, and does not outlive it.
        """
        require_no_members(request.data)
        tournament, account = require_tournament(request, slug, "tournament.links")
        entry = entry_of(tournament, entry_id)
        _, within = current_account(request)
        with maybe_dry_run(request):
            token, secret = issue_personal_token(
                entry.player, tournament.stream, by=account, within=within
            )
        body = {
            "entry": entry.pk,
            "player": entry.player_id,
            "scopes": token.scopes,
            "expires_at": token.expiry,
            "token": secret,
        }
        return Response(body, status=201)
