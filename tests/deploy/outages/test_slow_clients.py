"""Stress of the running service: slow clients, and a broker that hangs."""

import json
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from tests.deploy.clients import count_lost, slow_clients
from tests.deploy.listeners import writing
from tests.deploy.service import Service, new_service
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

PATHS = ("/health/live", "/", "/api/v1/tournaments/lantern-masters/standings")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    with new_service(RATE_LIMIT_ANONYMOUS="1000000") as service:
        yield service
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def response_times(service: Service, path: str) -> list[float]:
    """The seconds that each of twenty requests takes, the shortest first."""
    times = []
    for _ in range(20):
        started = time.monotonic()
        assert service.get(path)[0] == 200
        times.append(time.monotonic() - started)
    return sorted(times)


def test_slow_clients_delay_nobody(service: Service) -> None:
    with writing(service) as writer:
        writer.write("tournament/lantern-masters", 5_000)  # so that no buffer has room for them
    with slow_clients(service, half_bodies=300, idle=3000, not_reading=50):
        for path in PATHS:
            assert response_times(service, path)[-1] < 2


def test_10000_rejected_requests_lose_no_other(service: Service) -> None:
    assert count_lost(service, rounds=10_000) == 0


def test_a_broker_that_hangs_delays_nobody(service: Service) -> None:
    broker = service.child("valkey-server")
    headers = {"Content-Type": "text/csv", "Prefer": "wait=10"}
    broker.suspend()
    with ThreadPoolExecutor(8) as clients:
        waiting = [
            clients.submit(service.post, "/api/v1/players/import", b"name\nAda\n", headers)
            for _ in range(8)
        ]
        for path in PATHS:
            assert response_times(service, path)[10] < 0.2
        answers = [future.result() for future in waiting]
    broker.resume()

    accepted = [body for status, body in answers if status == 202]
    refused = [body for status, body in answers if status != 202]
    assert len(accepted) == settings.QUOTAS["waiting_jobs"]
    assert {json.loads(body)["code"] for body in refused} == {"too_many_imports"}
    for body in accepted:  # the sweep imports what was not sent
        path = f"/api/v1/tasks/{json.loads(body)['task']['id']}"
        eventually(lambda p=path: "done" in service.get(p, token=service.token)[1], seconds=60)
