"""What bounds guesses of a login without locking out its owner.

Failed logins are limited for an account and an address (`ACCOUNT_RATE_LIMITS`), wherever they come
from. A browser in which the account has logged in with its password of today has a signed cookie
that says so: there a login has a limit of its own, and so have the codes of its second factor.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.http import base36_to_int

from games.core.limits import RateThrottle, count_of_day
from games.models import Account

KNOWN: Final = "known"
"""The cookie with the marks of the accounts that have logged in, the last first."""
MOST_KNOWN: Final = 5
YEAR: Final = 365 * 86_400
MOST_CODES: Final = 10
"""Wrong codes, or answers of a passkey, after a right password in a day: so many of known browsers,
and of all others together."""


class KnownLoginThrottle(RateThrottle):
    """The logins of an account in browsers that it has used before."""

    scope = "login"


def _marks_in(request: HttpRequest) -> list[str]:
    return str(request.get_signed_cookie(KNOWN, "", max_age=YEAR)).split(".")


def _marks_of(account: Account) -> list[str]:
    """Return the marks of an account with its password of today, by each secret key.

    Who has known an earlier password must not use up the limit of the owner's browsers.
    """
    digests = account.get_session_auth_hash(), *account.get_session_auth_fallback_hash()
    return [digest[:20] for digest in digests]


def is_known(request: HttpRequest, account: Account) -> bool:
    """Return True for a browser in which the account has logged in before."""
    return not set(_marks_of(account)).isdisjoint(_marks_in(request))


def remember_browser(request: HttpRequest, response: HttpResponse, account: Account) -> None:
    """Let the browser say that the account has logged in there."""
    own = _marks_of(account)
    marks = [own[0], *(mark for mark in _marks_in(request) if mark not in ("", *own))]
    is_secure = settings.SESSION_COOKIE_SECURE
    value = ".".join(marks[:MOST_KNOWN])
    response.set_signed_cookie(
        KNOWN, value, max_age=YEAR, secure=is_secure, httponly=True, samesite="Lax"
    )


@contextmanager
def counted_guess(account: Account) -> Iterator[None]:
    """Check a second factor; above the limit of a day nothing is checked, and the owner knows."""
    adapter = get_adapter()
    known = is_known(adapter.request, account)
    key = f"second-factor-{account.pk}-{known}"
    number = count_of_day(key)
    if number > MOST_CODES:
        raise adapter.validation_error("too_many_login_attempts")
    try:
        yield
    except ValidationError:
        if number == MOST_CODES:
            context = {"count": number, "known": known}
            adapter.send_notification_mail("mfa/email/wrong_codes", account, context)
        raise
    with suppress(ValueError):  # the broker came back, or the day ended, meanwhile
        cache.decr(key)


def one_at_a_time(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the forms of a reset wait for each other: its link is used once."""

    @wraps(view)
    def respond(request: HttpRequest, uidb36: str, key: str) -> HttpResponse:
        if request.method != "POST":
            return view(request, uidb36=uidb36, key=key)
        with transaction.atomic():
            # The view reads the account anew, with the password that another one has set.
            Account.objects.select_for_update().filter(pk=base36_to_int(uidb36)).first()
            return view(request, uidb36=uidb36, key=key)

    return respond
