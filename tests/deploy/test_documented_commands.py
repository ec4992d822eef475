"""The commands in the documentation that need no service print what it says."""

import subprocess
import sys
import tomllib

import pytest

from tests.deploy.documentation import blocks, checkout, page, printed_by
from tests.processes import ROOT

pytestmark = pytest.mark.processes

LIBRARY = page("howto/library.md")
FILES = page("howto/files.md")
APPS = ("games", "ratings", "tournament", "deploy")


def test_the_lines_of_python_print_what_their_page_says() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", blocks(LIBRARY, "python")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed == blocks(LIBRARY, "text")


def test_an_installation_contains_every_package_and_its_types() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    found = {path.parent for app in APPS for path in (ROOT / app).rglob("*.py")}
    found -= {ROOT / "deploy" / "client"}  # what `make client` adds to a package of its own

    assert patterns == [f"{app}*" for app in APPS]
    assert all((folder / "__init__.py").exists() for folder in found)
    assert all((ROOT / app / "py.typed").exists() for app in APPS if app != "deploy")


def test_the_commands_without_a_server_print_what_their_page_says() -> None:
    with checkout() as folder:
        assert printed_by(blocks(FILES, "sh"), folder) == blocks(FILES, "text")
