"""The account of the request, and its tokens.

Sign-up, passwords and invitations, each by a message to an email address.

No response states whether an address has an account. The limits of logins apply.
"""

from typing import Any, Final

from drf_spectacular.utils import extend_schema, extend_schema_view
from knox.settings import CONSTANTS, knox_settings
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.serializers import (
    AcceptanceSerializer,
    AcceptedSerializer,
    AccountChangeSerializer,
    AccountSerializer,
    EmailSerializer,
    MeSerializer,
    NewPasswordSerializer,
    NewTokenSerializer,
    SentSerializer,
    SignUpSerializer,
    TokenRequestSerializer,
    TokenSerializer,
)
from games.core.accounts.services import (
    accept_invitation,
    confirm_sign_up,
    rename_account,
    request_password,
    request_sign_up,
    reset_password,
)
from games.core.accounts.tokens import issue_token, revoke_token
from games.core.authentication import BearerAuthentication, PasswordAuthentication, begin_login
from games.core.errors import Forbidden, NotFound
from games.core.pagination import CursorPages, microseconds_of, time_of
from games.core.permissions import SCOPES, LoginNeeded
from games.core.requests import current_account, maybe_dry_run, require_account, validated_body
from games.core.views import ApiView, ValuesListView
from games.models import Account, Token
from games.rules.text import Text

TOKEN_PREFIX: Final = knox_settings.TOKEN_PREFIX
KEY_DIGITS: Final = CONSTANTS.TOKEN_KEY_LENGTH - len(TOKEN_PREFIX)
"""Hexadecimal digits in the id of a token, after the prefix."""


def logged_in_account(request: Request) -> Account:
    """Return the account; raises LoginNeeded (401)."""
    if not isinstance(request.user, Account):
        raise LoginNeeded
    return request.user


def unrestricted_account(request: Request) -> Account:
    """Return the account, unless its token is valid for one event only; raises 401 or 403."""
    account = logged_in_account(request)
    _, token = current_account(request)
    if token is not None and token.stream:
        raise Forbidden(
            "token_elsewhere", Text("this token is valid for %(stream)s only", stream=token.stream)
        )
    return account


class TokenPages(CursorPages):
    """Pages of tokens, oldest first; a cursor has the microsecond and the id as numbers."""

    ordering = ("created", "token_key")

    def as_number(self, name: str, value: Any) -> int:
        if name == "token_key":
            return int(value.removeprefix(TOKEN_PREFIX), 16)
        return microseconds_of(value)

    def from_number(self, name: str, number: int) -> Any:
        if name == "token_key":
            return f"{TOKEN_PREFIX}{number:0{KEY_DIGITS}x}"
        return time_of(number)


