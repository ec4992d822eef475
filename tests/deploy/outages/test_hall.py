"""A playing hall is one address: 150 phones, each with a stream, through the proxies' own files."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from pytest_django import DjangoDbBlocker

from tests.deploy.event_checks import connected_to
from tests.deploy.proxy import Caddy, Proxy
from tests.deploy.service import Service, new_service
from tests.events import make_event
from tests.people import Person, make_person, make_player, player_of

pytestmark = [pytest.mark.processes, pytest.mark.long]

PHONES = 150
LOOK_WITHIN = 2.0
"""Seconds after an event in which the pages look again (tournament/static/tournament/stream.js)."""

REPORT_WITHIN = 30.0


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    """The service behind a proxy, with the usual limits of requests."""
    with new_service(DATABASE_URL=database, BEHIND_PROXY="1") as service:
        yield service


@dataclass
class Hall:
    """The phones of an event, and what they were answered."""

    http: httpx.AsyncClient
    path: str
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    listening: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    done: int = 0

    async def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Send a request, and note the status."""
        response = await self.http.request(method, path, **request)
        self.statuses[method, response.status_code] += 1
        return response

    async def use(self, player: int, secret: str, source: Random) -> None:
        """Follow the event; once the round is published, read the pairings and report."""
        async with self.http.stream("GET", f"/api/v1/{self.path}/stream") as stream:
            self.statuses["stream", stream.status_code] += 1
            self.listening.release()
            async for line in stream.aiter_lines():
                if '"type":"round.published"' in line:
                    break
            await asyncio.sleep(source.uniform(0, LOOK_WITHIN))
            await self.ask("GET", f"/e/{self.path.partition('/')[2]}")
            found = await self.ask("GET", f"/api/v1/{self.path}/rounds/1/pairings")
            await asyncio.sleep(source.uniform(0, REPORT_WITHIN))
            game = own_game(found.json()["rows"], player)
            await self.ask(
                "POST",
                f"/api/v1/games/{game}/reports",
                json={"claim": {"result": "11-10"}},
                headers={"Authorization": f"Bearer {secret}"},
            )
            self.done += 1
            if self.done == PHONES:
                self.ended.set()
            await self.ended.wait()


def own_game(rows: list[dict[str, Any]], player: int) -> int:
    """Return the game of a player."""
    (game,) = (
        row["game_id"]
        for row in rows
        if player in (row["first"]["player"]["id"], row["second"]["player"]["id"])
    )
    return int(game)


async def play(address: str, event: Any, organiser: Person, people: list[tuple[int, str]]) -> Hall:
    """Let all phones listen, publish the round, and wait until all have reported."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=address, verify=False, trust_env=False, timeout=60, limits=limits
    ) as http:
        hall = Hall(http, event.path)
        async with asyncio.timeout(300), asyncio.TaskGroup() as group:
            for number, person in enumerate(people):
                group.create_task(hall.use(*person, Random(number)))
            for _ in people:
                await hall.listening.acquire()
            headers = {"Authorization": f"Bearer {organiser.secret}"}
            for step in ("pair", "publish"):
                path = f"/api/v1/{event.path}/rounds/1/{step}"
                answer = await http.post(path, json={}, headers=headers)
                assert answer.is_success, answer.text
        return hall


@pytest.mark.parametrize("kind", [Proxy, Caddy], ids=["nginx", "caddy"])
def test_a_hall_behind_one_address_is_served(
    service: Service, database: str, django_db_blocker: DjangoDbBlocker, kind: type[Proxy | Caddy]
) -> None:
    slug = kind.__name__.lower()
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        proxy = kind(Path(folder), service.port)
        with django_db_blocker.unblock(), connected_to(service, database):
            organiser = make_person(f"{slug}-Olga")
            persons = [make_player(f"{slug}-{number}") for number in range(PHONES)]
            event = make_event(organiser, slug=slug, system="dutch", rounds=9)
            event.enter(*map(player_of, persons))
            event.step("open", "start")
            people = [(player_of(person).pk, person.secret) for person in persons]
        try:
            proxy.start()
            hall = asyncio.run(play(proxy.address, event, organiser, people))
        finally:
            proxy.kill()

    assert hall.statuses["stream", 200] == PHONES
    assert hall.statuses["GET", 200] == 2 * PHONES
    # 202, or 200 if the worker has settled the game before the response was made.
    assert sum(hall.statuses["POST", status] for status in (200, 202)) == PHONES, hall.statuses
