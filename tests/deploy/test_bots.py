"""Programs written from the API's description play whole events against the running service."""

import json
import os
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
