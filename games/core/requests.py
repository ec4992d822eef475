"""What views need around a service: the account, a valid body, the game, the task that it sends.

A response waits for a task as long as the request prefers (`Prefer: wait=10`), unless too many are
waiting: each of them takes a thread of the web server.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, Protocol

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.settings import api_settings

from games.core.errors import unknown_key
from games.core.permissions import MATRIX, may, require
from games.core.serializers import require_known_members
from games.models import Account, Token


class Caller(Protocol):
    """Who asks: a request of the API or of a page, or the call of an action."""

    @property
    def user(self) -> Any:
        """Return the account, or an anonymous user."""

    @property
    def auth(self) -> Any:
        """Return the token, if there is one."""


MAX_WAIT = 30.0
"""Seconds that a request waits at most."""

waiting_requests = BoundedSemaphore(settings.MAX_WAITING_REQUESTS)
"""Acquired by each request of this process that waits for a task."""

LoadTask = Callable[[int], dict[str, Any] | None]
"""Compute a task from the rows, as JSON with `stream` and what the API shows, or None."""


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


def current_account(caller: Caller) -> tuple[Any, Token | None]:
    """Return the account (or an anonymous user) and the token of a caller."""
    return caller.user, caller.auth if isinstance(caller.auth, Token) else None


def require_account(
    caller: Caller, action: str, *, stream: str = "", seats: list[str] | None = None
) -> Account:
    """Return the account if it may do the action; raises LoginNeeded (401) or Forbidden (403)."""
    user, token = current_account(caller)
    return require(user, token, action, stream=stream, seats=seats)


def viewer(caller: Caller, action: str) -> tuple[Account | None, str]:
    """Return the account to filter rows by, and the one stream that its token is valid for.

    A token without a scope for the action (`tournament.see`, `game.see`) sees what is public.
    """
    user, token = current_account(caller)
    lacks_scope = token is not None and not set(MATRIX[action].scopes) & set(token.scopes)
    if lacks_scope or not isinstance(user, Account):
        return None, ""
    return user, token.stream if token else ""


def can_see_drafts(caller: Caller, stream: str) -> bool:
    """Return True if the account may see what is not published in an event."""
    user, token = current_account(caller)
    return may(user, token, "drafts.see", stream=stream)


def validated(serializer_class: type[Serializer], data: Any, **options: Any) -> dict[str, Any]:
    """Return validated data; raises ValidationError (422), Unprocessable for an unknown member.

    The options are those of the serializer, such as `partial=True`.
    """
    serializer = serializer_class(data=data, **options)
    require_known_members(serializer, data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def is_flag_set(request: Request, name: str) -> bool:
    """Return True if the query has this flag with any value but `0`, `false` and `no`."""
    value = request.query_params.get(name)
    return value is not None and value.lower() not in ("0", "false", "no")


def is_dry_run(request: Request) -> bool:
    """Return True if `?dry_run=1` requests to show the effect and to change nothing."""
    return is_flag_set(request, "dry_run")


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of task, which is the first part of its id, as in `report-17`.

    `can_see` decides whether a request may see it, given its number and its stream.
    """

    load: LoadTask
    can_see: Callable[[Request, int, str], bool]


def wait_seconds(request: Request) -> float:
    """Return the seconds in `Prefer: wait=10` (RFC 7240), at most `MAX_WAIT`.

    There are none with an `Idempotency-Key`, or with that of a form: the response is stored before
    the task starts.
    """
    is_keyed = request.parser_context["view"].keyed_write is not None
    if is_keyed or "Idempotency-Key" in request.headers:
        return 0.0
    found = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(float(found[1]), MAX_WAIT) if found else 0.0


def wait_while(
    load: LoadTask, number: int, states: tuple[str, ...], seconds: float
) -> dict[str, Any] | None:
    """Load a task again and again while it is in one of the states, for at most `seconds`.

    If `MAX_WAITING_REQUESTS` are waiting already, load it only once.
    """
    until, pause = time.monotonic() + seconds, 0.005
    task = load(number)
    is_waiting = task and task["state"] in states and seconds
    if not (is_waiting and waiting_requests.acquire(blocking=False)):
        return task
    try:
        while task and task["state"] in states and time.monotonic() < until:
            time.sleep(pause)
            pause, task = min(pause * 1.5, 0.2), load(number)
    finally:
        waiting_requests.release()
    return task


def wait_for_task(
    load: LoadTask, number: int, body: Mapping[str, Any], seconds: float
) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Return the accepted body with the task, the status and the headers.

    The status is 202, or 200 if the task is done within the wait.
    """
    task = wait_while(load, number, ("waiting",), seconds) or {}
    visible = {name: value for name, value in task.items() if name != "stream"}
    is_done = bool(visible) and visible["state"] != "waiting"
    headers = {"Location": f"/api/v1/tasks/{visible['id']}"} if visible else {}
    return {**body, "task": visible}, 200 if is_done else 202, headers


def requested_choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, by default the first."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise unknown_key(name, word, valid)
    return word
