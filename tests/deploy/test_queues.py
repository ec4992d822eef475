"""Long work has a queue of its own, whose worker has limits of time and memory."""

import os
import subprocess
import sys
from datetime import timedelta

from celery import current_app
from django.conf import settings

from deploy import programs
from deploy.celery import Scheduler, app
from deploy.schedule import CELERY_TASK_QUEUES, PERIODS, SECONDS
from tests.processes import ROOT

LONG_WORK = (
    "explain",
    "forecast",
    "import",
    "analyse",
    "compute",
)


def queue_of(task: str) -> str:
    queue = current_app.amqp.router.route({}, task).get("queue")
    return str(getattr(queue, "name", queue) or settings.CELERY_TASK_DEFAULT_QUEUE)


def own_tasks() -> list[str]:
    current_app.loader.import_default_modules()
    apps = ("games.", "ratings.", "tournament.", "deploy.")
    return sorted(name for name in current_app.tasks if name.startswith(apps))


def test_long_work_is_in_its_own_queue() -> None:
    queues = {task: queue_of(task) for task in own_tasks()}
    long = {task for task in queues if any(word in task.split(".")[-1] for word in LONG_WORK)}
    assert {task for task in queues if queues[task] in SECONDS} == long
    imports = {task for task in long if ".import_" in task}
    assert {task for task in queues if queues[task] == "imports"} == imports
    assert set(queues.values()) == set(CELERY_TASK_QUEUES)


def test_results_ratings_and_mail_have_another_worker() -> None:
    def queues_of(command: list[str]) -> set[str]:
        (option,) = (word for word in command if word.startswith("--queues="))
        return set(option.partition("=")[2].split(","))

    workers = [programs.worker(), programs.imports(), programs.analyses()]
    others, *long = map(queues_of, workers)
    assert long == [{"imports"}, {"analyses"}]
    assert others == set(CELERY_TASK_QUEUES) - {"imports", "analyses"}


def test_every_long_task_has_a_limit_of_time() -> None:
    for queue, seconds in SECONDS.items():
        assert sorted(seconds) == [task for task in own_tasks() if queue_of(task) == queue]
        for task, limit in seconds.items():
            limits = current_app.tasks[task]
            assert (limits.soft_time_limit, limits.time_limit) == (limit, limit + 60)
    assert set(PERIODS) <= set(own_tasks())


def test_the_scheduler_continues_after_the_clock_was_set_back() -> None:
    scheduler = Scheduler(app)
    for entry in scheduler.schedule.values():
        entry.last_run_at += timedelta(hours=1)  # as if it had run by the clock of before
    scheduler.populate_heap()

    assert scheduler.tick() <= min(PERIODS.values())


def test_a_long_task_has_a_limit_of_memory() -> None:
    program = (
        "import os, resource; from deploy.celery import limit_memory; limit_memory();"
        "print(os.nice(0), resource.getrlimit(resource.RLIMIT_DATA)[0]);"
        "big = bytearray(900 << 20)"
    )
    environment = {"ANALYSIS_MIB": "500", "PATH": "", "SECRET_KEY": "x" * 50}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [str(min(os.nice(0) + 10, 19)), str(500 << 20)], done.stderr
    assert "MemoryError" in done.stderr
