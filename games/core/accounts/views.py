"""The account of the request and its tokens."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts import services
from games.core.accounts.serializers import AccountChangeSerializer, TokenRequestSerializer
from games.core.accounts.tokens import issue_token, revoke_token
from games.core.accounts.types import (
    NewToken,
    OwnAccount,
    TokenOfAccount,
    roles_as_json,
    tokens_as_json,
)
from games.core.actions import Action, Call
from games.core.authentication import BearerAuthentication, PasswordAuthentication
from games.core.errors import NotFound
from games.core.pagination import CursorPages
from games.core.permissions import (
    SCOPES,
    Caller,
    LoginNeeded,
    SecondFactorNeeded,
    current_account,
    require_account,
    token_elsewhere,
)
from games.core.references import player_reference, tournaments_of
from games.core.types import described
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account
from games.models.streams import TOURNAMENT_STREAM
from games.rules.text import Text


def logged_in_account(caller: Caller) -> Account:
    """Return the account; raises LoginNeeded (401)."""
    if not isinstance(caller.user, Account):
        raise LoginNeeded
    return caller.user


def unrestricted_account(caller: Caller, action: str = "") -> Account:
    """Return the account, unless its token is valid for one event only; raises 401 or 403.

    With an `action`, the token needs a scope for it.
    """
    account = require_account(caller, action) if action else logged_in_account(caller)
    _, token = current_account(caller)
    if token is not None and token.stream:
        raise token_elsewhere(token)
    return account


class TokenPages(CursorPages):
    ordering = ("created", "token_key")


class CreateToken(Action):
    """Create a token; authenticate by email and password (HTTP Basic) or by another token.

    Other tokens cannot grant a scope that they lack, cannot create a token for another tournament
    than their own, and none that outlives them.
    """

    name = "make_token"
    permission = "tokens.edit"
    body = TokenRequestSerializer
    example = {
        "name": "laptop",
        "scopes": ["tournament:read", "result:write"],
        "tournament_slug": "spring-open",
    }
    status = 201
    made = ("id", "url", "token")
    location = "tokens/{id}"
    is_shown = True

    def check(self, call: Call, found: None) -> None:
        """Require the account; the event is in the body."""
        logged_in_account(call)

    def prepare(self, call: Call, found: None) -> str:
        slug = call.body.pop("tournament_slug")
        stream = f"{TOURNAMENT_STREAM}{slug}" if slug else ""
        require_account(call, self.permission, stream=stream)
        if call.auth is None and call.account.is_staff and not call.account.has_second_factor:
            raise SecondFactorNeeded  # the token would act as staff as soon as there is one
        return stream

    def perform(self, call: Call, stream: str) -> NewToken:
        token, secret = issue_token(call.account, stream=stream, within=call.auth, **call.body)
        (shown,) = tokens_as_json([token])
        return {**shown, "token": secret}


class RevokeToken(Action):
    """Revoke one of the account's tokens; a token revokes none with a scope that it lacks.

    It does not work from the next request on. A token can revoke itself, whatever its scopes.
    Another account's token is 404.
    """

    name = "revoke_token"
    permission = "tokens.edit"
    done = gettext_noop("The token is revoked.")

    def check(self, call: Call, found: None) -> None:
        """Require the permission, but for a token that revokes itself."""
        _, token = current_account(call)
        if token is None or token.token_key != call.address["token_id"]:
            super().check(call, found)

    def perform(self, call: Call, found: None) -> None:
        if not revoke_token(call.account, call.address["token_id"], within=call.auth):
            raise NotFound("not_found", Text("you have no such token"))


class TokenList(ValuesListView):
    """The account's tokens, oldest first, without their secrets.

    A secret is shown once, when the token is made; `last_used_at` tells which token is in use. A
    token for one tournament cannot list them (403).
    """

    serializer_class = described(TokenOfAccount)
    pagination_class = TokenPages
    is_public = False
    permission = "tokens.see"
    authentication_classes = [BearerAuthentication, PasswordAuthentication]
    post = endpoint(CreateToken)

    def get_queryset(self) -> Any:
        return unrestricted_account(self.request, self.permission).auth_token_set.all()

    def rows_as_json(self, rows: Sequence[Any]) -> list[TokenOfAccount]:
        return tokens_as_json(rows)


class RenameAccount(Action):
    """Change the name of the account; that of its player stays (`PATCH players/{id}`)."""

    name = "rename_account"
    permission = "account.edit"
    body = AccountChangeSerializer
    example = {"name": "Olga Hernandez"}
    done = gettext_noop("The name is changed.")

    def perform(self, call: Call, found: None) -> OwnAccount:
        services.rename_account(call.account, **call.body)
        return account_as_json(call)


class Me(ApiView):
    is_public = False
    patch = endpoint(RenameAccount)

    @extend_schema(responses=described(OwnAccount))
    def get(self, request: Request) -> Response:
        """Return the account, its player, its roles and the scopes of the token.

        A token for one tournament sees only the roles in it, and neither the email nor whether the
        account is staff. The token of an app sees no email.
        """
        return Response(account_as_json(request))


def account_as_json(caller: Caller) -> OwnAccount:
    """Return the account of a caller as JSON, with what its token may do."""
    account = logged_in_account(caller)
    _, token = current_account(caller)
    player = getattr(account, "player", None)
    stream = token.stream if token else ""
    roles = account.roles.order_by("stream", "role")
    if stream:
        roles = roles.filter(stream=stream)
    is_hidden = stream or (token and token.app)
    tournaments = tournaments_of([stream])
    shown: OwnAccount = {
        "id": account.pk,
        # Whoever issued the token may know it, and not by which name the player has an account.
        "name": player.name if player and token and token.issued_by_other else account.name,
        "staff": account.is_staff and not stream,
        "player": player_reference(player) if player else None,
        "roles": roles_as_json(roles),
        "scopes": token.scopes if token else list(SCOPES),
        "tournament": tournaments.get(stream),
    }
    return shown if is_hidden else {**shown, "email": account.email}
