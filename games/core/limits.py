"""Limits: what a caller may use in a minute (rate limits), and what an account may store (quotas).

A request without a token counts for its address, one with a token for its account, and a failed
login for both (games/core/authentication.py). `settings.RATE_LIMITS` has the units of each type of
caller; a request costs one, and more if `COSTS` names it. All processes share the counters
(games/core/broker.py).

Responses state the limit in the fields of the Internet-Draft draft-ietf-httpapi-ratelimit-headers
(revision 11): `RateLimit-Policy: "token";q=6000;w=60` is the quota and its window in seconds,
`RateLimit: "token";r=5990;t=42` the units that remain and the seconds until the quota is whole.

`settings.QUOTAS` has the quotas by name; the environment variable is the name in capitals after
`QUOTA_`. Site staff have none.
"""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext, gettext_noop
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.core.broker import count
from games.core.errors import Conflict
from games.core.requests import client_address
from games.models import Account
from games.rules.text import Text

WINDOW: Final = 60
"""Seconds after which a counter ends."""

COSTS: Final = {
    "import": 50,
    "bundle": 20,
    "explanation": 20,
    "export": 20,
    "pdf": 20,
    "plan": 50,
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
    "token": gettext_noop("The tokens of an account may use %(limit)s units a minute"),
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
    "tokens": Text("tokens of one account; revoke some first"),
    "plans_per_day": Text("plans that one account requests in 24 hours; wait, or ask site staff"),
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
        scope = getattr(view, "throttle_scope", request.accepted_renderer.format)
        cost = COSTS.get(scope, 1)
        if isinstance(request.user, Account):
            use_units(request, "token", str(request.user.pk), cost)
        else:
            use_units(request, "anonymous", network_of(client_address(request)), cost)
        return True


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
    """What remains of a limit after a request, until it is whole again in `seconds`."""

    policy: str
    remaining: int
    seconds: int
    is_allowed: bool

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of the response that state the limit and what remains of it."""
        return {
            "RateLimit-Policy": f'"{self.policy}";q={settings.RATE_LIMITS[self.policy]};w={WINDOW}',
            "RateLimit": f'"{self.policy}";r={self.remaining};t={self.seconds}',
        }


def use_units(request: Request, policy: str, caller: str, cost: int) -> None:
    """Take units from the caller's limit and state the rest; raises Throttled if too few remain."""
    use = count_units(policy, caller, cost)
    request.parser_context["view"].headers.update(use.fields)
    if not use.is_allowed:
        raise rejected(policy, use.seconds)


def count_units(policy: str, caller: str, cost: int) -> Use:
    """Take units from the caller's limit, none if too few remain."""
    limit, key = settings.RATE_LIMITS[policy], f"rate-{policy}-{caller}"
    cost = min(cost, limit)
    ((used, seconds),) = count([key], cost, WINDOW)
    is_allowed = used <= limit
    if not is_allowed:
        used -= cost
        count([key], -cost, WINDOW)
    return Use(policy, max(0, limit - used), max(1, seconds), is_allowed)


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


def check_quota(name: str, number: int, *, by: Account) -> None:
    """Raise QuotaReached if this number is above the quota, unless staff asks for it."""
    if number > settings.QUOTAS[name] and not by.acts_as_staff:
        raise QuotaReached(name)
