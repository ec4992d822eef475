"""The service on a small disk that is filled under load: it waits, and continues by itself."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import httpx
import psutil
import pytest
from django.db import connection

from games.models import Player
from tests.deploy.event_checks import check_events, connected_to
from tests.deploy.load import Load
from tests.deploy.outages.small_disk import filled, small_disk
from tests.deploy.service import Service, running
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

DISK: Final = 128 << 20
LOW_DISK_MIB: Final = 16
FILLS: Final = 3
REJECTED_WRITES: Final = 12
"""How many writes of the test are rejected, one in a second, before there is space again."""

ROWS: Final = 100
"""Players in a file; SQLite can store some while there is space in its files."""
EVENTS: Final = ("east", "north")
SEED: Final = 12


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    with small_disk(DISK) as folder:
        yield folder


@pytest.fixture(scope="module")
def database(disk: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The URL of a database on the disk on PostgreSQL; empty for SQLite.

    The server writes its log ahead elsewhere: without space for that, it stops.
    """
    if connection.vendor == "sqlite":
        yield ""
        return
    server = connection.settings_dict
    folder = disk / "tablespace"
    folder.mkdir(mode=0o700)
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            owner = Path(cursor.fetchone()[0]).stat()
            os.chown(folder, owner.st_uid, owner.st_gid)
            cursor.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            cursor.execute("CREATE DATABASE on_small_disk TABLESPACE small")
        yield f"postgresql://{server['USER']}@/on_small_disk?host={server['HOST']}"
        with connection.cursor() as cursor:
            cursor.execute("DROP DATABASE on_small_disk WITH (FORCE)")
            cursor.execute("DROP TABLESPACE small")


@pytest.fixture(scope="module")
def service(disk: Path, database: str) -> Iterator[Service]:
    limits = dict.fromkeys(("RATE_LIMIT_TOKEN", "RATE_LIMIT_ACCOUNT"), "1000000")
    variables = {"DATABASE_URL": database, "LOW_DISK_MIB": str(LOW_DISK_MIB), **limits}
    with running(Service(disk / "var", **variables)) as service:
        yield service


def test_no_data_is_lost_or_doubled_and_no_process_ends(
    service: Service,
    disk: Path,
    database: str,
    django_db_blocker: Any,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("WARNING", "httpx")
    load = Load(service.address, service.token, SEED)
    load.register_players()
    children = children_of(service)
    imported: list[str] = []
    number = 0
    with ThreadPoolExecutor(len(EVENTS)) as organisers:
        playing = [organisers.submit(load.play, name) for name in EVENTS]
        try:
            for _ in range(FILLS):
                with filled(disk):
                    rejected = 0
                    while rejected < REJECTED_WRITES:
                        if import_players(service, f"Guild {number}"):
                            imported.append(f"Guild {number}")
                        else:
                            rejected += 1
                            time.sleep(1)
                        number += 1
                        check_reads(service)
                    assert '"disk"' in service.get("/health/ready")[1].partition("parts")[0]
                eventually(lambda: '"status": "ok"' in service.get("/health/ready")[1], seconds=90)
                assert not any(future.done() for future in playing)
        finally:
            load.ended.set()
        for future in playing:
            future.result()
    with capsys.disabled():
        print(f"\n{load.figures()}")

    assert children_of(service) == children
    with django_db_blocker.unblock(), connected_to(service, database):
        check_events(load)
        clubs = Player.objects.filter(club__startswith="Guild ").values_list("club", flat=True)
        assert Counter(clubs) == Counter(imported * ROWS)
    assert 500 not in load.statuses


def import_players(service: Service, club: str) -> bool:
    """Import players of a club; return True if they were stored, and False if nothing was."""
    rows = "".join(f"{club} {n},POR,{club}\n" for n in range(ROWS))
    response = httpx.post(
        f"{service.address}/api/v1/players/import",
        content="name,country,club\n" + rows,
        headers={"Authorization": f"Bearer {service.token}", "Content-Type": "text/csv"},
        trust_env=False,
        timeout=120,
    )
    if response.status_code == 507:
        assert response.json()["code"] == "disk_full"
        return False
    assert response.status_code in (200, 201), response.text
    return True


def check_reads(service: Service) -> None:
    """Pages, tables and what needs a token can be read."""
    assert service.get("/")[0] == 200
    assert service.get("/api/v1/tournaments/lantern-masters/standings")[0] == 200
    assert service.get("/api/v1/me", token=service.token)[0] == 200


def children_of(service: Service) -> set[int]:
    """The ids of the direct children."""
    assert service.process is not None
    return {child.pid for child in psutil.Process(service.process.pid).children()}


def test_processes_that_are_killed_on_a_full_disk_run_again_when_there_is_space(
    service: Service, disk: Path
) -> None:
    with filled(disk):
        for number in children_of(service):
            psutil.Process(number).kill()
        eventually(lambda: service.get("/health/live")[0] == 200, seconds=60)
        assert service.get("/")[0] == 200

    eventually(lambda: '"status": "ok"' in service.get("/health/ready")[1], seconds=120)
    assert import_players(service, "Last Guild")
