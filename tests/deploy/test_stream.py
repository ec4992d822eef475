"""The event stream of the running service: nothing is missed, whatever dies in between."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import running_chromium
from tests.deploy.listeners import Listener, Writer, listening, without_web_server, writing
from tests.deploy.service import LIVE, Service
from tests.events import SET_UP
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.any_database]

BOTH_DATABASES = pytest.mark.long
SLUG = "lantern-masters"
STREAM = f"tournament/{SLUG}"
PATH = f"/api/v1/tournaments/{SLUG}/stream"


@pytest.fixture(scope="module")
def writer(service: Service) -> Iterator[Writer]:
    with writing(service) as writer:
        yield writer


@pytest.fixture(scope="module")
def organiser(service: Service) -> Iterator[httpx.Client]:
    """A client with the organiser's token."""
    with httpx.Client(
        base_url=f"{service.address}/api/v1/",
        headers={"Authorization": f"Bearer {service.token}"},
        trust_env=False,
        timeout=60,
    ) as client:
        yield client


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.mark.parametrize("path", [PATH, "/api/v1/me/stream"])
def test_a_new_line_reaches_a_listener(service: Service, writer: Writer, path: str) -> None:
    with listening(service, path, token=service.token) as listener:
        for _ in range(2):
            last = writer.write(STREAM)
            event = listener.read()
            sent = event["event"], event["type"], event["sequence"]
            assert sent == ("", "round.scheduled", last)
            assert event["data"]["tournament"]["slug"] == SLUG


def test_the_head_of_the_response(service: Service) -> None:
    with listening(service, PATH) as listener:
        assert listener.response is not None
        headers = listener.response.headers

    assert headers["Content-Type"] == "text/event-stream"
    assert headers["Cache-Control"] == "no-store"
    assert headers["RateLimit-Policy"] == '"anonymous";q=3000;w=60'
    assert headers["X-Request-ID"]
    assert headers["ETag"] is None


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=BOTH_DATABASES)])
def test_nothing_is_missed_between_two_connections(
    service: Service, writer: Writer, count: int
) -> None:
    with listening(service, PATH) as listener:
        first = listener.read_until(writer.write(STREAM))
        listener.close()
        last = writer.write(STREAM, count)
        listener.open()
        listener.read_until(last)
        last = listener.read_until(writer.write(STREAM))[-1]

    assert listener.ids == list(range(first[0], last + 1))


@pytest.mark.long
def test_a_killed_web_server_loses_nothing(service: Service, writer: Writer) -> None:
    with listening(service, PATH) as listener:
        first = listener.read_until(writer.write(STREAM))
        with without_web_server(service):
            assert listener.has_ended()
            last = writer.write(STREAM, 3)
        listener.open()
        listener.read_until(last)

    assert listener.ids == list(range(first[0], last + 1))


@pytest.mark.long
def test_a_heartbeat_comes_whatever_lines_are_hidden(service: Service, writer: Writer) -> None:
    with listening(service, PATH) as listener:
        listener.read_until(writer.write(STREAM))
        started = time.monotonic()
        with ThreadPoolExecutor(1) as reader:
            heartbeat = reader.submit(listener.read_line)
            while not heartbeat.done():
                writer.write(STREAM, kind="entry.note")
                time.sleep(1)
        seconds = time.monotonic() - started

    assert heartbeat.result() == ": alive"
    assert 14 < seconds < 18


@pytest.mark.long
def test_a_broker_that_is_restarted_loses_nothing(service: Service, writer: Writer) -> None:
    with listening(service, PATH) as listener:
        first = listener.read_until(writer.write(STREAM))
        service.child("valkey-server").kill()
        listener.read_until(writer.write(STREAM, 3))
        eventually(lambda: service.has_child("valkey-server"))
        last = listener.read_until(writer.write(STREAM, 3))[-1]

    assert listener.ids == list(range(first[0], last + 1))


@pytest.mark.parametrize("count", [40, pytest.param(500, marks=BOTH_DATABASES)])
def test_many_listeners_have_no_thread_each(service: Service, writer: Writer, count: int) -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(listening(service, PATH)) for _ in range(count)]
        assert service.child("web server").num_threads() < 30
        last = writer.write(STREAM, 5)
        received = [listener.read_until(last) for listener in listeners]

    assert received == [list(range(last - 4, last + 1))] * count


def test_strangers_do_not_listen_to_what_they_may_not_see(
    service: Service, organiser: httpx.Client
) -> None:
    path = "/api/v1/tournaments/spring/stream"
    organiser.post("tournaments", json=SET_UP | {"slug": "spring"}).raise_for_status()
    with listening(service, path) as listener:
        assert listener.status == 404

    organiser.post("tournaments/spring/open").raise_for_status()
    with listening(service, path) as stranger, listening(service, path, token=service.token) as own:
        organiser.patch("tournaments/spring", json={"public": False}).raise_for_status()

        assert stranger.read() == {"event": "closed", "reason": "not_visible"}
        assert stranger.has_ended()
        assert stranger.open().status == 404
        organiser.post("tournaments/spring/cancel", json={"reason": "rain"}).raise_for_status()
        kinds = [own.read()["type"] for _ in range(2)]
        assert kinds == ["tournament.edited", "tournament.cancelled"]


