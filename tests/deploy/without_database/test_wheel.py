"""The wheel: built, installed into a new environment, and run as after `pipx install`."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy import __version__
from tests.deploy.service import Service, running
from tests.events import SET_UP
from tests.processes import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.long]

NOT_PACKAGED = ("__pycache__", ".pyc")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `perihelion` of an environment that has the libraries of this one."""
    folder = tmp_path_factory.mktemp("pipx")
    venv.create(folder, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    options = ["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *options, str(wheel)], check=True)
    return folder / "bin" / "perihelion"


class Installed(Service):
    """`perihelion up` of an installation, away from the project."""

    def __init__(self, command: Path, home: Path) -> None:
        super().__init__(home / ".local" / "share" / "perihelion" / "var", HOME=str(home))
        self.command = ["env", "-C", str(home), "-u", "STATE_DIR", str(command), "up"]
        self.log = home / "up.out"


@pytest.fixture(scope="module")
def service(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    home = tmp_path_factory.mktemp("home")
    with running(Installed(command, home)) as service:
        yield service


def test_it_has_all_files_of_the_packages_and_no_others(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "games", "ratings", "tournament", "deploy"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert wheel.name == f"perihelion-{__version__}-py3-none-any.whl"
    assert set(tracked) - names == set()
    assert [name for name in names if name.endswith(NOT_PACKAGED)] == []


def test_a_command_on_files_runs_anywhere(command: Path, tmp_path: Path) -> None:
    record = ROOT / "deploy" / "samples" / "harbour-open" / "round1.rec"

    done = subprocess.run(
        [command, "referee", record], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, "first wins" in done.stdout) == (0, True)
    assert [*tmp_path.iterdir()] == []


def test_it_serves_pages_with_their_files_and_plays_an_event(service: Installed) -> None:
    assert f"version {__version__} runs at" in service.output()
    with httpx.Client(base_url=service.address, trust_env=False, timeout=60) as http:
        page = http.get("/")
        assert "/static/" in page.text
        assert http.get("/static/deploy/page.css").status_code == 200
        assert "Anmelden" in http.get("/", headers={"Accept-Language": "de"}).text
        assert http.get("/api/v1").json()["version"] == __version__
        service.log_in(http)

        http.headers["Authorization"] = f"Bearer {service.token}"
        http.cookies.clear()
        event = SET_UP | {"slug": "wheel-cup"}
        assert http.post("/api/v1/tournaments", json=event).status_code == 201
        sheet = http.get("/api/v1/tournaments/lantern-masters/standings.pdf")
        assert (sheet.status_code, sheet.content[:5]) == (200, b"%PDF-")


def test_its_data_is_in_the_home_of_the_user(service: Installed) -> None:
    assert (service.folder / "perihelion.sqlite3").exists()
    done = subprocess.run(
        [*service.command[:5], service.command[5], "doctor"],
        env=os.environ | service.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"version   {__version__}" in done.stdout
    assert "schema    ok" in done.stdout
