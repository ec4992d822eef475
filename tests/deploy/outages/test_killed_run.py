"""A run that is killed with SIGKILL: the next one ends with the same digest."""

import signal
import subprocess
import sys

import pytest

from ratings.batches.order import is_due
from ratings.models import Change, Pool, Run
from ratings.runs.services import advance_pool
from ratings.tasks import sweep_pools
from tests.deploy.outages.large_pool import fill_pool
from tests.processes import ROOT, Worker, eventually_swept
from tests.ratings.factories import current_changes

pytestmark = [pytest.mark.processes, pytest.mark.long]

KILLED_MIDWAY = """
import os, signal, sys
import django
django.setup()
from ratings.runs import services as runs

def kill_midway(step, done, total):
    if 4 * done >= 3 * total:
        os.kill(os.getpid(), signal.SIGKILL)

runs.CHANGES_AT_ONCE = 500
runs.advance_pool(int(sys.argv[1]), progress=kill_midway)
"""


def test_after_kill_9_the_next_run_ends_with_the_same_digest(worker: Worker) -> None:
    pool = fill_pool(3_000, players=100, event_size=50)
    command = [sys.executable, "-c", KILLED_MIDWAY, str(pool.pk)]
    settings = {"DJANGO_SETTINGS_MODULE": "deploy.settings", "PYTHONPATH": str(ROOT)}
    environment = worker.environment | settings
    killed = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    first = Run.objects.get()
    assert first.made_current_at is None
    assert Change.objects.filter(run=first).count() >= 3_000
    assert not pool.batches.filter(run__isnull=False).exists()

    eventually_swept(
        sweep_pools, lambda: Run.objects.filter(made_current_at__isnull=False).exists()
    )
    assert not is_due(Pool.objects.get())
    run = Run.objects.get()
    assert run.number == 1
    assert not Change.objects.exclude(run=run).exists()
    changes = [row[1:] for row in current_changes(pool)]
    assert len(changes) == 6_000
    undisturbed = advance_pool(pool.pk, from_start=True)
    assert undisturbed.input_digest == run.input_digest
    assert [row[1:] for row in current_changes(pool)] == changes
