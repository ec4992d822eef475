"""`make client`: a package with a function for each operation, used against a live service."""

import importlib
import io
import json
import re
import subprocess
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.events import FIRST_WINS, SET_UP
from tests.people import make_person
from tests.processes import ROOT

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the client has been made."""
    folder = tmp_path_factory.mktemp("client")
    command = ["sh", ROOT / "deploy" / "client" / "make.sh", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_package_has_a_module_for_each_operation(folder: Path) -> None:
    operations = (ROOT / "tests" / "api" / "data" / "operations.txt").read_text().splitlines()
    modules = [path.stem for path in folder.glob("perihelion_client/api/*/[a-z]*.py")]

    assert sorted(name.rstrip("_") for name in modules) == sorted(
        line.split()[2] for line in operations
    )


def test_a_file_is_sent_as_bytes(folder: Path) -> None:
    """Of several types the generated code would take the last, as that of a spreadsheet for CSV."""
    code = "".join(path.read_text() for path in folder.glob("perihelion_client/api/*/[a-z]*.py"))
    types = re.findall(r'headers\["Content-Type"\] = "(.+)"', code)
    assert {*types} == {"application/json", "application/octet-stream"}


def test_the_client_is_used(
    folder: Path, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("NO_PROXY", "*")

    def module(name: str) -> Any:
        return importlib.import_module(f"perihelion_client{name}")

    models, extras = module(".models"), module(".extras")
    token = make_person("Olga").secret
    with module("").AuthenticatedClient(live_server.url, token=token) as client:
        new = models.TournamentInput.from_dict(SET_UP | {"slug": "autumn"})
        create = module(".api.tournaments.create_tournament")
        created = create.sync_detailed(client=client, body=new)
        assert (created.status_code, created.parsed.slug) == (201, "autumn")
        refused = create.sync_detailed(client=client, body=new)
        assert (refused.status_code, refused.parsed.code) == (409, "slug_taken")

        file = module(".types").File(io.BytesIO(b"name,country\nAda,POR\nBen,CAN\n"))
        imported = module(".api.players.import_players").sync(client=client, body=file)
        assert [line.player.name for line in imported.lines] == ["Ada", "Ben"]
        record = module(".types").File(io.BytesIO(FIRST_WINS.encode()))
        referee = module(".api.rules.referee")
        assert referee.sync(client=client, body=record).winner == "first"
        found = module(".api.players.players").sync(client=client, limit=1)
        assert ([row.name for row in found.results], bool(found.next_)) == (["Ada"], True)

        module(".api.tournaments.open_tournament").sync_detailed("autumn", client=client)
        stream = extras.events(client.get_httpx_client(), "autumn", after=0)
        assert [event.data["type"] for event in islice(stream, 1)] == ["tournament.registration"]

    now, body = datetime.now(UTC), json.dumps({"type": "round.published"})
    headers = {
        "webhook-id": "tournament/autumn/7",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("tournament/autumn/7", now, body),
    }
    assert extras.verify_webhook(SECRET, headers, body.encode()) == {"type": "round.published"}


def test_the_package_can_be_installed(folder: Path, tmp_path: Path) -> None:
    command = [ROOT / ".venv/bin/python", "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--target", tmp_path, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("the package index cannot be reached: setuptools cannot build the package")
    assert done.returncode == 0, done.stderr
    code = "from perihelion_client.extras import events; from perihelion_client import Client"
    subprocess.run([ROOT / ".venv/bin/python", "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "perihelion_client" / "py.typed").exists()
