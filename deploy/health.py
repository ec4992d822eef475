"""What is wrong with each part of the service, for `/health/ready` and `manage.py doctor`."""

import filecmp
import math
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from redis import RedisError, ResponseError

from deploy.checks import schema_problem, unknown_migrations
from deploy.schedule import LONGEST
from deploy.tasks import beat_age, beat_clock, broker_time, tick_ages
from games.core.accounts.mail import count_failing
from games.core.broker import connect
from games.core.errors import data_folders
from games.models.attempts import MAX_ATTEMPTS
from games.play.queries import given_up_games
from games.rules.text import Text
from ratings.core.pools import differing_pools
from tournament.subscriptions.notices import count_failing_notices, due_notices
from tournament.webhooks.queries import due_deliveries

LONGEST_DELAY: Final = timedelta(minutes=2)
"""The age of a due webhook delivery that nobody attempts; a sweep looks every five seconds."""

LONGEST_WITHOUT_TICK: Final = 45.0
"""Seconds; a tick is due every ten, and a worker with a long task may miss some.

Where all processes of a worker may have a long one, as many more as it may take.
"""

MOST_CLOCK_SECONDS: Final = 5.0
"""Seconds between this machine's clock and the clock of the database or the broker."""

MOST_NAMED: Final = 10
OUR_APPS: Final = ("deploy", "games", "ratings", "tournament")
NO_DATABASE: Final = Text("the database does not respond")
NOT_IN_TIME: Final = Text("no answer within a second")
NO_BROKER: Final = Text("the broker does not respond")
UNKNOWN_HEALTH: Final = Text("unknown while the broker does not respond")
UNKNOWN_CLOCKS: Final = Text("unknown while the database or the broker does not respond")
UNKNOWN_ROWS: Final = Text("unknown until the database and its tables are in order")


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Respond without checking anything; in the service, the event loop does (deploy/asgi.py)."""
    return _respond(alive())


def alive() -> dict[str, object]:
    """Return what a process that runs says of itself."""
    return {"status": "ok", "version": settings.VERSION}


def stopping() -> dict[str, object]:
    """Return what a web server that stops says of itself, in the form of `ready`."""
    parts = {"web": "this web server is being stopped; send requests to another one"}
    return {**alive(), "status": "broken", "broken": [*parts], "parts": parts}


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Report each part; in the service, the event loop does (deploy/readiness.py)."""
    body = summary(health_parts())
    return _respond(body, status=status_of(body))


def summary(parts: Mapping[str, str]) -> dict[str, object]:
    """Return what `ready` says: `broken` without the database or its tables, or `degraded`.

    Pages and result entry work without the broker and the worker, so a load balancer should
    continue to send requests. So it should to a process that has not been restarted since an
    upgrade has added to the tables.
    """
    stops = parts["database"] or (parts["schema"] and not unknown_migrations())
    return report_on(parts, stops=bool(stops))


def report_on(parts: Mapping[str, str], *, stops: bool) -> dict[str, object]:
    """Return the body of `ready` for what is wrong with each part."""
    broken = [name for name, problem in parts.items() if problem]
    return {
        "status": "broken" if stops else "degraded" if broken else "ok",
        "version": settings.VERSION,
        "broken": broken,
        "parts": {name: problem or "ok" for name, problem in parts.items()},
    }


def unfinished(found: Mapping[str, str]) -> dict[str, object]:
    """Return what `ready` says when only these parts have been found out in time."""
    is_away = found.get("database") != ""
    rest = dict.fromkeys(PARTS, NOT_IN_TIME) | ({"database": NO_DATABASE} if is_away else {})
    return report_on({**rest, **found}, stops=is_away)


def status_of(body: Mapping[str, object]) -> int:
    """Return the status with which `ready` says this."""
    return 503 if body["status"] == "broken" else 200


