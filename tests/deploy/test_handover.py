"""The web server hands the connections of event streams over, and no others."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.server.handover import LARGEST_HEAD
from deploy.server.limits import Limits
from tests.deploy.serving import Application, Client, serving

STREAM = b"/api/v1/tournaments/spring/events"


@pytest.fixture(scope="module")
def receiver(short_folder: Path) -> Iterator[socket.socket]:
    """What the stream process listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as receiver:
        receiver.bind(str(short_folder / "stream.sock"))
        receiver.listen()
        receiver.settimeout(20)
        yield receiver


@pytest.fixture(scope="module")
def port(receiver: socket.socket) -> Iterator[int]:
    limits = Limits(linger=0.2)
    with serving(Application(), limits, Path(receiver.getsockname())) as port:
        yield port


def receive(receiver: socket.socket) -> tuple[bytes, socket.socket]:
    """Return the head and the connection that the web server hands over."""
    sender, _ = receiver.accept()
    with sender:
        head, descriptors, _, _ = socket.recv_fds(sender, LARGEST_HEAD, 1)
        while part := sender.recv(LARGEST_HEAD):
            head += part
    (descriptor,) = descriptors
    return head, socket.socket(fileno=descriptor)


@pytest.mark.parametrize("before", [0, 2], ids=["first request", "after others"])
def test_a_connection_is_handed_over_with_its_request(
    port: int, receiver: socket.socket, before: int
) -> None:
    request = b"GET %b?after=1 HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 7\r\n\r\n" % STREAM
    with Client(port) as client:
        assert [client.get() for _ in range(before)] == [200] * before
        client.send(request)
        head, connection = receive(receiver)
        assert head == request.replace(b"Host", b"host").replace(b"Last-Event-ID", b"last-event-id")
        with connection:
            assert connection.getpeername() == client.socket.getsockname()
            connection.sendall(b"from the other process\n")
            assert client.file.readline() == b"from the other process\n"
        assert client.is_closed()


def test_a_long_head_is_complete(port: int, receiver: socket.socket) -> None:
    request = b"GET %b HTTP/1.1\r\ncookie: %b\r\n\r\n" % (STREAM, b"x" * 32_000)
    with Client(port).send(request):
        head, connection = receive(receiver)
        connection.close()
    assert head == request


@pytest.mark.parametrize(
    "request_",
    [
        b"POST %b HTTP/1.1\r\nContent-Length: 0\r\n\r\n" % STREAM,
        b"OPTIONS %b HTTP/1.1\r\n\r\n" % STREAM,
        b"GET %b HTTP/1.0\r\n\r\n" % STREAM,
        b"GET %b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}" % STREAM,
        b"GET %b/ HTTP/1.1\r\n\r\n" % STREAM,
        b"GET /x%b HTTP/1.1\r\n\r\n" % STREAM,
        b"GET /api/v1/tournaments/a/b/events HTTP/1.1\r\n\r\n",
        b"GET %b HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" % STREAM,
    ],
)
def test_other_requests_stay(port: int, request_: bytes) -> None:
    with Client(port).send(request_) as client:
        status, headers, _ = client.response()
    assert (status, "retry-after" in headers) == (200, False)


def test_what_follows_in_the_same_packet_is_dropped(port: int, receiver: socket.socket) -> None:
    request = b"GET %b HTTP/1.1\r\n\r\n" % STREAM
    with Client(port).send(request + b"GET /second HTTP/1.1\r\n\r\n") as client:
        head, connection = receive(receiver)
        connection.close()
        assert head == request
        assert client.is_closed()


def test_a_request_behind_an_unfinished_one_stays(port: int) -> None:
    second = b"GET %b HTTP/1.1\r\n\r\n" % STREAM
    with Client(port).send(b"GET / HTTP/1.1\r\n\r\n" + second) as client:
        statuses = [client.response()[0] for _ in range(2)]
    assert statuses == [200, 200]


def test_without_a_receiver_the_client_is_asked_to_wait(short_folder: Path) -> None:
    with serving(Application(), Limits(), short_folder / "nobody.sock") as port, Client(port) as c:
        status, headers, body = c.send(b"GET %b HTTP/1.1\r\n\r\n" % STREAM).response()
        assert (status, headers["retry-after"]) == (503, "2")
        assert json.loads(body)["code"] == "stream_unavailable"
        assert c.get() == 200
