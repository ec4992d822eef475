"""Failed logins: limited by account and address, without locking out the account's owner.

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
from typing import Final

from django.conf import settings
from rest_framework.request import Request

from games.core.limits import WINDOW, network_of, rejected, state_limit
from games.core.requests import client_address
from games.http import counters

MONTH_SECONDS: Final = 30 * 24 * 3600
"""Seconds for which an address from which an account has logged in is known."""


def _names(request: Request, email: str) -> tuple[str, str, str]:
    """Return the names of the counters: account and address, address, account."""
    account = hashlib.sha256(email.strip().lower().encode()).hexdigest()[:32]
    network = network_of(client_address(request))
    return f"login-{account}-{network}", f"login-from-{network}", f"login-to-{account}"


def begin_login(request: Request, email: str) -> None:
    """Count a login, before the password is checked; raises Throttled (429) if it is too many."""
    names, limit = _names(request, email), settings.RATE_LIMITS["login"]
    both, address, account = counters.count(names, 1, WINDOW)
    remaining = max(0, limit - both[0])
    is_suspicious = address[0] > limit or (account[0] > limit and both[0] > 1)
    is_rejected = both[0] > limit or (is_suspicious and not counters.is_marked(f"known-{names[0]}"))
    seconds = max(both[1], address[1], account[1])
    state_limit(request, "login", remaining=0 if is_rejected else remaining, seconds=seconds)
    if is_rejected:
        raise rejected("login", seconds)


def end_login(request: Request, email: str) -> None:
    """Take back the count of a login that succeeded, and remember its address."""
    names = _names(request, email)
    counters.count(names, -1, WINDOW)
    counters.mark(f"known-{names[0]}", MONTH_SECONDS)