def health_parts(known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what is wrong with each part of the service, empty if it is in order.

    What needs a part that does not respond is not asked: each question would wait as long again.
    What is `known` already is not asked either.
    """
    found: dict[str, str] = dict(known or {})
    find_parts(found)
    return {name: found[name] for name in PARTS}


def find_parts(found: dict[str, str]) -> None:
    """Add what is wrong with the parts that are not found yet, one after the other."""
    for name, part in PARTS.items():
        if name not in found:
            is_unknown = any(found.get(need) for need in part.needs)
            found[name] = part.unknown if is_unknown else part.find()


def database_problem() -> str:
    """Return why the database cannot be used, empty if it can."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError):
        return NO_DATABASE
    return ""


def broker_problem() -> str:
    """Return why the broker cannot be used, empty if it can."""
    try:
        connect().ping()
    except ResponseError as error:
        return Text("the broker responds with an error: %(reason)s", reason=error)
    except (RedisError, OSError):
        return NO_BROKER
    return ""


def beat_problem() -> str:
    """Return why the scheduler is considered stopped, empty if it has sent a tick recently."""
    try:
        age = beat_age()
    except (RedisError, OSError):
        return UNKNOWN_HEALTH
    if age is None:
        return Text("the scheduler (beat) has not sent a task yet")
    if age <= LONGEST_WITHOUT_TICK:
        return ""
    return Text(
        "the scheduler (beat) has sent its last task %(seconds)s s ago", seconds=f"{age:.0f}"
    )


def worker_problem() -> str:
    """Return which queues have no worker, empty if each has run the ticks that were sent.

    While the scheduler is stopped, those that were sent before count.
    """
    try:
        ages, sent = tick_ages(), beat_age()
    except (RedisError, OSError):
        return UNKNOWN_HEALTH
    if sent is None:
        return Text("unknown while the scheduler (beat) has not sent a task")
    late = [
        queue
        for queue in settings.CELERY_TASK_QUEUES
        if ages.get(queue, math.inf) - sent > LONGEST_WITHOUT_TICK + LONGEST.get(queue, 0)
    ]
    return Text("no worker runs the tasks of: %(names)s", names=", ".join(late)) if late else ""


def clock_problem() -> str:
    """Return whose clock differs from this machine's; skip those that do not respond."""
    for name, read in CLOCKS.items():
        before = datetime.now(UTC)
        try:
            at = read()
        except (DatabaseError, RedisError, OSError):
            continue  # reported by the server's own check
        # Between the two times of this machine there is no difference, however long it paused.
        ahead, behind = at - datetime.now(UTC), at - before
        seconds = max(ahead, min(behind, timedelta())).total_seconds()
        if abs(seconds) > MOST_CLOCK_SECONDS:
            return _clock_text(name, seconds)
    # By the scheduler's clock, its tasks expire before a worker has them, or are sent again.
    with suppress(RedisError, OSError):
        if abs(seconds := beat_clock()) > MOST_CLOCK_SECONDS:
            return _clock_text("scheduler", seconds)
    return ""


def _clock_text(name: str, seconds: float) -> Text:
    return Text(
        "the %(name)s's clock differs by %(seconds)s s", name=name, seconds=f"{seconds:.0f}"
    )


def database_time() -> datetime:
    """Return the time of PostgreSQL's clock; SQLite has that of this machine."""
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        return cursor.execute("SELECT clock_timestamp()").fetchone()[0]


CLOCKS: Final = {"database": database_time, "broker": broker_time}


def disk_problem() -> str:
    """Return which folder has less free space than the setting LOW_DISK_MIB."""
    for name, folder in data_folders().items():
        if (free := shutil.disk_usage(folder).free) < settings.LOW_DISK:
            return Text("only %(free)s MiB are free in %(folder)s", free=free >> 20, folder=name)
    return ""


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


def mail_problem() -> str:
    """Return how many messages the mail server has not taken, empty if there are none."""
    count = count_failing() + count_failing_notices()
    return Text("messages that could not be sent: %(count)s", count=count) if count else ""


def webhooks_problem() -> str:
    """Return whether webhook deliveries and what browsers show are not attempted when they are due.

    A receiver that fails is not a problem of the service: its next attempt is not due yet.
    """
    at = timezone.now() - LONGEST_DELAY
    overdue = due_deliveries(at).count() + due_notices(at, to_devices=True).count()
    return Text("overdue deliveries: %(count)s", count=overdue) if overdue else ""


def static_problem() -> str:
    """Return where files of the pages are not collected, or are those of another version."""
    if not missing_files(settings.STATIC_ROOT):
        return ""
    return Text("files of the pages are missing or old in %(folder)s", folder=settings.STATIC_ROOT)


@cache
def missing_files(folder: Path) -> list[str]:
    """Return our static files that a folder lacks; a process reads them once, at its start."""
    return [
        name
        for finder in get_finders()
        for name, storage in finder.list([])
        if name.partition("/")[0] in OUR_APPS and not is_copy(folder / name, storage.path(name))
    ]


def is_copy(copy: Path, original: str) -> bool:
    """Return True if a file exists and has the content of another one."""
    return copy.is_file() and filecmp.cmp(copy, original, shallow=False)


@dataclass(frozen=True, slots=True)
class Part:
    """How to find what is wrong with a part, what to do then, and which parts it `needs`.

    `unknown` is its problem while one of those does not respond.
    """

    find: Callable[[], str]
    advice: str
    needs: tuple[str, ...] = ()
    unknown: str = ""


PARTS: Final = {
    "database": Part(database_problem, ": check DATABASE_URL."),
    "schema": Part(schema_problem, "", ("database",), UNKNOWN_ROWS),
    "broker": Part(
        broker_problem,
        ": run 'manage.py up', or check REDIS_URL. Until then, reports are not settled.",
    ),
    "beat": Part(
        beat_problem,
        ": run 'manage.py up', or 'manage.py run beat'. Until then, lost work is not found.",
        ("broker",),
        UNKNOWN_HEALTH,
    ),
    "worker": Part(
        worker_problem,
        ": run 'manage.py up', or start a worker of these queues. Until then, their work waits.",
        ("broker",),
        UNKNOWN_HEALTH,
    ),
    "clock": Part(
        clock_problem, ": synchronise all machines.", ("database", "broker"), UNKNOWN_CLOCKS
    ),
    "disk": Part(disk_problem, ": free some space. On a full disk, nothing can be stored."),
    "static": Part(static_problem, ": run 'manage.py collectstatic', and restart the web server."),
    "games": Part(
        games_problem,
        ". Read the worker's log; each has another attempt every hour.",
        ("database", "schema"),
        UNKNOWN_ROWS,
    ),
    "ratings": Part(
        ratings_problem,
        ". Run 'manage.py verify_ratings', and find out what changed the rows.",
        ("database", "schema"),
        UNKNOWN_ROWS,
    ),
    "mail": Part(
        mail_problem,
        ". Run 'manage.py sendtestemail', which says why, and check EMAIL_URL.",
        ("database", "schema"),
        UNKNOWN_ROWS,
    ),
    "webhooks": Part(
        webhooks_problem,
        ". Start a worker of the queue webhooks, or read its log.",
        ("database", "schema"),
        UNKNOWN_ROWS,
    ),
}


FULL_BROKER: Final = (
    ": read its log. MISCONF means that it cannot write: free some space on its disk."
)


def advice_on(name: str, problem: str) -> str:
    """Return what to do about a part; nothing about one that could not be asked."""
    if problem == PARTS[name].unknown:
        return "."
    if name == "broker" and problem != NO_BROKER:  # it does respond
        return FULL_BROKER
    return PARTS[name].advice


def _respond(body: dict[str, object], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
