"""The Celery application: discovers the apps' tasks and passes the request id on to them."""

import gc
import logging
import os
import resource
from typing import Any

from celery import Celery, beat
from celery.signals import (
    beat_init,
    before_task_publish,
    celeryd_after_setup,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)
from celery.states import SUCCESS
from django.conf import settings

from deploy.logs import log_start
from games.core.errors import request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

log = logging.getLogger("perihelion.tasks")

app = Celery("perihelion")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()


class Scheduler(beat.Scheduler):
    """Celery's scheduler, which continues at once after the clock of its machine was set back.

    Celery's own would wait until the clock shows the time again at which each task is next due.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send a task that is due; return the seconds until the next one is."""
        now = self.app.now()
        late = [entry for entry in self.schedule.values() if entry.last_run_at > now]
        for entry in late:
            entry.last_run_at = now
        if late:
            self.populate_heap()
        return float(super().tick(*args, **kwargs))


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Use Django's logging settings: Celery installs its own unless this signal has a receiver."""
    for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).setLevel(logging.WARNING)


@celeryd_after_setup.connect
def log_start_of_worker(sender: str = "", instance: Any = None, **_: Any) -> None:
    """Log the start of a worker, and its queues."""
    queues = ", ".join(sorted(instance.app.amqp.queues.consume_from))
    log_start(sender.partition("@")[0], f"the queues {queues}")
    if instance.pool_cls.__module__.endswith("prefork"):
        # Its processes share what is loaded: the collector would write to every page of it.
        gc.collect()
        gc.freeze()


@beat_init.connect
def log_start_of_scheduler(**_: Any) -> None:
    """Log the start of the scheduler (beat)."""
    log_start("beat", f"{len(settings.CELERY_BEAT_SCHEDULE)} periodic tasks")


@before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_: Any) -> None:
    """Add the current request id to the message; a periodic task has its own id as that."""
    headers["request_id"] = request_id.get() or headers["id"]
    if not request_id.get():
        facts = {"task": headers["task"], "request_id": headers["id"]}
        log.debug("%s is sent", headers["task"], extra=facts)


@task_prerun.connect
def restore_request_id(task: Any = None, **_: Any) -> None:
    """Continue with the request id of the message."""
    request_id.set(_received_id(task))


@task_postrun.connect
def log_task(task: Any = None, state: str = "", **_: Any) -> None:
    """Log a task; a periodic one that succeeds would fill the log, and is a line for debugging."""
    is_periodic = _received_id(task) == task.request.id
    level = logging.DEBUG if is_periodic and state == SUCCESS else logging.INFO
    log.log(level, "%s %s", task.name, state, extra={"task": task.name})
    request_id.set("")


@worker_process_init.connect
def limit_memory(**_: Any) -> None:
    """Limit the memory of a process of the workers for long tasks, which alone have processes.

    It has a lower priority than what answers requests and settles results. A task that needs more
    memory fails with MemoryError instead of filling that of the machine. The limit is one of
    addresses, of which a process reserves more than it uses.
    """
    os.nice(10)
    most = settings.ANALYSIS_MIB << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _received_id(task: Any) -> str:
    """Return the request id of a message, or the task's own if a program has sent none."""
    return str((task.request.headers or {}).get("request_id") or task.request.id)
