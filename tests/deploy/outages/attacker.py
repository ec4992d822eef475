"""A program that asks for everything that is dear, until it is killed.

Its arguments are the port, the slug of a large event, and the addresses that it comes from, with
commas.
"""

import http.client
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from typing import Final

PORT, SLUG, ADDRESSES = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(",")
ABANDONED: Final = 200
OPEN: Final = 60
SHEETS: Final = 100
EXPLANATIONS: Final = 3
numbers = count()


def head(path: str) -> bytes:
    """Return the head of a request whose address nobody has asked for before."""
    return f"GET {path}?at={next(numbers)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def abandon(source: str) -> None:
    """Send requests, and close their connections at once."""
    with ExitStack() as stack:
        for _ in range(ABANDONED // len(ADDRESSES)):
            address = ("127.0.0.1", PORT)
            client = stack.enter_context(socket.create_connection(address, 20, (source, 0)))
            client.sendall(head(f"/e/{SLUG}/standings"))
    time.sleep(1)


def read(method: str, path: str) -> Callable[[str], None]:
    """Return a function that sends a request and reads the whole response."""

    def send(source: str) -> None:
        client = http.client.HTTPConnection("127.0.0.1", PORT, 120, (source, 0))
        target = path if "." in path or method == "POST" else f"{path}?at={next(numbers)}"
        try:
            client.request(method, target, headers={"Host": "localhost"})
            response = client.getresponse()
            response.read()
            if response.status >= 400:
                time.sleep(0.5)
        finally:
            client.close()

    return send


def repeat(act: Callable[[str], None], source: str) -> None:
    while True:
        with suppress(OSError, http.client.HTTPException):
            act(source)


ACTS: Final = (
    *[abandon] * len(ADDRESSES),
    *[read("GET", f"/e/{SLUG}/standings")] * OPEN,
    *[read("GET", f"/api/v1/tournaments/{SLUG}/standings.pdf")] * SHEETS,
    *[read("POST", f"/api/v1/tournaments/{SLUG}/rounds/1/explain")] * EXPLANATIONS,
)

for number, act in enumerate(ACTS):
    source = ADDRESSES[number % len(ADDRESSES)]
    threading.Thread(target=repeat, args=(act, source), daemon=True).start()
threading.Event().wait()
