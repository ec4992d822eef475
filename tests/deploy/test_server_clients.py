"""The web server: slow clients take no thread."""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.deploy.serving import THREADS, Application, Client, serving

LARGE = b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\nHo"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345"
IMPATIENT = {"grace": 0.3, "rate": 100, "linger": 0.2}


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture(scope="module")
def patient() -> Iterator[int]:
    """The port of a server with the usual limits."""
    with serving(Application()) as port:
        yield port


@pytest.mark.parametrize("start", [b"", HALF_HEAD, HALF_BODY], ids=["idle", "head", "body"])
def test_waiting_clients_take_no_thread(patient: int, start: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(Client(patient)).send(start)

        assert stack.enter_context(Client(patient)).get() == 200


@pytest.mark.parametrize("before", [0, 1], ids=["first request", "after another"])
def test_a_body_that_does_not_arrive_is_408(application: Application, before: int) -> None:
    with serving(application, **IMPATIENT) as port, Client(port) as client:
        assert [client.get() for _ in range(before)] == [200] * before

        status, headers, body = client.send(HALF_BODY).response()

        assert (status, json.loads(body)["code"]) == (408, "request_timeout")
        assert headers["content-type"] == "application/problem+json"
        assert headers["x-request-id"] == json.loads(body)["request_id"]
        assert headers["connection"] == "close"
        assert client.is_closed()


def test_a_body_at_the_lowest_rate_is_accepted(application: Application) -> None:
    limits = IMPATIENT | {"rate": 4}
    with serving(application, **limits) as port, Client(port) as client:
        client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + b"x" * 99)
        with Client(port).send(HALF_BODY) as slower:
            assert slower.response()[0] == 408

        assert client.get(b"x") == 200


def test_clients_that_do_not_read_take_no_thread(application: Application) -> None:
    with serving(application) as port, ExitStack() as stack:
        for _ in range(THREADS + 1):
            stack.enter_context(Client(port)).send(LARGE)

        assert stack.enter_context(Client(port)).get() == 200


def test_a_client_that_does_not_read_loses_the_rest(application: Application) -> None:
    with serving(application, grace=0.3, rate=1 << 30) as port, Client(port).send(LARGE) as client:
        assert client.file.readline() == b"HTTP/1.1 200 OK\r\n"
        with Client(port) as other:
            assert other.get(b"GET /pause HTTP/1.1\r\nHost: x\r\n\r\n") == 200

        assert len(client.file.read()) < 16 << 20


def test_a_large_response_arrives(patient: int) -> None:
    with Client(patient).send(LARGE) as client:
        assert client.response()[2] == b"x" * (16 << 20)
        assert client.get() == 200
