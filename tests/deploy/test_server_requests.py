"""The web server: how requests are read, and when a connection stays open."""

import json
import socket
from collections.abc import Iterator

import pytest

from deploy import asgi
from tests.deploy.serving import GET, LARGEST_BODY, Application, Client, serving

TOO_LARGE = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (LARGEST_BODY + 1)
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server."""
    with serving(Application(), linger=0.2) as port:
        yield port


@pytest.mark.parametrize(
    ("request_", "status", "stays_open"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 200, True),
        (b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200, False),
        (b"GET / HTTP/1.0\r\n\r\n", 200, False),
        (b"GET /fail HTTP/1.1\r\nHost: x\r\n\r\n", 500, True),
        (b"GET /unchanged HTTP/1.1\r\nHost: x\r\n\r\n", 304, True),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000,
            200,
            True,
        ),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 200, True),
        (TOO_LARGE, 413, False),
        (CHUNKED + b"1\r\nx\r\n0\r\n\r\n", 200, False),
        (CHUNKED, 200, False),
    ],
)
def test_the_status_and_whether_the_connection_stays_open(
    port: int, request_: bytes, status: int, stays_open: bool
) -> None:
    with Client(port).send(request_) as client:
        received, headers, _ = client.response()

        assert (received, headers.get("connection")) == (status, None if stays_open else "close")
        assert client.get() == 200 if stays_open else client.is_closed()


@pytest.mark.parametrize("protocol", [b"h2c", b"websocket"])
def test_an_upgrade_is_not_made(port: int, protocol: bytes) -> None:
    with Client(port) as client:
        assert (
            client.get(
                b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: %b\r\n\r\n"
                % protocol
            )
            == 200
        )


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * (64 << 10)),
        b"\x16\x03\x01\x02\x00\x01\x00",  # TLS
    ],
)
def test_a_request_that_cannot_be_read_is_400(
    port: int, request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with Client(port).send(request_) as client:
        status, headers, body = client.response()

        assert (status, headers["connection"]) == (400, "close")
        assert headers["content-type"] == "application/problem+json"
        assert (problem := json.loads(body))["code"] == "unreadable"
        assert problem["request_id"] == headers["x-request-id"]
        assert client.is_closed()
    assert "400 ('127.0.0.1', " in caplog.text


@pytest.mark.parametrize("size", [5_000_000])
def test_the_response_arrives_although_the_client_sends_a_large_body_first(
    port: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "LINGER", 60.0)  # it ends when the body is read
    with Client(port) as client:
        client.send(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size
        )

        status, headers, _ = client.response()
        assert (status, headers["connection"]) == (413, "close")
        assert client.is_closed()


def test_pipelined_requests_are_answered_in_order(port: int) -> None:
    with Client(port) as client:
        for number in range(40):
            body = str(number).encode()
            client.send(
                b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )

        assert [json.loads(client.response()[2])["body"] for _ in range(40)] == [
            str(number) for number in range(40)
        ]


def test_no_request_follows_the_last_one_of_a_connection(port: int) -> None:
    with Client(port) as client:
        client.send(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").send(GET)

        assert client.response()[0] == 200
        assert client.is_closed()


@pytest.mark.parametrize("step", [7])
def test_a_request_may_arrive_in_pieces(port: int, step: int) -> None:
    request = b"POST /a HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello"
    with Client(port) as client:
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(request), step):
            client.send(request[start : start + step])

        response = json.loads(client.response()[2])
        assert (response["HTTP_X_A"], response["body"]) == ("1", "hello")


def test_the_body_is_requested_with_100_continue(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n"
    with Client(port) as client:
        assert client.get(head % 1) == 100
        assert client.get(b"x") == 200
        assert client.get(head % (LARGEST_BODY + 1)) == 413


def test_a_head_request_has_no_body(port: int) -> None:
    with Client(port).send(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + GET) as client:
        assert client.file.readline() == b"HTTP/1.1 200 OK\r\n"
        headers = dict(line.strip().split(b": ") for line in iter(client.file.readline, b"\r\n"))
        assert int(headers[b"content-length"]) > 0
        assert client.response()[0] == 200


def test_the_environment_of_a_request(port: int) -> None:
    with Client(port, "127.0.0.9") as client:
        client.send(
            b"POST http://x/a%20b%C3%A9?c=%20d HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nX-A: 2\r\n"
            b"X-Empty:\r\nX_A: 3\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Length: 2\r\n\r\nhi"
        )

        assert json.loads(client.response()[2]) == {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/a b\xc3\xa9",  # WSGI: the bytes as Latin-1
            "QUERY_STRING": "c=%20d",
            "REMOTE_ADDR": "127.0.0.9",
            "HTTP_X_A": "1,2",
            "HTTP_X_EMPTY": "",
            "HTTP_X_FORWARDED_FOR": "192.0.2.1",
            "body": "hi",
        }
