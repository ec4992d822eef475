"""The programs of node that tests run, in the versions of tests/api/bots/package.json."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT

NPM = shutil.which("npm")
UNREACHABLE = (
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "ECONNREFUSED",
    "ENOTCACHED",
    "E404",
    "SELF_SIGNED",
)
"""What npm writes if its registry cannot be reached."""


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the programs are installed; skip the test without npm or its registry."""
    folder = tmp_path_factory.mktemp("node")
    if NPM is None:
        pytest.skip("node is not installed, so that its programs cannot run")
    shutil.copy(ROOT / "tests" / "api" / "bots" / "package.json", folder)
    done = run_in(folder, NPM, "install", "--no-audit", "--no-fund")
    if done.returncode and any(word in done.stderr for word in UNREACHABLE):
        pytest.skip("the registry of npm cannot be reached, so that programs of node cannot run")
    assert done.returncode == 0, done.stderr
    return folder


def run_in(
    folder: Path, *command: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder."""
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
