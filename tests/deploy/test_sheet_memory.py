"""Large sheets leave nothing in the web server."""

import httpx
import psutil
import pytest

from tests.deploy.clients import post
from tests.deploy.service import Service, new_service
from tests.events import SET_UP
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

PLAYERS = 500
MOST_LEFT = 20 << 20
"""Bytes; typeset in the web server, the first of these sheets alone would leave 100 MiB."""


def web_memory(service: Service) -> int:
    server: psutil.Process = service.child("web server")
    return int(server.memory_info().rss)


def test_the_web_server_is_as_large_after_100_sheets() -> None:
    with new_service(RATE_LIMIT_DEAR="1000000") as service:
        post(service, "tournaments", SET_UP | {"slug": "open", "name": "Open"})
        post(service, "tournaments/open/open")
        path = "/api/v1/tournaments/open"
        names = "".join(f"Player {number}\n" for number in range(PLAYERS))
        headers = {"Content-Type": "text/csv"}
        service.post(f"{path}/entries/import", f"name\n{names}".encode(), headers)
        eventually(lambda: names.split("\n")[-2] in service.get(f"{path}/entries.csv")[1])

        headers = {"Authorization": f"Bearer {service.token}"}  # else it is typeset only once
        with httpx.Client(base_url=service.address, headers=headers, timeout=60) as http:
            before = web_memory(service)
            for _ in range(100):
                sheet = http.get(f"{path}/start-list.pdf")
                assert (sheet.status_code, sheet.content[:4]) == (200, b"%PDF")
        assert web_memory(service) - before < MOST_LEFT
