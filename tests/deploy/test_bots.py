"""Programs written from the API's description play whole events against the running service."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from tests.api.node import run_in
from tests.deploy.service import Service, new_service
from tests.processes import ROOT

pytestmark = [pytest.mark.long, pytest.mark.processes]
JAVA = shutil.which("java")
CHECK = ("tsc", "--noEmit", "--strict", "--target", "es2023")
CHECKED = ("--noUncheckedIndexedAccess", "--module", "nodenext")
BUNDLED = ("--module", "esnext", "--moduleResolution", "bundler")
BOTS = ROOT / "tests" / "api" / "bots"


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    """The running service, whose webhooks may reach this machine."""
    with new_service(DATABASE_URL=database, WEBHOOK_NETWORKS="127.0.0.0/8") as service:
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

    games = get(service, f"games?tournament_slug={slug}")["results"]
    assert [row["state"] for row in games] == ["confirmed"] * 8 * rounds
    results = sorted([row["id"], row["result"]] for row in games)
    assert (sorted(seen["stream"]), sorted(seen["webhook"])) == (results, results)


def test_a_bot_in_python(service: Service, tmp_path: Path) -> None:
    seen = run(service, tmp_path, sys.executable, BOTS / "event.py")

    check_end(service, seen, rounds=5)
    assert (seen["entries"], seen["connections"], seen["repeated"]) == (16, 2, [0, 0])
    assert seen["by_turns"] == ["links", "second", "final"]
    sheet = CalamineWorkbook.from_path(tmp_path / "standings.xlsx").get_sheet_by_index(0)
    standings = get(service, f"tournaments/{seen['slug']}/standings")
    names = [row["player"]["name"] for row in standings["rows"]]
    assert [row[2] for row in sheet.to_python()[1:]] == names


def test_a_bot_in_typescript(service: Service, node: Path) -> None:
    shutil.copy(BOTS / "event.ts", node)
    schema = f"{service.address}/api/v1/schema"
    options = ("-o", "schema.ts", "--default-non-nullable=false")
    types = run_in(node, "npx", "openapi-typescript", schema, *options)
    assert types.returncode == 0, types.stderr
    compiled = run_in(node, "npx", *CHECK, *CHECKED, "event.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    check_end(service, run(service, node, "npx", "tsx", "event.ts"), rounds=3)


def generate(service: Service, generator: str, folder: Path, *options: str) -> None:
    """Make a client by openapi-generator in the folder `client`."""
    if JAVA is None:
        pytest.skip("java is not installed: openapi-generator cannot run")
    schema = f"{service.address}/api/v1/schema"
    program = Path(sys.executable).with_name("openapi-generator-cli")
    made = run_in(folder, program, "generate", "-g", generator, "-i", schema, *options)
    assert made.returncode == 0, made.stdout + made.stderr


def check_round(service: Service, seen: dict[str, Any]) -> None:
    """The event is final, and who won its only game is first."""
    assert get(service, f"tournaments/{seen['slug']}")["state"] == "final"
    (game,) = get(service, f"games?tournament_slug={seen['slug']}")["results"]
    assert (game["state"], game["result"]) == ("confirmed", "1-0")
    assert seen["names"] == [game["first"]["player"]["name"], game["second"]["player"]["name"]]


def test_a_bot_of_openapi_generator_in_typescript(service: Service, node: Path) -> None:
    generate(service, "typescript-fetch", node, "-o", "client")
    shutil.copy(BOTS / "fetch.ts", node)
    compiled = run_in(node, "npx", *CHECK, *BUNDLED, "fetch.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    check_round(service, run(service, node, "npx", "tsx", "fetch.ts"))


def test_a_bot_of_hey_api(service: Service, node: Path) -> None:
    schema = f"{service.address}/api/v1/schema"
    made = run_in(node, "npx", "openapi-ts", "-i", schema, "-o", "hey")
    assert made.returncode == 0, made.stdout + made.stderr
    shutil.copy(BOTS / "hey.ts", node)
    compiled = run_in(node, "npx", *CHECK, *BUNDLED, "hey.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    check_round(service, run(service, node, "npx", "tsx", "hey.ts"))


def test_a_bot_of_openapi_generator_in_python(service: Service, tmp_path: Path) -> None:
    generate(service, "python", tmp_path, "-o", ".", "--package-name", "client")
    shutil.copy(BOTS / "generator.py", tmp_path)

    check_round(service, run(service, tmp_path, sys.executable, "generator.py"))


def test_a_bot_with_the_generated_client(service: Service, tmp_path: Path) -> None:
    make = ["sh", ROOT / "deploy" / "client" / "make.sh", tmp_path]
    made = subprocess.run(make, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    shutil.copy(BOTS / "generated.py", tmp_path)

    check_end(service, run(service, tmp_path, sys.executable, "generated.py"), rounds=3)
