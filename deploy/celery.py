"""The Celery application: finds each app's tasks, and carries the request id along with them."""

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun

from deploy import tracing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

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


@before_task_publish.connect
def send_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Write the request's id into the message."""
    if headers is not None and tracing.request_id():
        headers["request_id"] = tracing.request_id()


@task_prerun.connect
def take_request_id(task: Any = None, **_: Any) -> None:
    """Go on under the id that came with the message."""
    tracing.begin(str((getattr(task.request, "headers", None) or {}).get("request_id", "")))


@task_postrun.connect
def leave_request_id(**_: Any) -> None:
    """Forget the id when the task is done."""
    tracing.end()
