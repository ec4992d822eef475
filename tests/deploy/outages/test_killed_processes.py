"""`kill -9` of each process of the service, 20 times under load: no data is lost or doubled."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.deploy.event_checks import check_events, connected_to
from tests.deploy.load import Load
from tests.deploy.outages.killer import Killer
from tests.deploy.service import Service

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the names come from /proc"),
]

KILLS: Final = 20
SEED: Final = 12
EVENTS: Final = ("east", "north", "south", "west")
"""What is played at once: in each of these places one event after the other."""


def test_no_data_is_lost_or_doubled(
    service: Service,
    database: str,
    django_db_blocker: Any,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("WARNING", "httpx")
    load = Load(service.address, service.token, SEED)
    load.register_players()
    killer = Killer(service, Random(SEED))
    with ThreadPoolExecutor(len(EVENTS)) as organisers:
        playing = [organisers.submit(load.play, name) for name in EVENTS]
        try:
            for _ in killer.kill_each(KILLS):
                assert not any(future.done() for future in playing)
        finally:
            load.ended.set()
        for future in playing:
            future.result()
    with capsys.disabled():
        print(f"\n{load.figures()}\n{killer.figures()}")

    with django_db_blocker.unblock(), connected_to(service, database):
        check_events(load)
    assert 500 not in load.statuses
