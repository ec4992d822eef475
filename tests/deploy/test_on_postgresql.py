"""The service of real processes on PostgreSQL: it migrates, and an event is played from its start.

`make test-long` plays all events of the demo there.
"""

import io
import os
from pathlib import Path

import pytest
from django.db import connection

from deploy.demo.client import DemoClient
from deploy.demo.event import LANTERN_MASTERS
from deploy.demo.progress import ProgressBar
from deploy.demo.scenario import count_steps, play_event
from deploy.samples.event import SAMPLES, read_event
from tests.deploy.service import Service
from tests.forked import run_forked

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="test_demo.py plays more"),
]


def test_an_event_is_played_and_its_rows_are_what_its_journal_says(
    service: Service, database: str, tmp_path: Path
) -> None:
    sample = read_event(SAMPLES / LANTERN_MASTERS.slug)
    progress = ProgressBar(count_steps(sample), io.StringIO())
    with DemoClient(service.address, service.token) as client:
        outcome = play_event(client, sample, tmp_path, progress, LANTERN_MASTERS)

    assert outcome.differences == ()
    variables = {"STATE_DIR": str(service.folder), "DATABASE_URL": database}
    done = run_forked("manage.py", "verify_state", environment=os.environ | variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"tournament/{outcome.slug}: verified\n" in done.stdout
