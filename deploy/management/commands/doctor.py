"""`manage.py doctor`: check each part of an installation and explain what to do."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from deploy import embedded, health, valkey
from deploy.clocks import clock_differences
from deploy.disk import disk_problems


class Command(BaseCommand):
    help = "Check settings, disk, database, broker, worker, clock; exit with 1 on a problem."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        checks: dict[str, Callable[[], Iterator[str]]] = {
            "settings": settings_problems,
            "disk": disk_advice,
            "database": database_problems,
            "broker": broker_problems,
            "worker": worker_problems,
            "clock": clock_problems,
            "games": game_problems,
            "ratings": rating_problems,
            "webhooks": webhook_problems,
            "children": child_advice,
        }
        is_sound = True
        for name, check in checks.items():
            problems = list(check())
            is_sound = is_sound and not problems
            for line in problems or ["ok"]:
                self.stdout.write(f"{name:9} {line}")
        if not is_sound:
            sys.exit(1)


def settings_problems() -> Iterator[str]:
    """Yield settings that are unsafe."""
    if settings.PRODUCTION and settings.DEBUG:
        yield "DEBUG shows program internals to visitors: set DEBUG=0."
    if settings.PRODUCTION and not settings.HTTPS:
        yield "passwords and tokens are sent unencrypted: set PUBLIC_URL=https://..."
    if settings.PRODUCTION and connection.vendor == "sqlite":
        yield "SQLite works on one machine only: for more, set DATABASE_URL=postgresql://..."
    if "*" in settings.ALLOWED_HOSTS:
        yield "any Host header is accepted: set ALLOWED_HOSTS to the names of the service."
    if len(settings.SECRET_KEY) < 40:
        yield "SECRET_KEY is short: use 50 random characters."


def disk_advice() -> Iterator[str]:
    """Yield what prevents the folders of the service from growing."""
    folder = settings.STATE_DIR
    if not folder.is_dir():
        yield f"the state folder {folder} does not exist: 'manage.py up' creates it."
    for problem in disk_problems():
        yield f"{problem}: free some space. On a full disk, nothing can be stored."


def database_problems() -> Iterator[str]:
    """Yield why the database cannot be used, or how many migrations are missing."""
    try:
        embedded.check_database()
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (embedded.CannotStart, DatabaseError) as error:
        yield f"{embedded.first_line(error)}: check DATABASE_URL."
        return
    if missing:
        yield f"{len(missing)} migrations are missing: run 'manage.py migrate' or 'manage.py up'."


def broker_problems() -> Iterator[str]:
    """Yield why the broker cannot be used."""
    if settings.REDIS_EMBEDDED and valkey.find_program() is None:
        yield "no Valkey for this system: install valkey-server, or set REDIS_URL."
    elif problem := health.broker_problem():
        advice = "run 'manage.py up'" if settings.REDIS_EMBEDDED else "check REDIS_URL"
        yield f"{problem}: {advice}. Until then, reports are not settled."


def worker_problems() -> Iterator[str]:
    """Yield why tasks are not run."""
    if problem := health.worker_problem():
        yield f"{problem}: run 'manage.py up'. Until then, reports are not settled."


def clock_problems() -> Iterator[str]:
    """Yield the servers whose clocks differ from this machine's."""
    for problem in clock_differences():
        yield f"{problem}: synchronise both."


def find_in_database(check: Callable[[], str]) -> str:
    """Return the problem that a check finds; empty without the database, which is reported."""
    try:
        return check()
    except DatabaseError:
        return ""


def game_problems() -> Iterator[str]:
    """Yield the games whose settlement failed too often."""
    if problem := find_in_database(health.games_problem):
        yield f"{problem}. Read the worker's log; each has another attempt every hour."


def rating_problems() -> Iterator[str]:
    """Yield the pools with ratings that are not those of a recomputation."""
    if problem := find_in_database(health.ratings_problem):
        yield f"{problem}. Run 'manage.py verify_ratings', and find out what changed the rows."


def webhook_problems() -> Iterator[str]:
    """Yield whether webhooks wait for deliveries that nobody sends."""
    if problem := find_in_database(health.webhooks_problem):
        yield f"{problem}. Start a worker of the queue webhooks, or read its log."


def child_advice() -> Iterator[str]:
    """Yield the children of `manage.py up` that do not start."""
    for name, problem in health.child_problems().items():
        log = embedded.log_of(name)
        yield f"{problem}: read {log}. It is restarted until it runs."
