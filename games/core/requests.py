"""The options of a request: its flags and choices, its wait, the address of its client."""

import re
from collections.abc import Sequence

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.settings import api_settings

from games.core.errors import unknown_key

MAX_WAIT = 30.0
"""Seconds that a request waits at most."""


def client_address(request: HttpRequest | Request) -> str:
    """Return the address of the client.

    Behind proxies it is the one that the outermost trusted proxy (`NUM_PROXIES`) has seen; anything
    before it in `X-Forwarded-For` was sent by the client and may be forged.
    """
    trusted = int(api_settings.NUM_PROXIES or 0)
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if trusted and len(forwarded) >= trusted and forwarded[-trusted].strip():
        return str(forwarded[-trusted].strip())
    return str(request.META.get("REMOTE_ADDR", ""))


def is_flag_set(request: Request, name: str) -> bool:
    """Return True if the query has this flag with any value but `0`, `false` and `no`."""
    value = request.query_params.get(name)
    return value is not None and value.lower() not in ("0", "false", "no")


def is_dry_run(request: Request) -> bool:
    """Return True if `?dry_run=1` requests to show the effect and to change nothing."""
    return is_flag_set(request, "dry_run")


def wait_seconds(request: Request) -> float:
    """Return the seconds in `Prefer: wait=10` (RFC 7240), at most `MAX_WAIT`."""
    found = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(float(found[1]), MAX_WAIT) if found else 0.0


def requested_choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, by default the first."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise unknown_key(name, word, valid)
    return word
