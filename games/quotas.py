"""Quotas: how much an account may store. `settings.QUOTAS` has the limits by name.

The environment variable of a quota is its name in capitals after `QUOTA_`. Site staff have no
quotas.
"""

from typing import Final

from django.conf import settings

from games.core.errors import Conflict
from games.models import Account
from games.rules.text import Text

QUOTA_TEXTS: Final = {
    "reports": Text("reports by one player about one game"),
    "record_bytes": Text("bytes of records by one player about one game"),
    "entries": Text("entries in one event"),
    "responses": Text("requests with an Idempotency-Key by one account in 24 hours"),
    "response_bytes": Text("bytes of responses to requests with an Idempotency-Key in 24 hours"),
    "proposals": Text("open proposals of games by one player; cancel some first"),
    "tokens": Text("tokens of one account; revoke some first"),
    "plans_per_day": Text("plans that one account requests in 24 hours; wait, or ask site staff"),
    "invitations": Text("open invitations of one event; revoke some first"),
    "webhooks": Text("webhooks of one account; delete some first"),
    "events_per_day": Text("events that one account creates in 24 hours; wait, or ask site staff"),
}
"""What each quota limits."""


class QuotaReached(Conflict):
    """A quota does not allow as much as this (409)."""

    def __init__(self, name: str) -> None:
        limit = settings.QUOTAS[name]
        detail = Text("the limit is %(limit)s %(detail)s", limit=limit, detail=QUOTA_TEXTS[name])
        setting = f"QUOTA_{name.upper()}"
        super().__init__("quota_reached", detail, quota=name, limit=limit, setting=setting)


def check_quota(name: str, number: int, *, by: Account) -> None:
    """Raise QuotaReached if this number is above the quota, unless staff asks for it."""
    if number > settings.QUOTAS[name] and not by.is_staff:
        raise QuotaReached(name)