def start_event(organiser: httpx.Client, slug: str) -> list[int]:
    """Start an event of four players and publish its first round; return its games by board."""
    path = f"tournaments/{slug}"

    def post(address: str, body: object = None) -> httpx.Response:
        return organiser.post(address, json=body).raise_for_status()

    post("tournaments", SET_UP | {"slug": slug, "name": slug})
    post(f"{path}/open")
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        player = post("players", {"name": f"{name} {slug}"}).json()["id"]
        post(f"{path}/entries", {"player_id": player})
    post(f"{path}/start")
    post(f"{path}/rounds/1/pair")
    post(f"{path}/rounds/1/publish")
    pairings = organiser.get(f"{path}/rounds/1/pairings").json()["rows"]
    return [pairing["game_id"] for pairing in pairings]


def rule(organiser: httpx.Client, game: int, result: str) -> None:
    body = {"result": result, "reason": "seen at the board"}
    organiser.post(f"games/{game}/rule", json=body).raise_for_status()


def test_all_records_of_a_game_reach_who_follows_it(
    service: Service, organiser: httpx.Client, chromium: Browser
) -> None:
    """Before it begins, from its middle, and again after its end; and so does its page."""
    game, _ = start_event(organiser, "quay")
    path = f"games/{game}/live"
    streams = [f"/api/v1/games/{game}/stream{query}" for query in ("", "?own=1")]

    def add(number: int, turn: str) -> None:
        body = {"number": number, "turns": [turn]}
        organiser.post(f"{path}/turns", json=body).raise_for_status()

    def receive(version: int, kind: str, turns: list[str] | None, *all_who: Listener) -> None:
        for one in all_who:
            event = one.read()
            found = one.ids[-1], event["type"], event["data"] and event["data"]["turns"]
            assert found == (version, kind, turns)

    with ExitStack() as stack:
        context = stack.enter_context(closing(chromium.new_context(base_url=service.address)))
        page = context.new_page()
        page.goto(f"/games/{game}")
        early, late = (
            [Listener(service, each, service.token) for each in streams] for _ in range(2)
        )
        for listener in (*early, *late):
            stack.callback(listener.close)
        for listener in early:
            listener.open()
        organiser.post(path).raise_for_status()
        receive(1, "live.begun", [], *early)
        add(1, "S10")
        for listener in late:
            listener.open()
        receive(2, "turn.added", ["S10"], *early, *late)
        add(2, "T10")
        receive(3, "turn.added", ["S10", "T10"], *early, *late)
        expect(page.get_by_role("gridcell", name="T10, second")).to_be_visible()
        for listener in late:
            listener.close()
        organiser.delete(path).raise_for_status()
        receive(0, "live.ended", None, *early, *(listener.open() for listener in late))
        expect(page.get_by_role("gridcell", name="T10, second")).to_have_count(0)
        organiser.post(path).raise_for_status()
        receive(4, "live.begun", [], *early, *late)
        add(1, "R10")
        receive(5, "turn.added", ["R10"], *early, *late)
        expect(page.get_by_role("gridcell", name="R10, first")).to_be_visible()


def test_pages_change_through_the_stream(
    service: Service, organiser: httpx.Client, chromium: Browser
) -> None:
    first, second = start_event(organiser, "harbour")
    with closing(chromium.new_context(base_url=service.address, locale="en-GB")) as context:
        wall, pairings, own = context.new_page(), context.new_page(), context.new_page()
        asked: list[str] = []
        wall.on("request", lambda request: asked.append(request.url))
        wall.goto("/e/harbour/wall?seconds=600")
        pairings.goto("/e/harbour/rounds/1")
        organiser.post("tournaments/harbour/links").raise_for_status()
        link = organiser.get("tournaments/harbour/links").json()["results"][0]["page_url"]
        own.goto(link)
        for page in (wall, pairings, own):
            expect(page.locator("body")).to_have_attribute("data-stream", "open")
        for _ in range(2):  # the second board is the first row then
            pairings.get_by_role("button", name="Board").click()
        focused = pairings.locator("tbody tr").nth(1).get_by_role("link").first
        focused.focus()
        states = sum("wall/state" in url for url in asked)

        rule(organiser, first, "11-10")
        for page, row in ((wall, 0), (pairings, 1)):
            expect(page.locator("tbody tr").nth(row)).to_contain_text("11-10")
        expect(own.get_by_role("heading", name="11–10")).to_be_visible()
        expect(pairings.locator("#missing-results")).to_contain_text("1 of 2 results is missing")
        expect(focused).to_be_focused()
        # It has asked because of the events, and not every few seconds.
        assert sum("wall/state" in url for url in asked) - states <= 3

        with without_web_server(service):
            for page in (wall, pairings):
                expect(page.locator("body")).to_have_attribute("data-stream", "lost")
        rule(organiser, second, "10-11")
        for page, row in ((wall, 1), (pairings, 0)):
            expect(page.locator("tbody tr").nth(row)).to_contain_text("10-11")
            expect(page.locator("#lost")).to_be_empty()
            expect(page.locator("body")).to_have_attribute("data-stream", "open")


def test_a_stream_may_follow_another_request(service: Service) -> None:
    request = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with socket.create_connection(("localhost", service.port), 20) as client:
        received = b""
        client.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while LIVE not in received:
            received += client.recv(65536)
        client.sendall(request)
        while b"retry: " not in received:
            received += client.recv(65536)

    assert received.count(b"HTTP/1.1 200 OK\r\n") == 2
