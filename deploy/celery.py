"""The Celery application: finds each app's tasks, and carries the request id along with them."""

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_ready,
)

from deploy import request_id
from deploy.gc_tuning import collect_seldom

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

log = logging.getLogger("perihelion.tasks")

app = Celery("perihelion")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Leave the logging as Django's settings have it; Celery asks whether anybody cares."""
    logging.getLogger("celery.beat").setLevel(logging.WARNING)
    logging.getLogger("celery.worker.strategy").setLevel(logging.WARNING)
    logging.getLogger("celery.app.trace").setLevel(logging.WARNING)


@worker_ready.connect
def collect_garbage_seldom(**_: Any) -> None:
    """As the web application does."""
    collect_seldom()


@before_task_publish.connect
def send_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Write the request's id into the message."""
    if headers is not None and request_id.request_id():
        headers["request_id"] = request_id.request_id()


@task_prerun.connect
def take_request_id(task: Any = None, **_: Any) -> None:
    """Go on under the id that came with the message."""
    request_id.begin(_sent_id(task))


@task_postrun.connect
def note_task(task: Any = None, state: str = "", **_: Any) -> None:
    """Log a task that a request sent, not the clock's many sweeps that find nothing; then end."""
    if _sent_id(task):
        log.info("%s %s", task.name, state, extra={"task": task.name})
    request_id.end()


def _sent_id(task: Any) -> str:
    return str((getattr(task.request, "headers", None) or {}).get("request_id", ""))
