"""What every view does before it calls a service: who asks, what was sent, how long it may wait."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games import queries
from games.accounts.permissions import MATRIX, may, require
from games.http.errors import NotFound
from games.models import Account, Game, Token

LONGEST_WAIT = 30.0


def current_account(request: Request) -> tuple[Any, Token | None]:
    """The account (or an anonymous user) and the token that the request came with."""
    return request.user, request.auth if isinstance(request.auth, Token) else None


def require_account(
    request: Request, action: str, *, stream: str = "", seats: list[str] | None = None
) -> Account:
    """The asking account, if it may do this; raises 401 or 403."""
    user, token = current_account(request)
    return require(user, token, action, stream=stream, seats=seats)


def viewer(request: Request, action: str) -> tuple[Account | None, str]:
    """Whose eyes a request reads with: an account, and the one stream its token is good for.

    A token without a scope for the action (`tournament.see`, `game.see`) reads what anyone may.
    """
    user, token = current_account(request)
    lacks = token is not None and not set(MATRIX[action].scopes) & set(token.scopes)
    if lacks or not isinstance(user, Account):
        return None, ""
    return user, token.stream if token else ""


def can_see_drafts(request: Request, stream: str) -> bool:
    """Whether the caller directs this event, and so sees what is not published in it."""
    user, token = current_account(request)
    return may(user, token, "drafts.see", stream=stream)


def validated_body(shape: type[Serializer], request: Request) -> dict[str, Any]:
    """The body in the shape that is expected; raises ValidationError (422)."""
    return validated(shape, request.data)


def validated(shape: type[Serializer], data: Any) -> dict[str, Any]:
    """A value in the shape that is expected; raises ValidationError (422)."""
    serializer = shape(data=data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def visible_games(request: Request) -> "QuerySet[Game]":
    """The games that the caller may see."""
    return queries.visible_games(*viewer(request, "game.see"))


def is_dry_run(request: Request) -> bool:
    """Whether `?dry_run=1` asks to show the effect and change nothing.

    Only a plain no makes it real: a word that is not understood must not change anything.
    """
    return is_flag_set(request, "dry_run")


def is_flag_set(request: Request, name: str) -> bool:
    """Whether the query says so: any word but a plain no."""
    wish = request.query_params.get(name)
    return wish is not None and wish.lower() not in ("0", "false", "no")


@contextmanager
def maybe_dry_run(request: Request) -> Iterator[None]:
    """Around a service's call: with `?dry_run=1` all is undone at the end, and nothing is sent.

    A real call is left to the service's own transactions, so that a trace which it leaves of a
    refusal stays.
    """
    if not is_dry_run(request):
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def game_not_found(game_id: int) -> NotFound:
    """What is answered of a game that is not there, or not to be seen."""
    return NotFound("not_found", f"there is no game {game_id} that you may see")


def get_visible_game(request: Request, game_id: int) -> Game:
    """The game, if the caller may see it; raises NotFound."""
    game = (
        visible_games(request)
        .select_related("first", "second", "record")
        .filter(pk=game_id)
        .first()
    )
    if game is None:
        raise game_not_found(game_id)
    return game


def wait_seconds(request: Request) -> float:
    """The seconds of `Prefer: wait=10` (RFC 7240), at most half a minute."""
    found = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(float(found[1]), LONGEST_WAIT) if found else 0.0


def task_response(
    request: Request, progress: Callable[[], dict[str, Any] | None], body: dict[str, Any]
) -> Response:
    """202 with the task's address; `Prefer: wait=` first waits for it to be done, then 200.

    `progress` computes the task's state from the rows, `body` is what was accepted.
    """
    until = time.monotonic() + wait_seconds(request)
    pause, state = 0.005, progress()
    while state and state["state"] == "waiting" and time.monotonic() < until:
        time.sleep(pause)
        pause, state = min(pause * 1.5, 0.2), progress()
    shown = {key: value for key, value in (state or {}).items() if key != "stream"}
    done = bool(state) and shown["state"] != "waiting"
    headers = {"Location": f"/api/v1/tasks/{shown['id']}"} if shown else {}
    return Response({**body, "task": shown}, status=200 if done else 202, headers=headers)
