"""The demo's client: unreachable and foreign servers, tasks, output."""

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from deploy.demo.__main__ import main, show
from deploy.demo.client import DemoClient, DemoError
from deploy.demo.event import Event, pair_round
from deploy.samples.event import SAMPLES, SampleGame, SampleRound, read_event
from tests.processes import ROOT, eventually, free_port

INDEX = (200, {}, {"name": "Perihelion"})
ME = (200, {}, {"account": 1})


@contextmanager
def scripted_server(*script: tuple[int, dict[str, str], Any]) -> Iterator[tuple[str, list[str]]]:
    """A server that sends these responses in turn; its address and the requests it received.

    It closes the connection of a response with `X-Close` without a word, and notes that.
    """
    responses, requests, closing = list(script), [], []

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def shutdown_request(self, request: Any) -> None:
            super().shutdown_request(request)
            if request in closing:
                requests.append("closed")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            token = self.headers.get("Authorization", "anonymous")
            requests.append(f"{self.command} {self.path} {token}")
            status, headers, body = responses.pop(0)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers = {"Content-Type": "application/json"} | headers
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            if "X-Close" in headers:
                closing.append(self.connection)
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    for method in ("GET", "POST", "PATCH"):
        setattr(Handler, f"do_{method}", Handler.respond)
    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", requests
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "organiser-token"
    file.write_text("peri_token\n")
    return file


def error_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """The exit status and the only line of error output."""
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    return status, line


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("127.0.0.1:8000", "Request URL is missing an 'http://' or 'https://' protocol"),
        ("ftp://127.0.0.1", "Request URL has an unsupported protocol 'ftp://'"),
        ("http://127.0.0.1:port", "is not an address"),
        ("http://[::1", "is not an address"),
    ],
)
def test_an_invalid_address(
    capsys: pytest.CaptureFixture[str], token_file: Path, url: str, line: str
) -> None:
    status, error = error_of(capsys, "--url", url, "--token-file", token_file)
    assert (status, line in error) == (2, True), error


