"""The web server: each client has a share of the threads, and the clients are served in turn."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest

from deploy import asgi, turns
from deploy.turns import Turns
from tests.deploy.service import LIVE
from tests.deploy.serving import GET, Application, Client, serving
from tests.processes import eventually

ADA, BEN, CAM = "127.0.0.2", "127.0.0.3", "127.0.0.4"
THREADS, SHARE = 8, 2
METRICS = "/health/metrics"
HALF_BODY = b"POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345"


def request_for(path: str, method: str = "GET", **headers: str) -> bytes:
    """A request for a path, with headers whose names have underscores."""
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{''.join(lines)}\r\n".encode()


class Clients(ExitStack):
    """Connections to a server, by address."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port

    def send(self, source: str, request: bytes) -> Client:
        """Send a request on a connection of its own, and wait until the server has read it."""
        client = self.enter_context(Client(self.port, source)).send(request)
        assert self.get(CAM, request_for("/health/live"))[2] == LIVE
        return client

    def get(self, source: str, request: bytes = GET) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the response on a connection that is closed then."""
        with Client(self.port, source).send(request) as client:
            return client.response()


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
def clients(application: Application) -> Iterator[Clients]:
    with serving(application, threads=THREADS) as port, Clients(port) as clients:
        yield clients


@pytest.fixture
def in_one_thread(application: Application) -> Iterator[Clients]:
    with serving(application, threads=1) as port, Clients(port) as clients:
        yield clients


@pytest.fixture
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client has no queue, only threads."""
    monkeypatch.setattr(turns, "MOST_WAITING", 0)


def test_a_client_has_a_quarter_of_the_threads(application: Application, clients: Clients) -> None:
    waiting = [clients.send(ADA, request_for(f"/wait{n}")) for n in range(SHARE + 3)]

    assert clients.get(BEN)[0] == 200
    assert application.served == [f"/wait{n}" for n in range(SHARE)] + ["/"]
    application.released.set()
    assert [client.response()[0] for client in waiting] == [200] * len(waiting)


def test_the_clients_are_served_in_turn(application: Application, in_one_thread: Clients) -> None:
    sent = [(ADA, "/wait"), (ADA, "/a1"), (ADA, "/a2"), (ADA, "/a3")]
    sent += [(BEN, "/b1"), (BEN, "/b2"), (CAM, "/c1")]
    waiting = [in_one_thread.send(source, request_for(path)) for source, path in sent]

    application.released.set()
    assert {client.response()[0] for client in waiting} == {200}
    assert application.served == ["/wait", "/a1", "/b1", "/c1", "/a2", "/b2", "/a3"]


def test_of_the_reads_of_one_address_one_runs_at_a_time(
    application: Application, clients: Clients
) -> None:
    held = clients.send(ADA, request_for("/wait"))
    others = [
        clients.send(BEN, request_for(f"/wait?at={n}", method))
        for n, method in enumerate(("GET", "HEAD"))
    ]

    assert clients.get(BEN)[0] == 200
    written = clients.send(CAM, request_for("/wait", "POST"))
    eventually(lambda: application.served == ["/wait", "/", "/wait"])
    application.released.set()
    assert [client.response()[0] for client in (held, written, others[0])] == [200] * 3
    eventually(lambda: application.served == ["/wait", "/", *["/wait"] * 3])


def test_a_read_that_waits_for_a_task_keeps_nobody_waiting(
    application: Application, clients: Clients
) -> None:
    path, waiting = "/api/v1/tournaments/spring/forecast", {"Prefer": "wait=30"}
    for source in (ADA, BEN):
        clients.send(source, request_for(f"{path}?wait", **waiting))

    eventually(lambda: application.served == [path, path], seconds=10)
    application.released.set()


def test_who_holds_the_fewest_threads_is_next() -> None:
    served = []

    async def hold(turns: Turns, client: str) -> None:
        async with turns.thread(client, None):
            served.append(client)

    async def play() -> None:
        turns = Turns(8)
        async with AsyncExitStack() as held:
            for client in (ADA, BEN, BEN, CAM, CAM, "d", "d"):
                await held.enter_async_context(turns.thread(client, None))
            async with turns.thread("e", None):
                waiting = [asyncio.create_task(hold(turns, client)) for client in (ADA, "f")]
                await asyncio.sleep(0)
            await asyncio.gather(*waiting)

    asyncio.run(play())
    assert served == ["f", ADA]


