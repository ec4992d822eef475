"""The web server: slow clients, and limits of connections, heads and waiting requests."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from deploy.server.limits import Limits
from tests.deploy.serving import GET, QUEUED, THREADS, Application, Client, serving

WAIT = b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\nHo"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345"
IMPATIENT = Limits(head=0.2, idle=1, grace=0.3, rate=100, linger=0.2, sweep=0.05)
PATIENT = Limits()


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture(scope="module")
def patient() -> Iterator[int]:
    """The port of a server with the default limits."""
    with serving(Application(), PATIENT) as port:
        yield port


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    """The port of a server with short times."""
    with serving(Application(), IMPATIENT) as port:
        yield port


# --- Slow clients -------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [b"", HALF_HEAD, HALF_BODY], ids=["idle", "head", "body"])
def test_waiting_clients_take_no_thread(patient: int, start: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(Client(patient)).send(start)

        assert stack.enter_context(Client(patient)).get() == 200


@pytest.mark.parametrize(
    ("start", "statuses"),
    [
        (b"", []),
        (b"\r\n", []),
        (HALF_HEAD, [408]),
        (HALF_BODY, [408]),
        (GET, [200]),
        (GET + b"\r\n", [200]),
        (GET + HALF_HEAD, [200, 408]),
        (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n" + HALF_HEAD, [200]),
        (GET + HALF_BODY, [200, 408]),
    ],
)
def test_a_client_that_sends_nothing_more_is_disconnected(
    impatient: int, start: bytes, statuses: list[int]
) -> None:
    with Client(impatient).send(start) as client:
        assert [client.response()[0] for _ in statuses] == statuses
        assert client.is_closed()


def test_a_body_at_the_lowest_rate_is_accepted(application: Application) -> None:
    with serving(application, replace(IMPATIENT, rate=4)) as port, Client(port) as client:
        client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + b"x" * 99)
        with Client(port).send(HALF_HEAD) as slower:
            assert slower.response()[0] == 408

        assert client.get(b"x") == 200


@pytest.mark.parametrize("end", [b"\r\n", b"Connection: close\r\n\r\n", b"\r\n" + HALF_HEAD])
def test_a_client_that_does_not_read_takes_no_thread_and_is_disconnected(
    application: Application, end: bytes
) -> None:
    with serving(application, replace(IMPATIENT, rate=1 << 30)) as port, ExitStack() as stack:
        slow = [stack.enter_context(Client(port)) for _ in range(THREADS + 1)]
        for client in slow:
            client.send(b"GET /large HTTP/1.1\r\n" + end)

        assert stack.enter_context(Client(port)).get() == 200
        assert [client.is_reset() for client in slow] == [True] * len(slow)


def test_a_large_response_arrives(impatient: int) -> None:
    with Client(impatient).send(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert client.response()[2] == b"x" * (16 << 20)
        assert client.get() == 200


def test_beyond_the_queue_a_request_is_refused_and_liveness_responds(
    application: Application,
) -> None:
    with serving(application, PATIENT) as port, ExitStack() as stack:
        waiting = [stack.enter_context(Client(port)) for _ in range(THREADS + QUEUED)]
        for client in waiting:
            client.send(WAIT)
        other = stack.enter_context(Client(port))

        assert other.get(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n") == 200
        status, headers, body = other.send(GET).response()

        assert (status, json.loads(body)["code"], headers["retry-after"]) == (503, "busy", "2")
        application.released.set()
        assert [client.response()[0] for client in waiting] == [200] * len(waiting)
        assert other.get() == 200


# --- Limits -------------------------------------------------------------------------------------


def test_an_address_with_too_many_connections_loses_its_oldest(application: Application) -> None:
    with serving(application, replace(PATIENT, per_address=3)) as port, ExitStack() as stack:
        other = stack.enter_context(Client(port, "127.0.0.3"))
        used = stack.enter_context(Client(port, "127.0.0.2"))
        many = [stack.enter_context(Client(port, "127.0.0.2")) for _ in range(2)]
        assert used.get() == 200
        more = [stack.enter_context(Client(port, "127.0.0.2")) for _ in range(2)]

        assert [client.is_closed() for client in many] == [True, True]
        assert [client.get() for client in (used, *more, other)] == [200] * 4


def test_all_addresses_together_have_a_limit(application: Application) -> None:
    with serving(application, replace(PATIENT, connections=4)) as port, ExitStack() as stack:
        many = [stack.enter_context(Client(port, f"127.0.0.{n}")) for n in range(2, 8)]

        assert [client.is_closed() for client in many[:2]] == [True, True]
        assert [client.get() for client in many[2:]] == [200] * 4


def test_a_busy_connection_is_not_dropped(application: Application) -> None:
    with serving(application, replace(PATIENT, per_address=2)) as port, ExitStack() as stack:
        busy = stack.enter_context(Client(port)).send(WAIT + b"GET /")
        with Client(port) as other:
            assert other.get() == 200  # so the first request has arrived
        many = [stack.enter_context(Client(port)).send(HALF_BODY) for _ in range(3)]
        assert [client.is_closed() for client in many[:2]] == [True, True]

        application.released.set()

        assert busy.response()[0] == 200


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 40_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-Many: y\r\n" * 8_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX-Unfinished: " + b"x" * 400_000,
    ],
    ids=["target", "one header", "many headers", "unfinished"],
)
def test_a_large_head_is_431(patient: int, head: bytes) -> None:
    with Client(patient).send(head) as client:
        status, headers, body = client.response()

        assert (status, json.loads(body)["code"]) == (431, "headers_too_large")
        assert headers["connection"] == "close"
        assert client.is_closed()


def test_pipelined_requests_have_a_limit(application: Application) -> None:
    with serving(application, replace(PATIENT, pipelined=3)) as port, Client(port) as client:
        client.send(WAIT + GET * 10)
        with closing(Client(port).socket):
            application.released.set()

        assert [client.response()[0] for _ in range(4)] == [200] * 4
        assert client.is_closed()
