"""Limits: what a caller may use in a minute or compute in an hour, and what an account may store.

A request without a token counts for its address, one with a token for this and for its account, and
a failed login for both (games/core/authentication.py). `settings.RATE_LIMITS` has the units of each
type of caller; a request costs one, and more if `COSTS` names it. All processes share the counters
(games/core/broker.py).

A token may use half of what its account may, so that a program which asks too much leaves something
for the others of the account. The tokens of an app count as one, since it renews them.

Responses state the limit in the fields of the Internet-Draft draft-ietf-httpapi-ratelimit-headers
(revision 11), a token's and the account's: `RateLimit-Policy: "token";q=3000;w=60` is the quota and
its window in seconds, `RateLimit: "token";r=2990;t=42` the units that remain and the seconds until
the quota is whole.

What a request or a task of a caller has computed is counted afterwards, in seconds (`charge_work`):
a caller who has used up `settings.WORK_SECONDS` of an hour waits before the next costly request, as
does a token whose requests have used up half of them; tasks count for the account. Of the kinds in
`AT_ONCE` a process computes only so many at once, and one for each account.

`settings.QUOTAS` has the quotas by name; the environment variable is the name in capitals after
`QUOTA_`. Site staff have none.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from threading import BoundedSemaphore
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext, gettext_noop
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.core.broker import count, release, take
from games.core.errors import ApiError, Busy, Conflict
from games.core.requests import client_address
from games.models import Account, Token
from games.rules.text import Text

WINDOW: Final = 60
"""Seconds after which a counter ends."""

WORK_WINDOW: Final = 3600
"""Seconds after which the counter of computed seconds ends."""

AT_ONCE: Final = {"pairing": 2}
"""The requests of a kind, by their cost, that a process computes at once."""

LONGEST_PLACE: Final = 60
"""Seconds after which an account may compute again though its last request was never finished."""

_places: Final = {kind: BoundedSemaphore(number) for kind, number in AT_ONCE.items()}

COSTS: Final = {
    "import": 50,
    "bundle": 20,
    "explanation": 20,
    "export": 20,
    "pdf": 20,
    "pairing": 10,
    "referee": 10,
    "schema": 10,
    "forecast": 5,
    "check": 2,
}
"""Units of a request, by the `throttle_scope` of the view or the format of the response."""

LIMIT_DESCRIPTIONS: Final = {
    "anonymous": gettext_noop(
        "Requests without a token may use %(limit)s units a minute from one address"
    ),
    "account": gettext_noop("The tokens of an account may use %(limit)s units a minute"),
    "token": gettext_noop("One token may use %(limit)s units a minute"),
    "login": gettext_noop(
        "At most %(limit)s logins a minute may fail, for one account and from one address"
    ),
}
"""The sentence of each limit."""
_OF_CALLER: Final = gettext_noop(
    "What an account or an address asks for may take the service %(limit)s seconds an hour"
)
WORK_DESCRIPTIONS: Final = {
    "anonymous": _OF_CALLER,
    "account": _OF_CALLER,
    "token": gettext_noop("What one token asks for may take the service %(limit)s seconds an hour"),
}
QUOTA_TEXTS: Final = {
    "reports": Text("reports by one player about one game"),
    "record_bytes": Text("bytes of records by one player about one game"),
    "entries": Text("entries in one event"),
    "responses": Text("requests with an Idempotency-Key by one account in 24 hours"),
    "response_bytes": Text("bytes of responses to requests with an Idempotency-Key in 24 hours"),
    "proposals": Text("open proposals of games by one player; cancel some first"),
    "claims": Text("open claims of one account to be a player; withdraw some first"),
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
    "invitations_to_recipient": Text("messages with invitations to one address in 24 hours; wait"),
    "webhooks": Text("webhooks of one account; delete some first"),
    "events_per_day": Text("events that one account creates in 24 hours; wait, or ask site staff"),
}
"""What each quota limits."""


class RateThrottle(BaseThrottle):
    """Count a request for its account or its address."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True; raises Throttled (429) if the caller has used up the limit."""
        cost = COSTS.get(scope_of(request, view), 1)
        callers = callers_of(request)
        use_units(request, callers, cost)
        if cost > 1:
            check_work(callers)
        return True


def scope_of(request: Request, view: Any) -> str:
    """Return the key of what a request costs."""
    scope: str = getattr(view, "throttle_scope", request.accepted_renderer.format)
    return scope


def callers_of(request: Request) -> dict[str, str]:
    """Return for whom a request counts, by type: its account and its token, or its address."""
    if not isinstance(request.user, Account):
        return {"anonymous": network_of(client_address(request))}
    account = str(request.user.pk)
    token = getattr(request, "auth", None)
    if not isinstance(token, Token):
        return {"account": account}
    return {"token": f"{account}-{token.token_key}", "account": account}


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


