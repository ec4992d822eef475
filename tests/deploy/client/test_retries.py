"""Busy services and broken connections: what the client sends again, and what it does not."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from deploy.client import AsyncClient, Client, Operation, Problem, Retries, Unreachable

GET = Operation[object]("GET", "/players")
POST = Operation[object]("POST", "/players", body={})
KEYED = Operation[object]("POST", "/players", body={}, takes_key=True)
DONE, BUSY, LIMITED, LATER = (200, "0"), (503, "0"), (429, "0"), (503, "900")
"""Responses: the status, and Retry-After."""
BROKEN, REFUSED = httpx.ReadError("broken"), httpx.ConnectError("refused")
Script = list[tuple[int, str] | Exception]


def transport(script: Script, sent: list[httpx.Request]) -> httpx.MockTransport:
    """Return a transport that gives these answers in turn, and notes the requests."""

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        answer = script[len(sent) - 1]
        if isinstance(answer, Exception):
            raise answer
        status, wait = answer
        return httpx.Response(status, json={"code": "busy"}, headers={"Retry-After": wait})

    return httpx.MockTransport(respond)


def send_sync(script: Script, operation: Operation[object], sent: list[httpx.Request]) -> int:
    retries = Retries(attempts=3, connections=3, first_wait=0.0)
    options = {"transport": transport(script, sent), "retries": retries}
    with Client("http://service", "peri_x", **options) as client:
        return client.send(operation).status


def send_async(script: Script, operation: Operation[object], sent: list[httpx.Request]) -> int:
    async def send() -> int:
        retries = Retries(attempts=3, connections=3, first_wait=0.0)
        options = {"transport": transport(script, sent), "retries": retries}
        async with AsyncClient("http://service", "peri_x", **options) as client:
            return (await client.send(operation)).status

    return asyncio.run(send())


@pytest.mark.parametrize("send", [send_sync, send_async])
@pytest.mark.parametrize(
    ("operation", "script", "expected"),
    [
        (GET, [BUSY, LIMITED, DONE], 200),
        (GET, [BUSY, BUSY, BUSY], "busy"),
        (GET, [LATER], "busy"),
        (GET, [BROKEN, DONE], 200),
        (GET, [BROKEN, BROKEN, BROKEN], Unreachable),
        (POST, [BUSY], "busy"),
        (POST, [LIMITED, DONE], 200),
        (POST, [BROKEN], Unreachable),
        (POST, [REFUSED, DONE], 200),
        (KEYED, [BUSY, BROKEN, DONE], 200),
    ],
)
def test_a_request_is_sent_again_if_that_is_safe(
    send: Callable[..., int], operation: Operation[object], script: Script, expected: object
) -> None:
    sent: list[httpx.Request] = []
    if expected is Unreachable:
        with pytest.raises(Unreachable):
            send(script, operation, sent)
    elif isinstance(expected, str):
        with pytest.raises(Problem) as caught:
            send(script, operation, sent)
        assert caught.value.code == expected
    else:
        assert send(script, operation, sent) == expected
    assert len(sent) == len(script)
    keys = {request.headers.get("Idempotency-Key") for request in sent}
    assert len(keys) == 1
    assert (None in keys) == (not operation.takes_key)
