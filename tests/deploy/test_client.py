"""`make client`: the package can be installed; tests/deploy/test_bots.py uses it."""

import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the client has been made."""
    folder = tmp_path_factory.mktemp("client")
    command = ["sh", ROOT / "deploy" / "client" / "make.sh", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


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
