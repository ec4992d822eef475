"""The event stream in the Python client: events, connections made again, refusals."""

import asyncio
from collections.abc import Callable
from itertools import islice

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.client import AsyncClient, Client, Event, Problem
from deploy.client.events import EventReader
from games.http.event_stream import HEARTBEAT, format_event, format_opening
from tests.deploy.client.conftest import AT_ONCE
from tests.events import make_event
from tests.people import Person

NAMES = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8)


@given(
    st.lists(
        st.tuples(st.integers(1, 10**17), NAMES, st.dictionaries(st.text(), st.text(), min_size=1))
    )
)
def test_what_the_service_writes_is_read(sent: list[tuple[int, str, dict[str, str]]]) -> None:
    text = format_opening(0, retry=1)
    for sequence, name, data in sent:
        text += HEARTBEAT + format_event(data, sequence=sequence, name=name)
    reader = EventReader(None)
    found = [event for line in text.decode().split("\n") if (event := reader.read_line(line))]
    assert found == [Event(str(sequence), name, data) for sequence, name, data in sent]
    assert reader.last_id == str(sent[-1][0] if sent else 0)


def scripted(seen: list[str | None]) -> httpx.MockTransport:
    """Send two events, half of a third one, and after a busy moment the third one."""
    first = format_opening(4, retry=0) + format_event({"n": 5}, sequence=5, name="a")
    first += format_event({"n": 6}, sequence=6, name="b") + b"id: 7\ndata: {"
    answers = [
        httpx.Response(200, content=first),
        httpx.Response(503, json={}, headers={"Retry-After": "0"}),
        httpx.Response(200, content=format_event({"n": 7}, sequence=7, name="c")),
        httpx.Response(404, json={"code": "not_found"}),
    ]

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("Last-Event-ID"))
        return answers[len(seen) - 1]

    return httpx.MockTransport(respond)


EXPECTED = [Event("5", "a", {"n": 5}), Event("6", "b", {"n": 6}), Event("7", "c", {"n": 7})]


def test_a_broken_stream_continues_after_its_last_event() -> None:
    seen: list[str | None] = []
    found = []
    with Client("http://service", transport=scripted(seen), retries=AT_ONCE) as client:
        events = client.events("spring", after=4)
        found += islice(events, 3)
        with pytest.raises(Problem):
            next(events)
    assert found == EXPECTED
    assert seen == ["4", "6", "6", "7"]


def test_the_asynchronous_stream_does_the_same() -> None:
    seen: list[str | None] = []

    async def read() -> list[Event]:
        async with AsyncClient("http://service", transport=scripted(seen)) as client:
            events = client.events("spring")
            found = [await anext(events) for _ in range(3)]
            with pytest.raises(Problem):
                await anext(events)
        return found

    assert asyncio.run(read()) == EXPECTED
    assert seen == [None, "6", "6", "7"]


@pytest.mark.django_db
def test_the_events_of_a_tournament_are_read(
    connect: Callable[..., Client], organiser: Person
) -> None:
    make_event(organiser).step("open")
    with connect(organiser) as client:
        kinds = [item.data["kind"] for item in islice(client.events("spring", after=0), 1)]
    assert kinds == ["tournament.registration"]
