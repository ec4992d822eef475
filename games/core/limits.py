"""Limits: how many requests a caller may send in a minute, and what an account may store.

A request without a token counts for its address, one with a token for this and for its account, a
dear one, such as an import, a sheet or a pairing, for the account or the address once more, and a
failed login for both (games/core/authentication.py). `settings.RATE_LIMITS` has the requests of
each. All processes share the counters, which are in Django's cache (games/core/cache.py).

A token may send half of what its account may, so that a program which asks too much leaves
something for the others of the account. The tokens of an app count as one, since it renews them.

Responses state the limits in the fields of the Internet-Draft draft-ietf-httpapi-ratelimit-headers
(revision 11), a token's and the account's: `RateLimit-Policy: "token";q=3000;w=60` is the quota and
its window in seconds, `RateLimit: "token";r=2990;t=42` the requests that remain and the seconds
until the quota is whole.

An account has one round paired at a time and a process two. A pairing takes up to 20 seconds of a
thread: the turns (deploy/turns.py) bound an address, and one account has as many as it likes.

`settings.QUOTAS` has the quotas by name; the environment variable is the name in capitals after
`QUOTA_`. Site staff have none.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from threading import BoundedSemaphore
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from games.core.errors import ApiError, Busy, Conflict
from games.core.requests import client_address
from games.core.text import local_time
from games.models import Account, Token
from games.rules.text import Moment, Text

LONGEST_PLACE: Final = 60
"""Seconds after which an account may pair again though its last request was never finished."""

PLACES: Final = BoundedSemaphore(2)
"""The rounds that a process pairs at once."""

DEAR: Final = ("dear", "pairing", "pdf")
"""The `throttle_scope` of a view, or the format of a response, that counts as dear."""

LIMIT_DESCRIPTIONS: Final = {
    "anonymous": gettext_noop("One address may send %(limit)s requests a minute without a login"),
    "account": gettext_noop("One account may send %(limit)s requests a minute"),
    "token": gettext_noop("One token may send %(limit)s requests a minute"),
    "dear": gettext_noop(
        "An account, or an address without one, may send %(limit)s requests a minute that take"
        " long, such as imports, exports, sheets and pairings"
    ),
    "login": gettext_noop(
        "At most %(limit)s logins a minute may fail, for one account and from one address"
    ),
}
"""The sentence of each limit."""

QUOTA_TEXTS: Final = {
    "reports": Text("reports by one player about one game"),
    "record_bytes": Text("bytes of records by one player about one game"),
    "entries": Text("entries in one event"),
    "responses": Text("requests with an Idempotency-Key by one account in 24 hours"),
    "response_bytes": Text("bytes of responses to requests with an Idempotency-Key in 24 hours"),
    "proposals": Text("open proposals of games by one player; cancel some first"),
    "claims": Text("open claims of one account to be a player; withdraw some first"),
    "name_reports": Text("reports of names by one account that wait for site staff; wait"),
    "waiting_jobs": Text("tasks of one kind that wait; wait until one is finished"),
    "players_per_day": Text(
        "players that one account registers in 24 hours; wait, or ask site staff"
    ),
    "applications_by_account": Text(
        "applications by one account, or by accounts with one mail address, in 24 hours; wait"
    ),
    "applications_by_link": Text(
        "applications by the link of one event in 24 hours; the organiser can make a new link"
    ),
    "applications_to_event": Text("applications to one event in 24 hours; wait"),
    "tokens": Text("tokens of one account; revoke some first"),
    "apps": Text("apps that one account has registered; delete some first"),
    "app_logins": Text("logins of apps to one account; revoke some first"),
    "invitations": Text("open invitations of one event; revoke some first"),
    "invitations_by_sender": Text("messages with invitations by one account in 24 hours; wait"),
    "invitations_to_recipient": Text("messages to one address in 24 hours"),
    "webhooks": Text("webhooks of one account; delete some first"),
    "events_per_day": Text("events that one account creates in 24 hours; wait, or ask site staff"),
}
"""What each quota limits."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a request leaves of a limit: the fields of the response that state it.

    `wait` has the seconds after which a request is allowed again; 0 if this one is.
    """

    fields: dict[str, str]
    wait: int


class RateThrottle(SimpleRateThrottle):
    """Count a request in a minute of its caller.

    DRF stores the time of each request, which for thousands takes longer than many requests do.
    """

    scope = ""
    duration: int
    num_requests: int

    def get_rate(self) -> str:
        return f"{settings.RATE_LIMITS[self.scope]}/min"

    def get_ident(self, request: Request | HttpRequest) -> str:
        return network_of(client_address(request))

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True; raises Throttled (429) if the caller has used up the limit."""
        caller = self.get_cache_key(request, view)
        if caller is not None:
            self.charge(caller, view)
        return True

    def charge(self, caller: str, view: Any) -> None:
        """Count a request, and state the rest in the response of the view; raises Throttled."""
        use = self.count(caller)
        for name, field in use.fields.items():
            stated = view.headers.get(name)
            view.headers[name] = f"{stated}, {field}" if stated else field
        if use.wait:
            raise rejected(self.scope, use.wait)

    def count(self, caller: str) -> Use:
        """Count a request, unless the limit is used up; the minute begins with the first one."""
        key, now = self.cache_format % {"scope": self.scope, "ident": caller}, self.timer()
        used, end = self.cache.get(key) or (0, now)
        if end <= now:
            used, end = 0, now + self.duration
        left = math.ceil(end - now)
        is_allowed = used < self.num_requests
        if is_allowed:
            used += 1
            self.cache.set(key, (used, end), left)
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        rest = f'"{self.scope}";r={self.num_requests - used};t={left}'
        return Use({"RateLimit-Policy": policy, "RateLimit": rest}, 0 if is_allowed else left)


