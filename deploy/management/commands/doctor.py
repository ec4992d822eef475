"""`manage.py doctor`: looks at each part of an installation and says what to do about it."""

import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from deploy import embedded, health, valkey
from games.broker import connect

ENOUGH_DISK = 1 << 30
LARGEST_DRIFT = 5.0
"""Seconds between this machine's clock and the database's or broker's."""


class Command(BaseCommand):
    help = "Check settings, database, broker, worker, clock and disk; status 1 if one needs care."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        checks: dict[str, Callable[[], Iterator[str]]] = {
            "settings": settings_faults,
            "disk": disk_faults,
            "database": database_faults,
            "broker": broker_faults,
            "worker": worker_faults,
            "clock": clock_faults,
        }
        sound = True
        for name, find in checks.items():
            faults = list(find())
            sound = sound and not faults
            for line in faults or ["ok"]:
                self.stdout.write(f"{name:9} {line}")
        if not sound:
            sys.exit(1)


def settings_faults() -> Iterator[str]:
    """What is set in a way that will hurt."""
    if settings.PRODUCTION and settings.DEBUG:
        yield "DEBUG shows visitors the program's inside: set DEBUG=0."
    if settings.PRODUCTION and not settings.HTTPS:
        yield "passwords and tokens travel in the open: set PUBLIC_URL=https://..."
    if settings.PRODUCTION and connection.vendor == "sqlite":
        yield "SQLite serves one machine: set DATABASE_URL=postgresql://... to have more."
    if "*" in settings.ALLOWED_HOSTS:
        yield "any Host header is believed: name the service's own in ALLOWED_HOSTS."
    if len(settings.SECRET_KEY) < 40:
        yield "SECRET_KEY is short: take 50 random characters."


def disk_faults() -> Iterator[str]:
    """What keeps the state folder from growing."""
    folder = settings.STATE_DIR
    if not folder.is_dir():
        yield f"the state folder {folder} is not there: 'manage.py up' makes it."
    elif (free := shutil.disk_usage(folder).free) < ENOUGH_DISK:
        yield f"only {free >> 20} MiB are free in {folder}: make room."


def database_faults() -> Iterator[str]:
    """Whether the database answers and has the tables of this version."""
    try:
        embedded.check_database()
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (embedded.CannotStart, DatabaseError) as error:
        yield f"{embedded.first_line(error)}: see DATABASE_URL."
        return
    if missing:
        yield f"{len(missing)} migrations are to be run: 'manage.py migrate', or 'manage.py up'."


def broker_faults() -> Iterator[str]:
    """Whether the broker answers."""
    if settings.REDIS_EMBEDDED and valkey.find_program() is None:
        yield "no Valkey for this system: install valkey-server, or set REDIS_URL."
    elif fault := health.broker_fault():
        where = "'manage.py up' runs it" if settings.REDIS_EMBEDDED else "see REDIS_URL"
        yield f"{fault}: {where}. Until then reports wait for their settlement."


def worker_faults() -> Iterator[str]:
    """Whether a worker carries out tasks."""
    if fault := health.worker_fault():
        yield f"{fault}: 'manage.py up' runs one. Until then reports wait for their settlement."


def clock_faults() -> Iterator[str]:
    """Whether the parts agree about the time."""
    for name, read in (("database", _database_time), ("broker", _broker_time)):
        try:
            there = read()
        except (DatabaseError, redis.RedisError, OSError):
            continue  # said above
        drift = (there - datetime.now(UTC)).total_seconds()
        if abs(drift) > LARGEST_DRIFT:
            yield f"the {name}'s clock differs by {drift:.0f} s: synchronise both."


def _database_time() -> datetime:
    if connection.vendor != "postgresql":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def _broker_time() -> datetime:
    seconds, microseconds = connect().time()
    return datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)
