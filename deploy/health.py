"""Health checks: the database, the broker, the worker, the clocks and the disk."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from redis import RedisError, ResponseError

from deploy.broken_children import load_broken_children
from deploy.clocks import clock_differences
from deploy.disk import disk_problems
from deploy.ticks import tick_age
from games.attempts import MAX_ATTEMPTS
from games.broker import connect
from games.queries import given_up_games
from games.rules.text import Text
from ratings.queries.pools import differing_pools
from tournament.queries.webhooks import due_deliveries

LONGEST_DELAY: Final = timedelta(minutes=2)
"""The age of a due webhook delivery that nobody attempts; a sweep looks every five seconds."""

LONGEST_WITHOUT_TICK: Final = 45.0
"""Seconds; a tick is due every ten, and a worker with a long task may miss some."""

MOST_NAMED: Final = 10
"""Games that health names."""

UNKNOWN_HEALTH: Final = Text("unknown while the broker does not respond")


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Respond without checking anything: the process is running."""
    return _respond({"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Report each part: 503 without the database, `degraded` if only tasks are delayed.

    Pages and result entry work without the broker and the worker, so a load balancer should
    continue to send requests.
    """
    parts = health_parts()
    broken = [name for name, problem in parts.items() if problem]
    status = "broken" if "database" in broken else "degraded" if broken else "ok"
    body: dict[str, object] = {
        "status": status,
        "broken": broken,
        "parts": {name: problem or "ok" for name, problem in parts.items()},
    }
    return _respond(body, status=503 if status == "broken" else 200)


def health_parts() -> dict[str, str]:
    """Return what is wrong with each part of the service, empty if it is in order."""
    servers = {"database": database_problem(), "broker": broker_problem()}
    responding = [name for name, problem in servers.items() if not problem]
    return {
        **servers,
        "worker": UNKNOWN_HEALTH if servers["broker"] else worker_problem(),
        "clock": joined(clock_differences(responding)),
        "disk": joined(disk_problems()),
        "games": "" if servers["database"] else games_problem(),
        "ratings": "" if servers["database"] else ratings_problem(),
        "webhooks": "" if servers["database"] else webhooks_problem(),
        "children": joined(child_problems().values()),
    }


def joined(problems: Iterable[str]) -> str:
    """Return several problems as one text; empty if there is none."""
    first, *others = [*problems] or [""]
    for other in others:
        first = Text("%(detail)s; %(detail2)s", detail=first, detail2=other)
    return first


def database_problem() -> str:
    """Return why the database cannot be used, empty if it can."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError):
        return Text("the database does not respond")
    return ""


def broker_problem() -> str:
    """Return why the broker cannot be used, empty if it can."""
    try:
        connect().ping()
    except ResponseError as error:
        return Text("the broker responds with an error: %(reason)s", reason=error)
    except (RedisError, OSError):
        return Text("the broker does not respond")
    return ""


def worker_problem() -> str:
    """Return why the worker is considered stopped, empty if its last tick is recent."""
    try:
        age = tick_age()
    except (RedisError, OSError):
        return UNKNOWN_HEALTH
    if age is None:
        return Text("no worker has run a tick yet")
    return (
        Text("the last tick was %(seconds)s s ago", seconds=f"{age:.0f}")
        if age > LONGEST_WITHOUT_TICK
        else ""
    )


def games_problem() -> str:
    """Return which games are given up, empty if none is."""
    games = list(given_up_games().order_by("pk").values_list("pk", flat=True)[:MOST_NAMED])
    more = ", ..." if len(games) == MOST_NAMED else ""
    numbers = ", ".join(map(str, games)) + more
    return (
        Text(
            "not settled after %(count)s attempts: %(numbers)s", count=MAX_ATTEMPTS, numbers=numbers
        )
        if games
        else ""
    )


def ratings_problem() -> str:
    """Return in which pools the ratings are not those of a recomputation, empty if in none."""
    codes = list(differing_pools().values_list("code", flat=True)[:MOST_NAMED])
    return Text("not those of a recomputation: %(names)s", names=", ".join(codes)) if codes else ""


def webhooks_problem() -> str:
    """Return whether webhook deliveries are not attempted when they are due, empty if they are.

    A receiver that fails is not a problem of the service: its next attempt is not due yet.
    """
    overdue = due_deliveries(timezone.now() - LONGEST_DELAY).count()
    return Text("overdue deliveries: %(count)s", count=overdue) if overdue else ""


def child_problems() -> dict[str, str]:
    """Return why each broken child of `manage.py up` is considered broken, by its name."""
    return {
        name: f"the {name} died {deaths} times in a row"
        for name, deaths in load_broken_children().items()
    }


def _respond(body: dict[str, object], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
