"""The demo's client against servers that are not as it hopes, and its eye for differences."""

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

from deploy.demo import rest
from deploy.demo.__main__ import main
from deploy.demo.event import Event, pair_round
from deploy.demo.progress import Progress
from deploy.samples.event import SAMPLES, SampleGame, SampleRound, read_event
from tests.processes import ROOT, free_port

Script = list[tuple[int, dict[str, str], Any]]
INDEX = (200, {}, {"name": "Perihelion"})
ME = (200, {}, {"account": 1})


@contextmanager
def answering(*script: tuple[int, dict[str, str], Any]) -> Iterator[tuple[str, list[str]]]:
    """A server that gives these answers in turn; its address and the requests it got."""
    answers, seen = list(script), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            seen.append(f"{self.command} {self.path} {self.headers.get('Authorization', 'nobody')}")
            status, headers, body = answers.pop(0)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers = {"Content-Type": "application/json"} | headers
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            if "X-Hang-Up" in headers:  # without telling the client
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    for method in ("GET", "POST", "PATCH"):
        setattr(Handler, f"do_{method}", Handler.answer)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", seen
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "organiser-token"
    file.write_text("peri_token\n")
    return file


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """The exit status and the one line of complaint."""
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    return status, line


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("127.0.0.1:8000", "is no address; write it as http://127.0.0.1:8000"),
        ("ftp://127.0.0.1", "is no address"),
        ("http://127.0.0.1:8000/api", "is no address"),
        ("http://127.0.0.1:port", "is no address"),
        ("http://[::1", "is no address"),
    ],
)
def test_what_is_no_address_is_said(
    capsys: pytest.CaptureFixture[str], token_file: Path, url: str, line: str
) -> None:
    status, complaint = said(capsys, "--url", url, "--token-file", token_file)
    assert (status, line in complaint) == (2, True), complaint


