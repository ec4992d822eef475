"""The worker as a process: it comes up, it ends, and a broker that is away stops nobody."""

from deploy.broker import tick_age
from tests.processes import Worker


def test_a_worker_ticks_and_ends_when_asked(worker: Worker) -> None:
    assert tick_age() < 5

    worker.stop()

    assert worker.wait() == 0
