"""The worker as a process: it starts and stops."""

import pytest

from deploy.ticks import tick_age
from tests.processes import Worker


@pytest.mark.further_case
def test_a_worker_ticks_and_stops_on_sigterm(worker: Worker) -> None:
    assert tick_age() < 5

    worker.stop()

    assert worker.wait() == 0
