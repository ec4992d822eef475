"""Authenticate a request by a token or a password, and a page by its session.

A request has `Authorization: Bearer peri_...`, or HTTP Basic where a token is created; what else it
has is refused. The token is one of the account, or the access token of an app that the account has
allowed (games/core/oauth). A session is that of a login with email and password, or of a personal
link. Such a link is exchanged for a token that ends after half a day; the session stores its key,
so pages have the same permissions as API requests with that token.

Pages log in by allauth (games/core/accounts/adapter.py), which limits failed logins; those with a
password in the API count there too.
"""

import hashlib
import logging
from base64 import b64decode
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth import get_user, logout
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from oauth2_provider.models import AccessToken
from rest_framework.authentication import (
    BaseAuthentication,
    BasicAuthentication,
    get_authorization_header,
)
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from games.core.limits import AnonymousThrottle, rejected
from games.core.permissions import (
    ANOTHER_TOKEN,
    SCOPES,
    SecondFactorNeeded,
    needs_second_factor,
    stream_of,
)
from games.models import Account, Token
from games.models.addresses import same_address

log = logging.getLogger(__name__)
LOGIN_PAUSE: Final = 60
"""Seconds after which a login may be tried again, if too many failed."""
APP_PREFIX: Final = "peri_app_"
"""The beginning of the access tokens of apps."""
WRONG_TOKEN: Final = f"there is no such token, or it was revoked; {ANOTHER_TOKEN}"
WRONG_APP_TOKEN: Final = (
    "the app has no such token, or its access was revoked; POST /oauth/token with the refresh token"
    " returns another one, or the person allows the app again"
)
TOKEN: Final = "token"
"""The member of a session with the primary key of a token."""