def test_of_a_client_who_has_gone_the_reads_are_dropped_and_the_writes_done(
    application: Application, in_one_thread: Clients
) -> None:
    in_one_thread.send(ADA, request_for("/wait"))
    for method in ("GET", "POST", "HEAD", "DELETE"):
        gone = in_one_thread.send(BEN, request_for(f"/{method}", method))
        gone.file.close()
        gone.socket.close()
    last = in_one_thread.send(BEN, request_for("/last"))

    application.released.set()
    assert last.response()[0] == 200
    assert application.served == ["/wait", "/POST", "/DELETE", "/last"]


def test_a_queue_has_an_end(
    application: Application, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 3)
    waiting = [clients.send(ADA, request_for(f"/wait{n}")) for n in range(SHARE + 3)]

    status, headers, body = clients.get(ADA)
    problem = json.loads(body)
    assert (status, problem["code"], headers["retry-after"]) == (429, "queue_full", "2")
    assert headers["content-type"] == "application/problem+json"
    assert problem["request_id"] == headers["x-request-id"]
    assert problem["detail"].startswith("128 requests from your address wait already")

    browser = request_for("/", Accept="text/html", Accept_Language="de")
    status, headers, body = clients.get(ADA, browser)
    assert (status, headers["content-language"], headers["retry-after"]) == (429, "de", "2")
    assert "content-security-policy" in headers
    assert "schon 128 Anfragen" in body.decode()

    assert clients.get(BEN)[0] == 200
    application.released.set()
    assert [client.response()[0] for client in waiting] == [200] * len(waiting)
    assert clients.get(ADA)[0] == 200


def test_bodies_that_arrive_count(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 3)
    slow = [clients.send(ADA, HALF_BODY) for _ in range(SHARE + 3)]

    for refused in (HALF_BODY, GET):
        status, headers, body = clients.get(ADA, refused)
        assert (status, headers["connection"]) == (429, "close")
        assert json.loads(body)["code"] == "queue_full"
    assert clients.get(BEN)[0] == 200
    assert slow[0].get(b"67890") == 200
    assert clients.get(ADA)[0] == 200


@pytest.mark.parametrize(
    ("forwarded", "status"),
    [
        ("192.0.2.1", 429),
        ("192.0.2.9, 192.0.2.1", 429),  # the client has sent the first one
        ("::ffff:192.0.2.1", 429),
        ("192.0.2.1, 192.0.2.9", 200),
        ("2001:db8::1", 200),
    ],
)
@pytest.mark.usefixtures("nobody_waits")
def test_behind_a_proxy_the_client_is_the_last_of_those_before(
    clients: Clients, settings: pytest.FixtureRequest, forwarded: str, status: int
) -> None:
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    for n in range(SHARE):
        clients.send(ADA, request_for(f"/wait{n}", X_Forwarded_For="192.0.2.1"))

    assert clients.get(ADA, request_for("/", X_Forwarded_For=forwarded))[0] == status


@pytest.mark.usefixtures("nobody_waits")
def test_without_a_proxy_nobody_is_another_client_by_a_header(clients: Clients) -> None:
    for number in range(SHARE):
        clients.send(ADA, request_for(f"/wait{number}", X_Forwarded_For=f"192.0.2.{number}"))

    assert clients.get(ADA, request_for("/", X_Forwarded_For="192.0.2.9"))[0] == 429


def test_who_asks_for_the_health_within_a_second_gets_the_same(
    application: Application, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "LONGEST_AGE", 60.0)
    known = [request_for(METRICS), request_for(f"{METRICS}?x=1"), request_for(METRICS, X_A="1")]
    requests = [text.replace(b"Host: x", b"Host: localhost") for text in known]
    answers = [clients.get(source, text) for source in (ADA, BEN) for text in requests]

    assert application.served == [METRICS]
    assert {(status, body) for status, _, body in answers} == {(200, answers[0][2])}
    assert json.loads(answers[0][2])["QUERY_STRING"] == ""
    assert len({headers["x-request-id"] for _, headers, _ in answers}) == len(answers)


def test_the_metrics_are_computed_anew(
    application: Application, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "LONGEST_AGE", 0.0)
    request = request_for(METRICS).replace(b"Host: x", b"Host: localhost")
    eventually(lambda: clients.get(ADA, request)[0] == 200 and len(application.served) > 1)


def test_the_metrics_under_an_unknown_name_is_not_shared(
    application: Application, clients: Clients
) -> None:
    for _ in range(2):
        clients.get(ADA, request_for(METRICS))
    assert application.served == [METRICS, METRICS]
