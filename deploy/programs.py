"""The commands of the programs that `manage.py up` and `manage.py run` start.

Celery's options leave out what several workers tell each other, which nothing here needs.
"""

import os
import sys
import tempfile
from typing import Final

from django.conf import settings

from deploy.schedule import LONGEST

CELERY: Final = (
    *(sys.executable, "-m", "celery", "--app=deploy.celery", "--skip-checks", "--quiet"),
)

WEB_DATABASE_WAIT: Final = os.environ.get("DATABASE_WAIT") or "5"
"""Seconds that a request, and so a thread of the web server, waits for the database."""


def web_server() -> list[str]:
    """Return the command of uvicorn; a proxy closes unused connections before it does.

    At SIGTERM it finishes the requests that it has. With several processes, SIGHUP replaces them
    one after the other, each when the new one has loaded.
    """
    return [
        *(sys.executable, "-m", "uvicorn", "deploy.asgi:application"),
        *("--host", settings.HOST, "--port", str(settings.PORT)),
        *("--workers", str(settings.WEB_PROCESSES), "--backlog", "4096"),
        *("--timeout-keep-alive", "75", "--timeout-graceful-shutdown", "25"),
        *("--timeout-worker-healthcheck", "60"),
        *("--http", "deploy.asgi:Protocol", "--lifespan", "off", "--ws", "none"),
        *("--log-level", "warning"),
        *("--no-access-log", "--no-server-header", "--no-proxy-headers"),
    ]


def share_metrics() -> dict[str, str]:
    """Return the variable with which several web processes count their requests together."""
    name = "PROMETHEUS_MULTIPROC_DIR"
    if settings.WEB_PROCESSES == 1 or name in os.environ:
        return {}
    return {name: tempfile.mkdtemp(prefix="perihelion-")}


QUEUES: Final = "results,ratings,mail,webhooks"
"""All but those of what takes long."""


def worker(queues: str = QUEUES) -> list[str]:
    """Return the command of the worker for all but long tasks, or for some of its queues."""
    return _worker("worker", queues, "threads", settings.WORKER_THREADS)


def scheduler() -> list[str]:
    """Return the command of the scheduler (Celery beat).

    In the worker (`-B`) it would be a process that survives if the worker and `up` are killed.
    """
    return [*CELERY, "beat", "--pidfile="]


def analyses() -> list[str]:
    """Return the command of the worker for what computes for long, one task at a time."""
    return _long("analyses", processes=1)


def imports() -> list[str]:
    """Return the command of the worker for imports of files, two at a time.

    Of an account, one runs at a time (games/core/turns.py), so there is a process for others.
    """
    return _long("imports", processes=2)


def _long(queue: str, *, processes: int) -> list[str]:
    """Return the command of a worker for one queue of long tasks.

    A process is replaced after a task that has left it with more than half of the memory that a
    task may have (`limit_memory` in deploy/celery.py).
    """
    most = f"--max-memory-per-child={settings.ANALYSIS_MIB * 1024 // 2}"
    limits = f"--soft-time-limit={LONGEST[queue] - 60}", f"--time-limit={LONGEST[queue]}"
    return _worker(queue, queue, "prefork", processes, most, *limits)


def _worker(name: str, queues: str, pool: str, concurrency: int, *more: str) -> list[str]:
    return [
        *(*CELERY, "worker", f"--hostname={name}@%h", f"--queues={queues}", f"--pool={pool}"),
        *(f"--concurrency={concurrency}", "--without-gossip", "--without-mingle"),
        *("--without-heartbeat", *more),
    ]