@dataclass(frozen=True, slots=True)
class Use:
    """What remains after a request, by type of caller: units, and seconds until they are whole.

    `exceeded` is the type whose limit does not allow the request; empty if all do.
    """

    remaining: Mapping[str, tuple[int, int]]
    exceeded: str

    @property
    def seconds(self) -> int:
        """Return after how many seconds a request that is not allowed may be."""
        return self.remaining[self.exceeded][1]

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of the response that state the limits and what remains of them."""
        limits, rest = settings.RATE_LIMITS, self.remaining.items()
        return {
            "RateLimit-Policy": ", ".join(
                f'"{name}";q={limits[name]};w={WINDOW}' for name, _ in rest
            ),
            "RateLimit": ", ".join(f'"{name}";r={units};t={left}' for name, (units, left) in rest),
        }


def use_units(request: Request, callers: Mapping[str, str], cost: int) -> None:
    """Take units from the limits of callers and state the rest; raises Throttled if few remain."""
    use = count_units(callers, cost)
    request.parser_context["view"].headers.update(use.fields)
    if use.exceeded:
        raise rejected(use.exceeded, use.seconds)


def count_units(callers: Mapping[str, str], cost: int) -> Use:
    """Take units from the limit of each caller, none if too few remain of one."""
    limits = [settings.RATE_LIMITS[name] for name in callers]
    names = [f"rate-{name}-{caller}" for name, caller in callers.items()]
    cost = min(cost, *limits)
    counted = count(names, cost, WINDOW)
    exceeded = [
        name
        for name, limit, (used, _) in zip(callers, limits, counted, strict=True)
        if used > limit
    ]
    if exceeded:
        counted = count(names, -cost, WINDOW)
    remaining = {
        name: (max(0, limit - used), max(1, seconds))
        for name, limit, (used, seconds) in zip(callers, limits, counted, strict=True)
    }
    return Use(remaining, exceeded[0] if exceeded else "")


class AlreadyRunning(ApiError):
    """Another request of the account that computes for long is not finished (429)."""

    status = 429

    def __init__(self) -> None:
        detail = Text("another request of yours is being computed; wait until it is finished")
        super().__init__("already_running", detail)


def check_work(callers: Mapping[str, str]) -> None:
    """Raise Throttled (429) if a caller has let the service compute for as long as they may."""
    counted = count([f"work-{caller}" for caller in callers.values()], 0, WORK_WINDOW)
    for name, (milliseconds, seconds) in zip(callers, counted, strict=True):
        limit = settings.WORK_SECONDS / (2 if name == "token" else 1)
        if milliseconds > 1000 * limit:
            detail = gettext(WORK_DESCRIPTIONS[name]) % {"limit": f"{limit:g}"}
            raise Throttled(seconds, f"{detail}.")


def charge_work(callers: Iterable[str], seconds: float) -> None:
    """Count the seconds that a request or a task of callers has computed."""
    if milliseconds := round(1000 * seconds):
        count([f"work-{caller}" for caller in callers], milliseconds, WORK_WINDOW)


@contextmanager
def charge_task(account_id: int | None) -> Iterator[None]:
    """Count the seconds that a task takes for the account that requested it, if one did."""
    start = time.monotonic()
    try:
        yield
    finally:
        if account_id is not None:
            charge_work([str(account_id)], time.monotonic() - start)


@contextmanager
def take_place(kind: str, caller: str) -> Iterator[None]:
    """Compute a request of a kind in AT_ONCE; raises Busy (503) or AlreadyRunning (429)."""
    places = _places[kind]
    own = f"{kind}-{caller}"
    if not take(own, LONGEST_PLACE):
        raise AlreadyRunning()
    try:
        if not places.acquire(blocking=False):
            raise Busy("busy", Text("other rounds are being paired; try again in some seconds"))
        try:
            yield
        finally:
            places.release()
    finally:
        release(own)


def rejected(policy: str, seconds: int) -> Throttled:
    """Return the error (429) of a caller who has used up a limit."""
    limit = settings.RATE_LIMITS[policy]
    return Throttled(seconds, f"{gettext(LIMIT_DESCRIPTIONS[policy]) % {'limit': limit}}.")


class QuotaReached(Conflict):
    """A quota does not allow as much as this (409)."""

    def __init__(self, name: str) -> None:
        limit = settings.QUOTAS[name]
        detail = Text("the limit is %(limit)s %(detail)s", limit=limit, detail=QUOTA_TEXTS[name])
        setting = f"QUOTA_{name.upper()}"
        super().__init__("quota_reached", detail, quota=name, limit=limit, setting=setting)


def lock_account(account: Account) -> None:
    """Lock the row of an account: parallel requests would all be within its quota."""
    # Not its key: rows that others insert meanwhile may refer to the account.
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def check_quota(name: str, number: int, *, by: Account) -> None:
    """Raise QuotaReached if this number is above the quota, unless staff asks for it."""
    if number > settings.QUOTAS[name] and not by.acts_as_staff:
        raise QuotaReached(name)
