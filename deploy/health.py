"""Health: what is broken, found by asking the database, the broker and the worker's tick."""

from typing import Final

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from redis import RedisError

from deploy.broker import tick_age
from games.broker import connect

LONGEST_WITHOUT_TICK: Final = 45.0
"""Seconds; ticks come every ten, and a worker busy with a long task may miss some."""

UNKNOWN: Final = "unknown while the broker does not answer"


def live(request: HttpRequest) -> JsonResponse:
    """Whether this process answers; asks nothing else."""
    return _answer({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """What works: 503 when the database does not; `degraded` when only the tasks are held up.

    Without the broker or a worker, pages and result entry go on, so traffic should keep coming.
    """
    broker = broker_fault()
    worker = UNKNOWN if broker else worker_fault()
    parts = {"database": database_fault(), "broker": broker, "worker": worker}
    broken = [name for name, fault in parts.items() if fault]
    status = "broken" if "database" in broken else "degraded" if broken else "ok"
    body: dict[str, object] = {
        "status": status,
        "broken": broken,
        "parts": {name: fault or "ok" for name, fault in parts.items()},
    }
    return _answer(body, status=503 if status == "broken" else 200)


def database_fault() -> str:
    """What keeps the database from answering; empty if nothing."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError):
        return "the database does not answer"
    return ""


def broker_fault() -> str:
    """What keeps the broker from answering; empty if nothing."""
    try:
        connect().ping()
    except (RedisError, OSError):
        return "the broker does not answer"
    return ""


def worker_fault() -> str:
    """What is wrong with the worker; empty if it has carried out a tick lately."""
    try:
        age = tick_age()
    except (RedisError, OSError):
        return UNKNOWN
    if age is None:
        return "no worker has carried out a tick yet"
    return f"the last tick is {age:.0f} s old" if age > LONGEST_WITHOUT_TICK else ""


def _answer(body: dict[str, object], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