@extend_schema_view(get=extend_schema(operation_id="tokens"))
class TokenList(ValuesListView):
    """The account's tokens, oldest first, without their secrets."""

    queryset = Token.objects.none()
    serializer_class = TokenSerializer
    pagination_class = TokenPages
    is_public = False
    authentication_classes = [BearerAuthentication, PasswordAuthentication]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        rows = unrestricted_account(request).auth_token_set.all()
        return self.page_response(self.filter_queryset(rows))

    @extend_schema(
        operation_id="make_token",
        request=TokenRequestSerializer,
        responses={201: NewTokenSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a token; authenticate by email and password (HTTP Basic) or by another token.

        A token without a scope to write creates none. Other tokens cannot grant a scope that they
        lack, cannot create a token for another event than their own, and none that outlives them.
        """
        logged_in_account(request)
        _, within = current_account(request)
        content = validated_body(TokenRequestSerializer, request)
        event = content.pop("tournament")
        stream = f"tournament/{event}" if event else ""
        account = require_account(request, "tokens.edit", stream=stream)
        with maybe_dry_run(request):
            token, secret = issue_token(account, stream=stream, within=within, **content)
        return Response({**TokenSerializer(token).data, "token": secret}, status=201)


class TokenView(ApiView):
    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke one of the account's tokens; a token revokes none with a scope that it lacks."""
        account = require_account(request, "tokens.edit")
        _, within = current_account(request)
        with maybe_dry_run(request):
            if not revoke_token(account, token_id, within=within):
                raise NotFound("not_found", Text("you have no such token"))
        return Response(status=204)


class Me(ApiView):
    is_public = False

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Return the account, its player, its roles and the scopes of the token."""
        return Response(account_as_json(request))

    @extend_schema(
        operation_id="rename_account", request=AccountChangeSerializer, responses=MeSerializer
    )
    def patch(self, request: Request) -> Response:
        """Change the name of the account; that of its player stays (`PATCH players/{id}`)."""
        account = require_account(request, "account.edit")
        content = validated_body(AccountChangeSerializer, request)
        with maybe_dry_run(request):
            rename_account(account, **content)
            body = account_as_json(request)
        return Response(body)


def account_as_json(request: Request) -> dict[str, Any]:
    """Return the account of a request as JSON, with what its token may do."""
    account = logged_in_account(request)
    _, token = current_account(request)
    player = getattr(account, "player", None)
    stream = token.stream if token else ""
    roles = account.roles.order_by("stream", "role")
    if stream:
        roles = roles.filter(stream=stream)
    return {
        "account": account.pk,
        "name": account.name,
        "email": None if stream else account.email,
        "staff": account.is_staff and not stream,
        "player": {"id": player.pk, "name": player.name} if player else None,
        "roles": list(roles.values("stream", "role")),
        "scopes": token.scopes if token else list(SCOPES),
        "stream": stream,
    }


class SignUp(ApiView):
    is_public = True
    problems = {"POST": (403,)}

    @extend_schema(operation_id="sign_up", request=SignUpSerializer, responses=SentSerializer)
    def post(self, request: Request) -> Response:
        """Request an account; a message with a token for `accounts/confirm` is sent.

        An address with an account gets a token to set its password instead.
        """
        content = validated_body(SignUpSerializer, request)
        begin_login(request, content["email"])
        with maybe_dry_run(request):
            request_sign_up(**content)
        return Response({"email": content["email"]})


class ConfirmSignUp(ApiView):
    is_public = True

    @extend_schema(
        operation_id="confirm_sign_up",
        request=NewPasswordSerializer,
        responses={201: AccountSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create the account with a password; log in to create a token (`POST tokens`)."""
        content = validated_body(NewPasswordSerializer, request)
        with maybe_dry_run(request):
            account = confirm_sign_up(**content)
        return Response(AccountSerializer(account).data, status=201)


class RequestPassword(ApiView):
    is_public = True

    @extend_schema(
        operation_id="request_password", request=EmailSerializer, responses=SentSerializer
    )
    def post(self, request: Request) -> Response:
        """Request a message with a token for `accounts/password/confirm`."""
        content = validated_body(EmailSerializer, request)
        begin_login(request, content["email"])
        with maybe_dry_run(request):
            request_password(**content)
        return Response(content)


class ResetPassword(ApiView):
    is_public = True

    @extend_schema(
        operation_id="reset_password", request=NewPasswordSerializer, responses=AccountSerializer
    )
    def post(self, request: Request) -> Response:
        """Set a new password; the account's own tokens are revoked."""
        content = validated_body(NewPasswordSerializer, request)
        with maybe_dry_run(request):
            account = reset_password(**content)
        return Response(AccountSerializer(account).data)


class AcceptInvitation(ApiView):
    is_public = True

    @extend_schema(
        operation_id="accept_invitation",
        request=AcceptanceSerializer,
        responses={201: AcceptedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Take the role of an invitation; an address without an account gets one."""
        content = validated_body(AcceptanceSerializer, request)
        with maybe_dry_run(request):
            role = accept_invitation(**content)
        return Response(AcceptedSerializer(role).data, status=201)
