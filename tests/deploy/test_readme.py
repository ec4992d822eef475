"""The commands in the README print what the README says."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT, Service, running

pytestmark = pytest.mark.processes

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = README.partition("## A tour in five minutes")[2].partition("\n## ")[0]
OFFLINE = README.partition("## Without a server")[2].partition("\n## ")[0]


def commands(text: str) -> str:
    """The commands of the text's code blocks, in order."""
    return "".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))


def outputs(text: str) -> str:
    """The documented output of the commands."""
    return "".join(re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL))


@pytest.fixture
def checkout() -> Iterator[Path]:
    """A folder with the project's files and its own state folder."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as name:
        folder = Path(name)
        for part in (".venv", "manage.py", "deploy"):
            if (ROOT / part).exists():
                (folder / part).symlink_to(ROOT / part)
        yield folder


def printed_by(script: str, folder: Path, **environment: str) -> str:
    """The output of a script in bash, error output included."""
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "LANG": "C.UTF-8", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=True,
    ).stdout


def test_the_tour_prints_what_the_readme_says(checkout: Path, bootstrapped: Path) -> None:
    with running(Service(shutil.copytree(bootstrapped, checkout / "var"))) as service:
        port = str(service.port)
        assert printed_by(commands(TOUR), checkout, PORT=port) == outputs(TOUR)


def test_the_commands_without_a_server_print_what_the_readme_says(checkout: Path) -> None:
    assert printed_by(commands(OFFLINE), checkout) == outputs(OFFLINE)
