"""Measure public reads of an event that does not change: stored responses against computed ones.

    python -m tests.bench.reads

The WSGI application gets the requests of strangers one after the other, as one thread of the
service does, on SQLite; computed responses are measured with nothing stored, in the same run. The
time is that of the processor. Goals: ten times the requests per second, also of those that get 304
because they name the current tag; or ten times as many as the service answered before it stored
responses, for an address that is computed nearly as fast as a response is sent.
"""

import sys
import time
from importlib import import_module
from io import BytesIO
from typing import Any

from tests.bench.database import empty_database
from tests.bench.imports import trf

TIMES_AS_MANY = 10
BEFORE = 122
"""Lists of 100 games per second before responses were stored: more than of any other table."""

SECONDS = 0.7
"""Of the processor, for each measurement."""
ADDRESSES = (
    ("standings, 1,000 players", "/api/v1/tournaments/bench-1000/standings"),
    ("standings, 200 players", "/api/v1/tournaments/bench-200/standings"),
    ("pairings, 200 players", "/api/v1/tournaments/bench-200/rounds/4/pairings"),
    ("crosstable, 200 players", "/api/v1/tournaments/bench-200/crosstable"),
    ("100 games of an event", "/api/v1/games?stream=tournament/bench-200&limit=100"),
    ("page of standings, 200", "/e/bench-200/standings"),
    ("page of round 2, 200", "/e/bench-200/standings?round=2"),
    ("state of the wall view", "/e/bench-200/wall/state"),
)


def get(
    application: Any, address: str, tag: str = "", *, encoding: str = "gzip"
) -> tuple[str, dict[str, str], bytes]:
    """Request an address; return the status, the headers and the body."""
    path, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "HTTP_ACCEPT_ENCODING": encoding,
        "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }  # fmt: skip
    if tag:
        environ["HTTP_IF_NONE_MATCH"] = tag
    sent: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]]) -> None:
        sent.extend((status, dict(headers)))

    response = application(environ, start_response)
    body = b"".join(response)
    response.close()
    return sent[0], sent[1], body


def rate(application: Any, address: str, tag: str = "") -> float:
    """Return the requests per second of the processor, after a first one."""
    get(application, address, tag)
    count, start = 0, time.process_time()
    while (used := time.process_time() - start) < SECONDS or count < 5:
        get(application, address, tag)
        count += 1
    return count / used


def measure() -> int:
    """Print the measurements; return the number of missed goals."""
    from django.conf import settings

    from games.models import Account
    from tests.tournament.imports import import_trf

    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous": 10**9}
    owner = Account.objects.create_superuser("bench@example.org", "not-a-secret")
    for players in (200, 1000):
        import_trf(trf(players), by=owner, slug=f"bench-{players}")
    application = import_module("deploy.asgi").django_application
    missed = 0
    print("Public reads, in one second of a processor   computed   stored   times      304   times")
    for name, address in ADDRESSES:
        settings.STORED_RESPONSES = 0
        status, headers, body = get(application, address)
        assert status == "200 OK", body[:400]
        computed = rate(application, address)
        settings.STORED_RESPONSES = 400
        stored = rate(application, address)
        assert get(application, address)[2] == body or "gzip" in headers.get("Content-Encoding", "")
        tag = get(application, address)[1]["ETag"]
        assert get(application, address, tag)[0] == "304 Not Modified"
        unchanged = rate(application, address, tag)
        is_missed = min(stored, unchanged) < TIMES_AS_MANY * min(computed, BEFORE)
        missed += is_missed
        print(
            f"  {name:<42} {computed:8.0f} {stored:8.0f} {stored / computed:7.1f}"
            f" {unchanged:8.0f} {unchanged / computed:7.1f}{'   missed' if is_missed else ''}"
        )
    print(f"  goal: {TIMES_AS_MANY} times as many as computed, or {TIMES_AS_MANY * BEFORE}")
    return missed


def main() -> int:
    """Measure on an empty database; return 1 if a goal is missed."""
    with empty_database():
        return 1 if measure() else 0


if __name__ == "__main__":
    sys.exit(main())
