"""A backup of the running service, whose events are played: it is one state, and verifies."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.deploy.load import Load
from tests.deploy.service import Service
from tests.processes import run_python

pytestmark = [pytest.mark.processes, pytest.mark.long]

EVENTS = ("north", "south")
BACKUPS = 3


def test_backups_under_load_verify(service: Service, database: str, tmp_path: Path) -> None:
    variables = os.environ | {"STATE_DIR": str(service.folder), "DATABASE_URL": database}
    load = Load(service.address, service.token, seed=3)
    load.register_players()
    with ThreadPoolExecutor(len(EVENTS)) as organisers:
        playing = [organisers.submit(load.play, name) for name in EVENTS]
        try:
            for number in range(BACKUPS):
                time.sleep(3)
                made = run_python(
                    "manage.py", "backup", str(tmp_path / f"{number}"), environment=variables
                )
                assert (made.returncode, made.stderr) == (0, "")
                assert not any(future.done() for future in playing)
        finally:
            load.ended.set()
        for future in playing:
            future.result()

    for number in range(BACKUPS):
        checked = run_python(
            "manage.py", "restore", "--check", str(tmp_path / f"{number}"), environment=variables
        )
        assert (checked.returncode, checked.stderr) == (0, "")
        assert checked.stdout.endswith("journals, rows and ratings are verified\n")
    assert set(load.statuses) <= {0, 200, 201, 202, 409, 429, 503}
