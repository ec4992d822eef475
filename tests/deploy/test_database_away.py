"""What the threads of a process do while the database server is away."""

import pytest
from psycopg import OperationalError

from deploy.postgresql import base
from deploy.postgresql.base import Outage


def fail(outage: Outage) -> bool:
    """Try to connect to a server that is away; return False if it was not even tried."""
    tried = False
    try:
        with outage.attempt():
            tried = True
            raise OperationalError
    except OperationalError:
        return tried


def test_after_a_failure_one_thread_at_a_time_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    outage = Outage()
    now = 100.0
    monkeypatch.setattr(base, "monotonic", lambda: now)
    with outage.attempt():
        assert fail(outage)  # of several that have begun, one fails
    assert fail(outage)  # another one has connected meanwhile

    assert not fail(outage)
    now += base.PAUSE
    with outage.attempt():
        assert not fail(outage)  # does not wait for the one that tries
    assert fail(outage)

    now += base.PAUSE
    assert fail(outage)
    assert not fail(outage)


def test_what_interrupts_a_thread_does_not_keep_the_others_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outage = Outage()
    now = 100.0
    monkeypatch.setattr(base, "monotonic", lambda: now)
    fail(outage)
    now += base.PAUSE
    with pytest.raises(KeyboardInterrupt), outage.attempt():
        raise KeyboardInterrupt

    now += base.PAUSE
    with outage.attempt():
        pass
    with outage.attempt(), outage.attempt():
        pass
