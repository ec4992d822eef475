"""The service of real processes on PostgreSQL: it migrates, and an event is played from its start.

`make test-long` plays all events of the demo there.
"""

import os

import pytest
from django.db import connection

from deploy.demo.client import DemoClient
from deploy.demo.event import Event, play_event
from deploy.demo.results import fetch_results, find_differences
from deploy.samples.event import SAMPLES, read_event
from tests.deploy.service import Service
from tests.processes import run_python

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="test_demo.py plays more"),
]


def test_an_event_is_played_and_its_rows_are_what_its_journal_says(
    service: Service, database: str
) -> None:
    sample = read_event(SAMPLES / "lantern-masters")
    with DemoClient(service.address, service.token) as client:
        event = Event(client, sample)
        lines = list(play_event(event))
        found = fetch_results(event)

    assert lines[-1].startswith("the event is final and rated by run ")
    assert find_differences(sample, found) == []
    variables = {"STATE_DIR": str(service.folder), "DATABASE_URL": database}
    done = run_python("manage.py", "verify_state", environment=os.environ | variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        f"{event.path.removeprefix('/').replace('tournaments', 'tournament')}: verified\n"
        in done.stdout
    )
