"""`make audit`: known-bad pins fail; without advisory data, nothing passes as audited."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from deploy.audit import main
from tests.cases import each_case
from tests.processes import ROOT

ADVISORIES = {"django 1.2": ["PYSEC-2010-12"], "sqlparse 0.4.3": ["GHSA-a", "GHSA-b"]}
GOOD, BAD = (
    "celery==5.7.1 \\\n    --hash=sha256:00\n",
    "sqlparse==0.4.3 ; python_version < '4' \\\n",
)
Answer = tuple[int, Any]


class Service:
    """A server with the batch API of OSV; `answer` makes the response of its queries."""

    answer: Callable[[list[dict[str, Any]]], Answer]

    def __init__(self) -> None:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.path == "/v1/querybatch"
                status, answer = service.answer(body["queries"])
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


def advisories_of(query: dict[str, Any]) -> list[dict[str, str]]:
    assert query["package"]["ecosystem"] == "PyPI"
    ids = ADVISORIES.get(f"{query['package']['name']} {query['version']}", [])
    return [{"id": advisory, "modified": "2026-01-01T00:00:00Z"} for advisory in ids]


def all_at_once(queries: list[dict[str, Any]]) -> Answer:
    found = [advisories_of(query) for query in queries]
    return 200, {"results": [{"vulns": vulns} if vulns else {} for vulns in found]}


def one_a_page(queries: list[dict[str, Any]]) -> Answer:
    results = []
    for query in queries:
        found, page = advisories_of(query), int(query.get("page_token", 0))
        result: dict[str, Any] = {"vulns": found[page : page + 1]}
        results.append(result | ({"next_page_token": str(page + 1)} if found[page + 1 :] else {}))
    return 200, {"results": results}


@pytest.fixture(scope="module")
def server() -> Iterator[Service]:
    service = Service()
    Thread(target=service.server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture
def service(server: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("AUDIT_URL", server.url)
    server.answer = all_at_once
    return server


@pytest.fixture
def locks(tmp_path: Path) -> list[str]:
    """Two locks without a bad pin."""
    files = [tmp_path / "requirements.txt", tmp_path / "requirements-test.txt"]
    for file in files:
        file.write_text(GOOD)
    return list(map(str, files))


def test_pins_without_advisories_pass(
    service: Service, locks: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(locks) == 0
    assert capsys.readouterr().out == f"0 of 1 pins have a known advisory ({service.url})\n"


@pytest.mark.parametrize("answer", [all_at_once, one_a_page])
def test_a_known_bad_pin_fails(
    service: Service,
    locks: list[str],
    capsys: pytest.CaptureFixture[str],
    answer: Callable[[list[dict[str, Any]]], Answer],
) -> None:
    service.answer = answer
    Path(locks[1]).write_text(GOOD + BAD)

    assert main(locks) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"sqlparse==0.4.3 in {locks[1]}: GHSA-a, GHSA-b",
        f"1 of 2 pins have a known advisory ({service.url})",
    ]


NO_DATA: dict[str, Callable[[list[dict[str, Any]]], Answer]] = {
    "no advisory data": lambda queries: (200, {"results": [{} for _ in queries]}),
    "a result is missing": lambda queries: (
        200,
        {"results": all_at_once(queries)[1]["results"][1:]},
    ),
    "another object": lambda _: (200, {}),
    "another kind": lambda _: (200, []),
    "results of another kind": lambda queries: (200, {"results": ["" for _ in queries]}),
    "advisories of another kind": lambda queries: (
        200,
        {"results": [{"vulns": 1} for _ in queries]},
    ),
    "a page of a hotel": lambda _: (200, b"<html>Log in</html>"),
    "not found": lambda _: (404, {}),
    "unavailable": lambda _: (503, b""),
}


@each_case("answer", NO_DATA.values(), ids=NO_DATA)
def test_without_advisory_data_nothing_is_audited(
    service: Service,
    locks: list[str],
    capsys: pytest.CaptureFixture[str],
    answer: Callable[[list[dict[str, Any]]], Answer],
) -> None:
    service.answer = answer
    Path(locks[0]).write_text(GOOD + BAD)

    assert main(locks) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"not audited: {service.url}")


def test_an_unreachable_server_audits_nothing(
    locks: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_URL", "http://127.0.0.1:1")

    assert main(locks) == 0
    assert capsys.readouterr().out.startswith("not audited: http://127.0.0.1:1 cannot be reached")


def test_every_pin_of_the_locks_is_audited(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [ROOT / "deploy" / name for name in ("requirements.txt", "requirements-test.txt")]
    asked: list[dict[str, Any]] = []

    def answer(queries: list[dict[str, Any]]) -> Answer:
        asked.extend(queries)
        return all_at_once(queries)

    service.answer = answer

    assert main(list(map(str, files))) == 0
    pins = {line.split(" ")[0] for file in files for line in file.read_text().splitlines()
            if "==" in line.split(" ")[0]}  # fmt: skip
    found = {f"{query['package']['name']}=={query['version']}" for query in asked}
    assert found == pins | {"django==1.2"}
    assert len(pins) > 50


def test_make_audits_both_locks() -> None:
    makefile = (ROOT / "Makefile").read_text()

    assert "deploy.audit deploy/requirements.txt deploy/requirements-test.txt" in makefile
    assert "$(AT_ONCE) lint audit " in makefile
