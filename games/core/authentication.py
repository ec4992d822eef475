"""Authenticate a request by a token or a password, and a page by its session; limit failed logins.

A request has `Authorization: Bearer peri_...`, or `Token`, or HTTP Basic. A session is that of a
login with email and password, or of a personal link. Such a link is exchanged for a token that ends
after half a day; the session stores its key, so pages have the same permissions as API requests
with that token.

Three counters count the logins that failed in a minute: for the account from the address, for the
address with all accounts, and for the account from all addresses.

- An address may not fail more often than the limit for one account.
- An address that has failed more often than the limit in all is rejected, unless the account has
  logged in from it within the last month.
- If an account has failed more often than the limit in all, an address from which it has not
  logged in within the last month has one attempt a minute.

So who guesses from elsewhere does not prevent the owner's login, and others who share the owner's
address do not either. Accounts that do not exist are counted in the same way.
"""

import hashlib
import logging
from datetime import datetime, timedelta
from functools import cache
from hmac import compare_digest
from typing import Final

from django.conf import settings
from django.contrib.auth import authenticate, get_user, login, logout
from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.authentication import (
    BaseAuthentication,
    BasicAuthentication,
    get_authorization_header,
)
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from games.core.broker import count, is_marked, mark
from games.core.limits import WINDOW, Use, network_of, rejected, use_units
from games.core.requests import client_address
from games.core.text import language_of
from games.models import Account, Token

MONTH_SECONDS: Final = 30 * 24 * 3600
"""Seconds for which an address from which an account has logged in is known."""

log = logging.getLogger(__name__)
SCHEMES = (b"bearer", b"token")
TOKEN: Final = "token"
"""The member of a session with the primary key of a token."""


def _names(client: str, email: str) -> tuple[str, str, str]:
    """Return the names of the counters: account and address, address, account."""
    account = hashlib.sha256(email.strip().lower().encode()).hexdigest()[:32]
    network = network_of(client)
    return f"login-{account}-{network}", f"login-from-{network}", f"login-to-{account}"


def begin_login(client: str, email: str, headers: dict[str, str]) -> None:
    """Count a login, before the password is checked; raises Throttled (429) if it is too many.

    `client` is the address of the client; `headers`, those of the response, state the limit.
    """
    names, limit = _names(client, email), settings.RATE_LIMITS["login"]
    both, address, account = count(names, 1, WINDOW)
    remaining = max(0, limit - both[0])
    is_suspicious = address[0] > limit or (account[0] > limit and both[0] > 1)
    is_rejected = both[0] > limit or (is_suspicious and not is_marked(f"known-{names[0]}"))
    seconds = max(both[1], address[1], account[1])
    remaining = 0 if is_rejected else remaining
    headers.update(Use("login", remaining, seconds, is_allowed=not is_rejected).fields)
    if is_rejected:
        raise rejected("login", seconds)


def end_login(client: str, email: str) -> None:
    """Take back the count of a login that succeeded, and remember its address."""
    names = _names(client, email)
    count(names, -1, WINDOW)
    mark(f"known-{names[0]}", MONTH_SECONDS)


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
        client = client_address(request)
        begin_login(client, userid, request.parser_context["view"].headers)
        account, _ = super().authenticate_credentials(userid, password, request)
        end_login(client, userid)
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

    Writes need a token, so no other site can send them with the cookie of a reader.
    """

    def authenticate(self, request: Request) -> tuple[Account, Token | None] | None:
        """Return the account of a read, None for a write or a stranger."""
        return super().authenticate(request) if request.method in SAFE_METHODS else None


def _find_token(key: str) -> Token | None:
    """Return the token of a session if it is still valid."""
    token = Token.objects.select_related("user").filter(pk=key).first()
    if token is None or not token.user.is_active:
        return None
    has_expired = token.expiry is not None and token.expiry <= timezone.now()
    return None if has_expired else token


def open_login(request: Request, email: str, password: str) -> Account | None:
    """Log an account in, and return it, or None; raises Throttled (429) after too many failures."""
    client = client_address(request)
    begin_login(client, email, request.parser_context["view"].headers)
    account = authenticate(request, username=email, password=password)
    if account is None:
        return None
    end_login(client, email)
    close_session(request)
    login(request, account)
    remember_language(account, language_of(request))
    return account


def open_token(request: Request, token: Token) -> None:
    """Let the session of a page have the permissions of a token, and no others, until it ends."""
    close_session(request)
    session = request.session
    session.cycle_key()
    session[TOKEN] = token.pk
    session.set_expiry(token.expiry)


def close_session(request: Request) -> None:
    """Log out; the token of a personal link, which only this session has, is deleted."""
    if key := request.session.get(TOKEN):
        Token.objects.filter(pk=key).delete()
    logout(request)


def close_all_sessions(account: Account) -> None:
    """Log an account out everywhere; its tokens stay valid."""
    Account.objects.filter(pk=account.pk).update(logouts=F("logouts") + 1)


def remember_language(account: Account, language: str) -> None:
    """Store the language in which an account reads pages, for the emails that it gets."""
    if account.language != language:
        Account.objects.filter(pk=account.pk).update(language=language)
