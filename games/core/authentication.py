"""Authenticate a request: `Authorization: Bearer peri_...`, or `Token`, or HTTP Basic."""

import logging
from datetime import datetime, timedelta
from functools import cache
from hmac import compare_digest

from django.db import DatabaseError
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.authentication import BasicAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.accounts.logins import begin_login, end_login
from games.core.limits import network_of, use_units
from games.core.requests import client_address
from games.models import Account, Token

log = logging.getLogger(__name__)

SCHEMES = (b"bearer", b"token")


class BearerAuthentication(TokenAuthentication):
    """Find the token by its hash and store its last use, to the minute."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        """Return the account and the token, or None if the header has another scheme.

        Raises AuthenticationFailed (401) for a token that is malformed, unknown or expired; such a
        request counts for its address.
        """
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() not in SCHEMES:
            return None
        try:
            return self._authenticate(parts)
        except AuthenticationFailed:
            use_units(request, "anonymous", network_of(client_address(request)), 1)
            raise

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Token]:
        """Return the account and the token; raises AuthenticationFailed.

        Knox would delete expired tokens, and take a query for each request.
        """
        secret = token.decode()
        digest = hash_token(secret)
        for known in Token.objects.select_related("user").filter(
            token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH]
        ):
            if compare_digest(digest, known.digest):
                self.validate_user(known)
                return known.user, known
        raise AuthenticationFailed("Invalid token.")

    def _authenticate(self, parts: list[bytes]) -> tuple[Account, Token]:
        if len(parts) != 2 or not parts[1].isascii() or len(parts[1]) > 200 or b"\0" in parts[1]:
            raise AuthenticationFailed("send one token: `Authorization: Bearer peri_...`")
        account, token = self.authenticate_credentials(parts[1])
        now = timezone.now()
        if token.expiry is not None and token.expiry <= now:
            raise AuthenticationFailed(
                f"the token expired at {token.expiry:%Y-%m-%dT%H:%M:%SZ};"
                " POST /api/v1/tokens with email and password creates another one",
                code="token_expired",
            )
        if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
            _store_last_use(token, now)
        return account, token


def _store_last_use(token: Token, now: datetime) -> None:
    """Store when a token was used, unless nothing can be written: reads are possible then too."""
    try:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    except DatabaseError as error:
        _log_once(str(error))


@cache
def _log_once(reason: str) -> None:
    log.error("the last use of tokens is not stored: %s", reason)


class PasswordAuthentication(BasicAuthentication):
    """Authenticate by email and password, which only the token endpoint accepts."""

    www_authenticate_realm = "Perihelion"

    def authenticate_credentials(
        self, userid: str, password: str, request: Request | None = None
    ) -> tuple[Account, None]:
        """Return the account; raises AuthenticationFailed (401) or Throttled (429)."""
        assert request is not None
        begin_login(request, userid)
        account, _ = super().authenticate_credentials(userid, password, request)
        end_login(request, userid)
        return account, None