class BearerAuthentication(TokenAuthentication):
    """Find the token by its hash and store its last use, to the minute."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        """Return the account and the token, or None without one.

        Raises AuthenticationFailed (401) for a token that is malformed, unknown or expired, and for
        a password where only tokens are read; such a request counts for its address.
        """
        parts = get_authorization_header(request).split()
        takes_password = (
            PasswordAuthentication in request.parser_context["view"].authentication_classes
        )
        if not parts or (takes_password and parts[0].lower() == b"basic"):
            return None
        try:
            return self._authenticate(parts)
        except AuthenticationFailed:
            throttle = AnonymousThrottle()
            throttle.charge(throttle.get_ident(request), request.parser_context["view"])
            raise

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Token]:
        """Return the account and the token; raises AuthenticationFailed.

        Knox would delete expired tokens, and take a query for each request.
        """
        secret = token.decode()
        if secret.startswith(APP_PREFIX):
            found = find_app_token(secret)
            self.validate_user(found)
            return found.user, found
        digest = hash_token(secret)
        for known in Token.objects.select_related("user").filter(
            token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH]
        ):
            if compare_digest(digest, known.digest):
                self.validate_user(known)
                return known.user, known
        raise AuthenticationFailed(WRONG_TOKEN)

    def validate_user(self, auth_token: Token) -> tuple[Account, Token]:
        """Return the account and the token; raises AuthenticationFailed for a closed account."""
        if not auth_token.user.is_active:
            raise AuthenticationFailed("the account of this token is closed")
        return auth_token.user, auth_token

    def _authenticate(self, parts: list[bytes]) -> tuple[Account, Token]:
        is_bearer = parts[0].lower() == b"bearer"
        if (
            not is_bearer
            or len(parts) != 2
            or not parts[1].isascii()
            or len(parts[1]) > 200
            or b"\0" in parts[1]
        ):
            raise AuthenticationFailed(
                "send one token: `Authorization: Bearer peri_...`; a password is read by "
                "/api/v1/tokens only"
            )
        account, token = self.authenticate_credentials(parts[1])
        now = timezone.now()
        if token.expiry is not None and token.expiry <= now:
            another = (
                "POST /oauth/token with the refresh token returns another one"
                if token.app
                else ANOTHER_TOKEN
            )
            raise AuthenticationFailed(
                f"the token expired at {token.expiry:%Y-%m-%dT%H:%M:%SZ}; {another}",
                code="token_expired",
            )
        if token.app is not None:
            return account, token
        if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
            _store_last_use(token, now)
        return account, token


def find_app_token(secret: str) -> Token:
    """Return the access token of an app as a token of the account; raises AuthenticationFailed.

    It has the rights of a token with its scopes and its event, and is not stored as one. Its key
    is that of the app and its scopes, so that a request which is repeated with a renewed token
    counts as the same (games/core/idempotency.py).
    """
    digest = hashlib.sha256(secret.encode()).hexdigest()
    known = AccessToken.objects.select_related("user", "application__user")
    access = known.filter(token_checksum=digest).first()
    if access is None or not access.application.is_usable(None):
        raise AuthenticationFailed(WRONG_APP_TOKEN)
    names = access.scope.split()
    stream = stream_of(names)
    if stream is None:
        raise AuthenticationFailed(WRONG_APP_TOKEN)
    token = Token(
        digest=f"app {access.application_id} {access.scope}",
        token_key=f"app-{access.application_id}",
        user=access.user,
        created=access.created,
        expiry=access.expires,
        name=access.application.name,
        scopes=[name for name in names if name in SCOPES],
        stream=stream,
        issued_by=access.user,
    )
    token.app = access.application
    return token


def _store_last_use(token: Token, now: datetime) -> None:
    """Store when a token was used, unless nothing can be written: reads are possible then too."""
    try:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    except DatabaseError as error:
        log.error("the last use of a token is not stored: %s", error)


class PasswordAuthentication(BasicAuthentication):
    """Authenticate by email and password, which only the token endpoint accepts."""

    www_authenticate_realm = "Perihelion"

    def authenticate(self, request: Request) -> tuple[Account, None] | None:
        """Return the account, None without a password; raises AuthenticationFailed."""
        scheme, _, sent = get_authorization_header(request).partition(b" ")
        try:
            if scheme.lower() == b"basic" and b":" not in b64decode(sent.strip(), validate=True):
                raise ValueError
        except ValueError:
            detail = "send `Authorization: Basic` with the base64 of `email:password`"
            raise AuthenticationFailed(detail) from None
        return super().authenticate(request)

    def authenticate_credentials(
        self, userid: str, password: str, request: Request | None = None
    ) -> tuple[Account, None]:
        """Return the account; raises AuthenticationFailed (401) or Throttled (429).

        Raises SecondFactorNeeded (403) if the password of this account is not enough.
        """
        assert request is not None
        counted = HttpRequest()
        counted.META, counted.method = request.META, "POST"  # allauth counts no GET
        try:
            account = get_adapter().authenticate(
                counted, email=same_address(userid), password=password
            )
        except ValidationError as error:
            raise rejected("login", LOGIN_PAUSE) from error
        if not isinstance(account, Account) or not account.is_active:
            raise AuthenticationFailed("the email address or the password is wrong")
        if not account.has_confirmed_address:
            raise AuthenticationFailed("confirm the email address first, by the message to it")
        if needs_second_factor(account):
            raise SecondFactorNeeded
        return account, None


class PageAuthentication(BaseAuthentication):
    """Authenticate a page by the session of its cookie."""

    def authenticate(self, request: Request) -> tuple[Account, Token | None] | None:
        """Return the account, with the token of a personal link, or None for a stranger."""
        key = request.session.get(TOKEN)
        if key and (token := _find_token(key)):
            return token.user, token
        user = get_user(request)
        return (user, None) if isinstance(user, Account) else None


class SessionReads(PageAuthentication):
    """Authenticate reads of the API by the session too, so that pages can link to its files.

    Writes need a token, so no other site can send them with the cookie of a reader. A script of
    another site reads what a stranger may, whatever cookie its browser sends.
    """

    def authenticate(self, request: Request) -> tuple[Account, Token | None] | None:
        """Return the account of a read, None for a write, a stranger or another site."""
        own = request.build_absolute_uri("/").removesuffix("/")
        is_own = request.headers.get("Origin", own) in (own, *settings.CSRF_TRUSTED_ORIGINS)
        is_read = is_own and request.method in SAFE_METHODS
        return super().authenticate(request) if is_read else None


def _find_token(key: str) -> Token | None:
    """Return the token of a session if it is still valid."""
    token = Token.objects.select_related("user").filter(pk=key).first()
    if token is None or not token.user.is_active:
        return None
    has_expired = token.expiry is not None and token.expiry <= timezone.now()
    return None if has_expired else token


def open_token(request: Request, token: Token) -> None:
    """Let the session of a page have the permissions of a token, and no others, until it ends."""
    close_session(request)
    session = request.session
    session.cycle_key()
    session[TOKEN] = token.pk
    session.set_expiry(token.expiry)


def drop_token(request: Request | HttpRequest) -> None:
    """Delete the token of a personal link, which only this session has."""
    if key := request.session.pop(TOKEN, None):
        Token.objects.filter(pk=key).delete()


def close_session(request: Request) -> None:
    """Log out; a session of a personal link ends too."""
    drop_token(request)
    logout(request)


def remember_language(account: Account, language: str) -> None:
    """Store the language in which an account reads pages, for the emails that it gets."""
    if account.language != language:
        Account.objects.filter(pk=account.pk).update(language=language)
