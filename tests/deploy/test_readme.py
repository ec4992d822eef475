"""The commands in the README print what the README says."""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT, Service, running

pytestmark = pytest.mark.processes

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = README.partition("## A tour in five minutes")[2].partition("\n## ")[0]
LIBRARY = README.partition("## As a Python library")[2].partition("\n## ")[0]
APPS = ("games", "ratings", "tournament", "deploy")
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


def test_the_lines_of_python_print_what_the_readme_says() -> None:
    script = "\n".join(re.findall(r"```python\n(.*?)```", LIBRARY, flags=re.DOTALL))
    printed = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert printed == outputs(LIBRARY)


def test_an_installation_contains_every_package_and_its_types() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    found = {
        path.parent for path in ROOT.glob("*/**/*.py") if path.relative_to(ROOT).parts[0] in APPS
    }

    assert patterns == [f"{app}*" for app in APPS]
    assert all((folder / "__init__.py").exists() for folder in found)
    assert all((ROOT / app / "py.typed").exists() for app in APPS if app != "deploy")


def test_the_commands_without_a_server_print_what_the_readme_says(checkout: Path) -> None:
    assert printed_by(commands(OFFLINE), checkout) == outputs(OFFLINE)
