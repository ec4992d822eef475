"""Programs written from the API's description play whole events against the running service."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from tests.deploy.service import Service, running
from tests.processes import ROOT

pytestmark = [pytest.mark.long, pytest.mark.processes]
NPM = shutil.which("npm")
NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNREFUSED", "ENOTCACHED", "E404")
STRICT = ("--strict", "--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2023")
BOTS = ROOT / "tests" / "api" / "bots"


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    """The running service, whose webhooks may reach this machine."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        networks = {"DATABASE_URL": database, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
        with running(Service(Path(folder, "var"), **networks)) as service:
            yield service


def run(service: Service, folder: Path, *command: str | Path) -> dict[str, Any]:
    """Run a bot in a folder; what it saw."""
    known = {"PERIHELION_URL": service.address, "PERIHELION_TOKEN": service.token, "NO_PROXY": "*"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | known,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def get(service: Service, path: str) -> Any:
    """What anybody may read."""
    status, body = service.get(f"/api/v1/{path}")
    assert status == 200, body
    return json.loads(body)


def check_end(service: Service, seen: dict[str, Any], rounds: int) -> None:
    """The event is final, and each result arrived once, by the stream and by the webhook."""
    slug = seen["slug"]
    assert get(service, f"tournaments/{slug}")["state"] == "final"
    standings = get(service, f"tournaments/{slug}/standings")
    assert (standings["provisional"], len(standings["rows"])) == (False, 16)

    games = get(service, f"games?tournament={slug}")["results"]
    assert [row["state"] for row in games] == ["confirmed"] * 8 * rounds
    results = sorted([row["id"], row["result"]] for row in games)
    assert (sorted(seen["stream"]), sorted(seen["webhook"])) == (results, results)


def test_a_bot_in_python(service: Service, tmp_path: Path) -> None:
    seen = run(service, tmp_path, sys.executable, BOTS / "event.py")

    check_end(service, seen, rounds=5)
    assert (seen["entries"], seen["connections"], seen["repeated"]) == (16, 2, [0, 0])
    sheet = CalamineWorkbook.from_path(tmp_path / "standings.xlsx").get_sheet_by_index(0)
    standings = get(service, f"tournaments/{seen['slug']}/standings")
    names = [row["player"]["name"] for row in standings["rows"]]
    assert [row[2] for row in sheet.to_python()[1:]] == names


@pytest.mark.skipif(NPM is None, reason="node is not installed: the bot in TypeScript cannot run")
def test_a_bot_in_typescript(service: Service, tmp_path: Path) -> None:
    for name in ("package.json", "event.ts"):
        shutil.copy(BOTS / name, tmp_path)

    def node(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    installed = node("npm", "install", "--no-audit", "--no-fund")
    if installed.returncode and any(word in installed.stderr for word in NETWORK):
        pytest.skip("the registry of npm cannot be reached: the bot in TypeScript cannot run")
    assert installed.returncode == 0, installed.stderr
    schema = f"{service.address}/api/v1/schema"
    options = ("-o", "schema.ts", "--default-non-nullable=false")
    types = node("npx", "openapi-typescript", schema, *options)
    assert types.returncode == 0, types.stderr
    compiled = node("npx", "tsc", "--noEmit", *STRICT, "event.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    check_end(service, run(service, tmp_path, "npx", "tsx", "event.ts"), rounds=3)


def test_a_bot_with_the_generated_client(service: Service, tmp_path: Path) -> None:
    make = ["sh", ROOT / "deploy" / "client" / "make.sh", tmp_path]
    made = subprocess.run(make, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    shutil.copy(BOTS / "generated.py", tmp_path)

    check_end(service, run(service, tmp_path, sys.executable, "generated.py"), rounds=3)