def test_no_server(capsys: pytest.CaptureFixture[str], token_file: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    status, error = error_of(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert f"no service responds at {url}" in error
    assert "`make run`" in error


@pytest.mark.parametrize(
    "response",
    [
        (200, {"Content-Type": "text/html"}, b"<p>It works!</p>"),
        (404, {"Content-Type": "text/html"}, b"no such page"),
        (200, {}, {"name": "Aphelion"}),
        (200, {}, b"{broken"),
        (200, {}, []),
    ],
)
def test_another_server(
    capsys: pytest.CaptureFixture[str], token_file: Path, response: tuple[int, dict[str, str], Any]
) -> None:
    with scripted_server(response) as (url, requests):
        status, error = error_of(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert "is not Perihelion" in error
    assert requests == ["GET /api/v1/ anonymous"]


@pytest.mark.parametrize("content", [b"", b"two words", b"\xff\xfe", "peri_\xe9".encode()])
def test_a_file_without_a_token(
    capsys: pytest.CaptureFixture[str], token_file: Path, content: bytes
) -> None:
    token_file.write_bytes(content)
    status, error = error_of(capsys, "--token-file", token_file)
    assert (status, "token" in error) == (2, True)


def test_a_missing_token_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, error = error_of(capsys, "--token-file", tmp_path / "none")
    assert status == 2
    assert "`make run` writes it" in error


def test_a_token_that_the_service_does_not_accept(
    capsys: pytest.CaptureFixture[str], token_file: Path
) -> None:
    unknown = (401, {}, {"code": "authentication_failed", "detail": "Invalid token."})
    with scripted_server(INDEX, unknown) as (url, requests):
        status, error = error_of(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert "does not accept the token: 401 authentication_failed: Invalid token." in error
    assert requests[1] == "GET /api/v1/me Bearer peri_token"


def test_a_rejected_request_ends_the_demo_with_the_detail_of_the_service(
    capsys: pytest.CaptureFixture[str], token_file: Path
) -> None:
    rejected = (403, {}, {"code": "scope_missing", "detail": "this token lacks the scope"})
    with scripted_server(INDEX, ME, rejected) as (url, _):
        status, error = error_of(capsys, "--url", url, "--token-file", token_file)
    assert status == 1
    assert "POST /players/import was rejected: 403 scope_missing: this token lacks" in error


def test_a_request_is_repeated_while_the_database_is_busy() -> None:
    busy = (503, {"Retry-After": "0"}, {})
    with scripted_server(busy, INDEX) as (url, requests), DemoClient(url, "t") as client:
        assert client.call("GET", "/") == {"name": "Perihelion"}
    assert len(requests) == 2


def test_a_connection_that_was_closed_while_idle_is_opened_again() -> None:
    last = (200, {"X-Close": "1"}, 1)
    with scripted_server(last, (200, {}, 2)) as (url, requests), DemoClient(url, "t") as client:
        assert client.call("GET", "/") == 1
        eventually(lambda: "closed" in requests)
        assert client.call("GET", "/") == 2
    assert len(requests) == 3


TASK = {"id": "report-1", "state": "waiting", "progress": 0, "result": None}
ACCEPTED = (202, {"Location": "/api/v1/tasks/report-1"}, {"report": {"id": 1}, "task": TASK})


def test_the_client_waits_for_a_task() -> None:
    done = TASK | {"state": "done", "result": {"state": "confirmed"}}
    script = ACCEPTED, (200, {}, TASK), (200, {}, done)
    with scripted_server(*script) as (url, requests), DemoClient(url, "t") as client:
        response = client.call("POST", "/games/1/reports", {})
    assert response == {"report": {"id": 1}, "task": done}
    assert requests[1:] == ["GET /api/v1/tasks/report-1 Bearer t"] * 2


@pytest.mark.parametrize("state", ["failed", "waiting"])
def test_a_task_that_does_not_finish_is_reported(state: str) -> None:
    with (
        scripted_server(ACCEPTED, *[(200, {}, TASK | {"state": state})] * 5) as (url, _),
        DemoClient(url, "t", seconds=0.3) as client,
        pytest.raises(DemoError, match=f"is {state} after .* is the worker running"),
    ):
        client.call("POST", "/games/1/reports", {})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_bar_is_below_the_lines_and_is_removed_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    show("", 0.25)
    show("round 1", 0.25)
    show("", 1)

    drawn = [part for part in terminal.getvalue().split("\r") if part.strip()]
    bar = f"[{'#' * 8}{'.' * 24}]  25 %"
    assert drawn == [bar, f"round 1\n{bar}"]
    assert terminal.getvalue().endswith(" \r")


def test_without_a_terminal_there_is_no_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    show("", 0.25)
    show("round 1", 0.5)
    show("", 1)
    assert capsys.readouterr().out == "round 1\n"


def test_the_demo_imports_nothing_of_the_service() -> None:
    script = (
        "import sys, deploy.demo.__main__ as _;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'django', 'rest_framework', 'celery', 'games', 'ratings', 'tournament'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


ROUND = SampleRound(
    number=1,
    games=(SampleGame(1, "Ada", "Ben", "1-0", "agreed"),),
    byes={"Cleo": "pairing-bye"},
)


def published(system: str = "dutch", first: str = "Ada") -> dict[str, Any]:
    names = {"Ada": "Ben", "Ben": "Ada"}
    return {
        "system": system,
        "pairings": [
            {
                "kind": "game",
                "board": 1,
                "game": 5,
                "first": {"player": {"name": first}},
                "second": {"player": {"name": names[first]}},
            },
            {
                "kind": "pairing-bye",
                "board": None,
                "first": {"player": {"name": "Cleo"}},
                "second": None,
            },
        ],
    }


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (published(), ""),
        (published(system="by-hand"), "by-hand pairs"),
        (published(first="Ben"), r"pairs \[\(1, 'Ben', 'Ada'\)\]"),
    ],
)
def test_a_round_must_be_paired_as_in_the_sample(response: dict[str, Any], error: str) -> None:
    sample = read_event(SAMPLES / "harbour-open")
    with (
        scripted_server((200, {}, {}), (200, {}, {}), (200, {}, response)) as (url, requests),
        DemoClient(url, "peri_token") as client,
        pytest.raises(DemoError, match=error) if error else nullcontext(),
    ):
        assert pair_round(Event(client, sample, "/tournaments/x"), ROUND) == [5]
    assert [line.split()[:2] for line in requests] == [
        ["PATCH", "/api/v1/tournaments/x/rounds/1"],
        ["POST", "/api/v1/tournaments/x/rounds/1/pair"],
        ["POST", "/api/v1/tournaments/x/rounds/1/publish"],
    ]
