"""Programs written from the API's description play whole events against the running service."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.service import Service, running
from tests.node import run_in
from tests.processes import ROOT

pytestmark = [pytest.mark.long, pytest.mark.processes]
CHECK = ("tsc", "--noEmit", "--strict", "--target", "es2023")
CHECKED = ("--noUncheckedIndexedAccess", "--module", "nodenext")
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
    done = run_in(folder, *command, **known)
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


def test_a_bot_in_typescript(service: Service, node: Path) -> None:
    shutil.copy(BOTS / "event.ts", node)
    schema = f"{service.address}/api/v1/schema"
    options = ("-o", "schema.ts", "--default-non-nullable=false")
    types = run_in(node, "npx", "openapi-typescript", schema, *options)
    assert types.returncode == 0, types.stderr
    compiled = run_in(node, "npx", *CHECK, *CHECKED, "event.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    check_end(service, run(service, node, "npx", "tsx", "event.ts"), rounds=3)


def test_a_bot_with_the_generated_client(service: Service, tmp_path: Path) -> None:
    make = ["sh", ROOT / "deploy" / "client" / "make.sh", tmp_path]
    made = subprocess.run(make, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    shutil.copy(BOTS / "generated.py", tmp_path)

    check_end(service, run(service, tmp_path, sys.executable, "generated.py"), rounds=3)
