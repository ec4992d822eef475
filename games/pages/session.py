"""Sessions of pages: a login with email and password, or the token of a personal link.

A personal link is exchanged for a token that ends after half a day; the session stores its key, so
pages have the same permissions as API requests with that token.
"""

from typing import Final

from django.contrib.auth import authenticate, login, logout
from django.db.models import F
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from games.accounts.logins import begin_login, end_login
from games.http.languages import language_of
from games.models import Account, Token

TOKEN: Final = "token"
"""The member of a session with the primary key of a token."""


class PageAuthentication(BaseAuthentication):
    """Authenticate a page by the session of its cookie."""

    def authenticate(self, request: Request) -> tuple[Account, Token | None] | None:
        """Return the account, with the token of a personal link, or None for a stranger."""
        key = request._request.session.get(TOKEN)
        if key and (token := _find_token(key)):
            return token.user, token
        user = request._request.user
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
    begin_login(request, email)
    account = authenticate(request._request, username=email, password=password)
    if account is None:
        return None
    end_login(request, email)
    close_session(request)
    login(request._request, account)
    remember_language(account, language_of(request._request))
    return account


def open_token(request: Request, token: Token) -> None:
    """Let the session of a page have the permissions of a token, and no others, until it ends."""
    close_session(request)
    session = request._request.session
    session.cycle_key()
    session[TOKEN] = token.pk
    session.set_expiry(token.expiry)


def close_session(request: Request) -> None:
    """Log out; the token of a personal link, which only this session has, is deleted."""
    if key := request._request.session.get(TOKEN):
        Token.objects.filter(pk=key).delete()
    logout(request._request)


def close_all_sessions(account: Account) -> None:
    """Log an account out everywhere; its tokens stay valid."""
    Account.objects.filter(pk=account.pk).update(logouts=F("logouts") + 1)


def remember_language(account: Account, language: str) -> None:
    """Store the language in which an account reads pages, for the emails that it gets."""
    if account.language != language:
        Account.objects.filter(pk=account.pk).update(language=language)