class AnonymousThrottle(RateThrottle):
    scope = "anonymous"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return None if isinstance(request.user, Account) else self.get_ident(request)


class AccountThrottle(RateThrottle):
    scope = "account"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return str(request.user.pk) if isinstance(request.user, Account) else None


class TokenThrottle(RateThrottle):
    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        token = request.auth
        return f"{token.user_id}-{token.token_key}" if isinstance(token, Token) else None


class DearThrottle(RateThrottle):
    scope = "dear"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if getattr(view, "throttle_scope", request.accepted_renderer.format) not in DEAR:
            return None
        user = request.user
        return str(user.pk) if isinstance(user, Account) else self.get_ident(request)


def network_of(text: str) -> str:
    """Return an address; of IPv6 the network /64, which one client often has whole."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return text
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else f"{address.packed[:8].hex()}::"


class AlreadyRunning(ApiError):
    """A round is being paired for the account (429)."""

    status = 429

    def __init__(self) -> None:
        detail = Text("another request of yours is being computed; wait until it is finished")
        super().__init__("already_running", detail)


@contextmanager
def place_to_pair(caller: str) -> Iterator[None]:
    """Pair a round for an account; raises Busy (503) or AlreadyRunning (429)."""
    own = f"pairing-{caller}"
    if not cache.add(own, True, LONGEST_PLACE):
        raise AlreadyRunning()
    try:
        if not PLACES.acquire(blocking=False):
            raise Busy("busy", Text("other rounds are being paired; try again in some seconds"))
        try:
            yield
        finally:
            PLACES.release()
    finally:
        cache.delete(own)


def rejected(scope: str, seconds: int) -> Throttled:
    """Return the error (429) of a caller who has used up a limit."""
    limit = settings.RATE_LIMITS[scope]
    return Throttled(seconds, f"{gettext(LIMIT_DESCRIPTIONS[scope]) % {'limit': limit}}.")


class QuotaReached(Conflict):
    """A quota does not allow as much as this (409)."""

    def __init__(self, name: str, until: datetime | None = None, zone: str = "") -> None:
        limit = settings.QUOTAS[name]
        detail = Text("the limit is %(limit)s %(detail)s", limit=limit, detail=QUOTA_TEXTS[name])
        if until is not None:
            end = Moment.of(local_time(until, zone))
            detail = Text("%(limit)s; wait until %(end)s", limit=detail, end=end)
        setting = f"QUOTA_{name.upper()}"
        super().__init__("quota_reached", detail, quota=name, limit=limit, setting=setting)


def count_of_day(key: str) -> int:
    """Count one more under a key, for a day from the first one; return how many there are."""
    cache.add(key, 0, 86_400)
    return cache.incr(key)


def lock_account(account: Account) -> None:
    """Lock the row of an account: parallel requests would all be within its quota."""
    # Not its key: rows that others insert meanwhile may refer to the account.
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def check_quota(
    name: str, number: int, *, by: Account, until: datetime | None = None, zone: str = ""
) -> None:
    """Raise QuotaReached if this number is above the quota, unless staff asks for it.

    `until` is when it is not any more, where that is known; readers see it in the time zone `zone`,
    else in that of the site.
    """
    if number > settings.QUOTAS[name] and not by.acts_as_staff:
        raise QuotaReached(name, until, zone)
