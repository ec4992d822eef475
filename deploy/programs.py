"""The programs of the service as functions, for processes forked from one that has loaded them.

Installations without `manage.py up` start the same with `uvicorn` and `celery`.
"""

import sys
from importlib import import_module
from typing import Final

from django.conf import settings
from django.urls import get_resolver

from deploy.celery import app
from deploy.gc_tuning import collect_less_often

MODULES: Final = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "kombu.transport.redis",
)


def load_programs() -> None:
    """Load the modules of all programs.

    It creates nothing that has a connection or a thread; the WSGI application is created later.
    """
    for name in (*MODULES, *(path.rpartition(".")[0] for path in settings.MIDDLEWARE)):
        import_module(name)
    app.loader.import_default_modules()
    _ = get_resolver().url_patterns
    collect_less_often()


def web_server() -> list[str]:
    """Return the command of the web server; a browser waits less than 75 s for a connection."""
    return [
        *(sys.executable, "-m", "uvicorn", "deploy.asgi:application"),
        *("--host", settings.HOST, "--port", str(settings.PORT)),
        *("--workers", str(settings.WEB_PROCESSES), "--backlog", "4096"),
        *("--timeout-keep-alive", "75", "--timeout-graceful-shutdown", "2"),
        *("--lifespan", "off", "--ws", "none", "--log-level", "warning"),
        *("--no-access-log", "--no-server-header", "--no-proxy-headers"),
    ]


def worker_arguments() -> list[str]:
    """Return the arguments of Python for the worker."""
    return _celery_arguments(
        *("worker", "--pool=threads", f"--concurrency={settings.WORKER_THREADS}"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )


def scheduler_arguments() -> list[str]:
    """Return the arguments of Python for the scheduler (Celery beat)."""
    return _celery_arguments("beat", "--pidfile=")


def _celery_arguments(*arguments: str) -> list[str]:
    return ["-m", "celery", "--app=deploy.celery", "--skip-checks", "--quiet", *arguments]


def run_celery(arguments: list[str]) -> None:
    """Run what Python would run with these arguments, until SIGTERM."""
    sys.argv = arguments  # Celery starts them again on SIGHUP
    sys.exit(app.start(arguments[3:]))