def test_nobody_there(capsys: pytest.CaptureFixture[str], token_file: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    status, complaint = said(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert f"no service answers at {url}" in complaint
    assert "`make run`" in complaint


@pytest.mark.parametrize(
    "answer",
    [
        (200, {"Content-Type": "text/html"}, b"<p>It works!</p>"),
        (404, {"Content-Type": "text/html"}, b"no such page"),
        (200, {}, {"name": "Aphelion"}),
        (200, {}, b"{broken"),
        (200, {}, []),
    ],
)
def test_somebody_else_there(
    capsys: pytest.CaptureFixture[str], token_file: Path, answer: tuple[int, dict[str, str], Any]
) -> None:
    with answering(answer) as (url, seen):
        status, complaint = said(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert "is not Perihelion" in complaint
    assert seen == ["GET /api/v1/ nobody"]


@pytest.mark.parametrize("content", [b"", b"two words", b"\xff\xfe", "peri_\xe9".encode()])
def test_a_file_without_a_token(
    capsys: pytest.CaptureFixture[str], token_file: Path, content: bytes
) -> None:
    token_file.write_bytes(content)
    status, complaint = said(capsys, "--token-file", token_file)
    assert (status, "token" in complaint) == (2, True)


def test_no_token_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, complaint = said(capsys, "--token-file", tmp_path / "none")
    assert status == 2
    assert "`make run` writes it" in complaint


def test_a_token_that_the_service_does_not_know(
    capsys: pytest.CaptureFixture[str], token_file: Path
) -> None:
    unknown = (401, {}, {"code": "authentication_failed", "detail": "Invalid token."})
    with answering(INDEX, unknown) as (url, seen):
        status, complaint = said(capsys, "--url", url, "--token-file", token_file)
    assert status == 2
    assert "does not take the token: 401 authentication_failed: Invalid token." in complaint
    assert seen[1] == "GET /api/v1/me Bearer peri_token"


def test_a_refusal_ends_the_demo_with_the_services_own_words(
    capsys: pytest.CaptureFixture[str], token_file: Path
) -> None:
    refused = (403, {}, {"code": "scope_missing", "detail": "this token lacks the scope"})
    with answering(INDEX, ME, refused) as (url, _):
        status, complaint = said(capsys, "--url", url, "--token-file", token_file)
    assert status == 1
    assert "POST /players/import was refused: 403 scope_missing: this token lacks" in complaint


def test_a_busy_database_is_asked_again() -> None:
    busy = (503, {"Retry-After": "0"}, {})
    with answering(busy, INDEX) as (url, seen), rest.Service(url, "t") as service:
        assert service.get("/") == {"name": "Perihelion"}
    assert len(seen) == 2


def test_a_connection_closed_while_idle_is_opened_again() -> None:
    last = (200, {"X-Hang-Up": "1"}, 1)
    with answering(last, (200, {}, 2)) as (url, seen), rest.Service(url, "t") as service:
        assert [service.get("/"), service.get("/")] == [1, 2]
    assert len(seen) == 2


TASK = {"id": "report-1", "state": "waiting", "progress": 0, "result": None}
ACCEPTED = (202, {"Location": "/api/v1/tasks/report-1"}, {"report": {"id": 1}, "task": TASK})


def test_a_task_is_waited_for() -> None:
    done = TASK | {"state": "done", "result": {"state": "confirmed"}}
    script = ACCEPTED, (200, {}, TASK), (200, {}, done)
    with answering(*script) as (url, seen), rest.Service(url, "t") as service:
        answer = service.post("/games/1/reports", {})
    assert answer.body == {"report": {"id": 1}, "task": done}
    assert seen[1:] == ["GET /api/v1/tasks/report-1 Bearer t"] * 2


@pytest.mark.parametrize("state", ["failed", "waiting"])
def test_a_task_that_is_not_done_is_said(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "PATIENCE", 0.1)
    with (
        answering(ACCEPTED, *[(200, {}, TASK | {"state": state})] * 5) as (url, _),
        rest.Service(url, "t") as service,
        pytest.raises(rest.DemoError, match=f"is {state} after .* does the worker run"),
    ):
        service.post("/games/1/reports", {})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_stands_below_the_lines_and_goes_away() -> None:
    terminal = Terminal()
    progress = Progress(4, terminal)
    progress.step()
    progress.say("round 1")
    progress.step(3)
    progress.end()

    shown = [part for part in terminal.getvalue().split("\r") if part.strip()]
    assert shown == [
        f"[{'#' * 8}{'.' * 24}]  25 %",
        "round 1\n",
        f"[{'#' * 8}{'.' * 24}]  25 %",
        f"[{'#' * 32}] 100 %",
    ]
    assert terminal.getvalue().endswith(" \r")


def test_without_a_terminal_there_are_only_lines() -> None:
    out = io.StringIO()
    progress = Progress(2, out)
    progress.step()
    progress.say("round 1")
    progress.step()
    progress.end()
    assert out.getvalue() == "round 1\n"


def test_the_client_knows_nothing_of_the_service() -> None:
    look = (
        "import sys, deploy.demo.__main__ as _;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'django', 'rest_framework', 'celery', 'games', 'ratings', 'tournament', 'httpx'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


ROUND = SampleRound(
    number=1,
    games=(SampleGame(1, "Ada", "Ben", "1-0", "agreed", None),),
    byes={"Cleo": "pairing-bye"},
)


def published(system: str = "dutch", first: str = "Ada", free: str = "Cleo") -> dict[str, Any]:
    names = {"Ada": "Ben", "Ben": "Ada"}
    return {
        "system": system,
        "pairings": [
            {
                "kind": "game",
                "board": 1,
                "first": {"name": first},
                "second": {"name": names[first]},
            },
            {"kind": "pairing-bye", "board": None, "first": {"name": free}, "second": None},
        ],
    }


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (published(), ""),
        (published(system="by-hand"), "by-hand pairs"),
        (published(first="Ben"), r"pairs \[\(1, 'Ben', 'Ada'\)\]"),
        (published(free="Ada"), r"free \['Ada'\]"),
    ],
)
def test_a_round_must_be_paired_as_it_was_played(answer: dict[str, Any], fault: str) -> None:
    sample = read_event(SAMPLES / "harbour-open")
    with (
        answering((200, {}, {}), (200, {}, {}), (200, {}, answer)) as (url, seen),
        rest.Service(url, "peri_token") as service,
        pytest.raises(rest.DemoError, match=fault) if fault else nullcontext(),
    ):
        assert pair_round(Event(service, sample, slug="x"), ROUND) == answer["pairings"][:1]
    assert [line.split()[:2] for line in seen] == [
        ["PATCH", "/api/v1/tournaments/x/rounds/1"],
        ["POST", "/api/v1/tournaments/x/rounds/1/pair"],
        ["POST", "/api/v1/tournaments/x/rounds/1/publish"],
    ]
