"""What must hold before the service starts: settings, how they fit together, and the database."""

import logging
import os
import re
import socket
from collections.abc import Iterator
from difflib import get_close_matches
from errno import EADDRNOTAVAIL
from functools import cache
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register, run_checks
from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from deploy.valkey import is_address
from games.rules.text import Text

log = logging.getLogger("perihelion.start")

POSITIVE: Final = (
    "PORT", "WEB_PROCESSES", "WEB_THREADS", "WORKER_THREADS", "SIMULATION_PROCESSES",
    "LISTENERS_PER_ADDRESS", "DATABASE_WAIT", "ANALYSIS_MIB",
    "CASUAL_GAMES_PER_DAY", "CASUAL_GAMES_PER_MONTH",
    "PROPOSAL_DAYS", "CASUAL_GAME_DAYS", "ANALYSIS_DAYS", "UNUSED_PLAYER_DAYS",
    "SESSION_DAYS", "LINK_DAYS", "UPLOAD_DAYS", "RESPONSE_DAYS", "DELIVERY_DAYS",
    "CLOSED_ACCOUNT_DAYS",
)  # fmt: skip
SHORTEST_SECRET: Final = 32
SIMILAR: Final = 0.85
"""How similar a variable is to a setting, from 0 to 1, that counts as misspelled."""
SHORTEST_NAME: Final = 6
"""Characters; other programs have variables that are similar to HOST and PORT."""
OF_OTHERS: Final = re.compile(
    # of compose.yaml and the units
    r"(COMPOSE_\w+|DOMAIN|POSTGRES_PASSWORD|VALKEY_PASSWORD|BACKUP_OPTIONS"
    # of images, Kubernetes (which names each service and its ports), systemd and shells
    r"|GPG_KEY|HOSTNAME|KUBERNETES_\w+|\w+_SERVICE_(HOST|PORT)\w*|\w+_PORT(_\w+)?"
    r"|(HTTPS?|ALL|NO)_PROXY|INVOCATION_ID|MANAGERPID|JOURNAL_STREAM|\w+_DIRECTORY|MEMORY_PRESSURE_\w+|NOTIFY_SOCKET|SYSTEMD_\w+"
    r"|HOME|LANG|LANGUAGE|LOGNAME|MAIL|OLDPWD|PATH|PWD|SHELL|SHLVL|SUDO_\w+|TERM|TMP|TMPDIR|TZ|USER|_"
    # of Python and of libraries
    r"|(DJANGO|LC|LD|MALLOC|OPENBLAS|PROMETHEUS|PYTHON|SSL|XDG)_?\w+|[^A-Z].*)"
)
"""The variables of other programs, in an environment that is made for the service."""
LARGEST_PORT: Final = 65_535
FIRST_FREE_PORT: Final = 1024  # those below are the administrator's
LONGEST_DAYS: Final = 36_500
"""A hundred years; a time that is much longer ago has no date."""


def first_error() -> str:
    """Return why the service must not start, in one sentence; empty if it may."""
    errors = [each for each in run_checks(tags=["settings"]) if each.is_serious()]
    return f"{errors[0].msg}: {errors[0].hint}" if errors else ""


@register("settings")
def check_errors(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings with which the service must not start."""
    return [Error(text, hint=hint, id="perihelion.E001") for text, hint in _errors()]


@register("settings", deploy=True)
def check_risks(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings that are unsafe for others than this machine."""
    return [Warning(text, hint=hint, id="perihelion.W001") for text, hint in _risks()]


def _errors() -> Iterator[tuple[str, str]]:
    for name in POSITIVE:
        if getattr(settings, name) < 1:
            yield f"{name} is {getattr(settings, name)}", "set a positive number."
        if name.endswith("_DAYS") and getattr(settings, name) > LONGEST_DAYS:
            yield f"{name} is {getattr(settings, name)}", f"set at most {LONGEST_DAYS}."
    if settings.PORT > LARGEST_PORT:
        yield f"PORT is {settings.PORT}", f"set a number from 1 to {LARGEST_PORT}."
    if settings.TOKEN_LIFETIME > settings.LONGEST_TOKEN_LIFETIME:
        days = settings.LONGEST_TOKEN_LIFETIME.days
        yield f"TOKEN_DAYS is {settings.TOKEN_LIFETIME.days}", f"a token may live for {days} days."
    if can_be_guessed(settings.SECRET_KEY):
        hint = "`openssl rand -base64 48` prints a good one."
        yield f"SECRET_KEY can be guessed, it needs {SHORTEST_SECRET} characters", hint
    for number, key in enumerate(settings.SECRET_KEY_FALLBACKS, start=1):
        if can_be_guessed(key):
            hint = "write the earlier keys as they were, separated by commas."
            yield f"SECRET_KEY_FALLBACKS: key {number} was no SECRET_KEY, it can be guessed", hint
    for host in settings.ALLOWED_HOSTS:
        if "/" in host:
            yield f"ALLOWED_HOSTS: {host} is no host", "write names only, as ratings.example.org."
        elif ":" in host.rpartition("]")[2]:
            hint = "write the name only; every port is accepted."
            yield f"ALLOWED_HOSTS: {host} has a port", hint
    if settings.LEGAL_DIR and not settings.LEGAL_PAGES:
        yield f"LEGAL_DIR: {settings.LEGAL_DIR} has no text", "write terms.txt or privacy.txt."
    names = [name for name in settings.VARIABLES if len(name) >= SHORTEST_NAME]
    for name in sorted(os.environ.keys() - settings.VARIABLES):
        if meant := get_close_matches(name.upper(), names, 1, SIMILAR):
            yield f"there is no setting {name}", f"write {meant[0]}, or remove it."
    if settings.OIDC_URL and not (settings.OIDC_APP["client_id"] and settings.OIDC_APP["secret"]):
        yield "OIDC_URL is set alone", "set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too."
    if not is_address(settings.REDIS_URL):
        yield "REDIS_URL is no address", "write redis://host:6379/0 or unix:///path.sock."


def unread_settings() -> list[str]:
    """Return the variables that look like settings and that nothing reads, in production.

    On a laptop, the environment is that of all its programs.
    """
    if not settings.PRODUCTION:
        return []
    return [
        name for name in sorted(os.environ.keys() - settings.VARIABLES)
        if not OF_OTHERS.fullmatch(name)
    ]  # fmt: skip


def warn_of_unread() -> None:
    """Log the variables that nothing reads, as a program starts."""
    if names := unread_settings():
        text = "there are no such settings, and nothing reads them: %s; correct their names"
        log.warning(text, ", ".join(names))


def can_be_guessed(secret: str) -> bool:
    """Return True for a key that is too short, or has too few different characters."""
    return len(secret) < SHORTEST_SECRET or len(set(secret)) < 5


def _risks() -> Iterator[tuple[str, str]]:
    if settings.PRODUCTION and not settings.HTTPS:
        yield "passwords and tokens are sent unencrypted", "set PUBLIC_URL=https://..."
    if settings.HTTPS and not settings.BEHIND_PROXY:
        text = "PUBLIC_URL is https, but BEHIND_PROXY is 0: all visitors count as one address"
        yield text, "set BEHIND_PROXY=1 and let the proxy set X-Forwarded-For and -Proto."
    if settings.PRODUCTION and settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        text = "EMAIL_URL is consolemail://: messages, with secret links, go to the log only"
        yield text, "set EMAIL_URL=smtp+tls://name:secret@host:587."
    if settings.SECRET_KEY in settings.SECRET_KEY_FALLBACKS:
        yield "SECRET_KEY is one of SECRET_KEY_FALLBACKS", "set SECRET_KEY to a new key."
    if settings.PRODUCTION and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield "SQLite works on one machine only", "for more, set DATABASE_URL=postgresql://..."
    for name in settings.LEGAL_PAGES:
        for file in sorted(Path(str(settings.LEGAL_DIR)).glob(f"{name}*.txt")):
            if "[" in file.read_text(encoding="utf-8-sig"):
                yield f"{file} has blanks", "replace what is in square brackets."
    if "*" in settings.ALLOWED_HOSTS:
        yield "any Host header is accepted", "set ALLOWED_HOSTS to the names of the service."
    if len(settings.SECRET_KEY) < 40:
        yield "SECRET_KEY is short", "use 50 random characters."


def connection_failure() -> str:
    """Return why a connection fails, in the database's own words; the pool would try for long."""
    try:
        if connection.vendor == "postgresql":
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        return f"the database cannot be used: {first_line(error)}"
    return ""


def cannot_connect() -> str:
    """Return why a program cannot start without the database, and what to do; empty if it can."""
    failure = connection_failure()
    return f"{failure}: check DATABASE_URL, and that the database runs." if failure else ""


def port_problem() -> str:
    """Return why the web server cannot listen, and what to do; empty if it can."""
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.HOST, settings.PORT))
    except OSError as error:
        free = settings.PORT % LARGEST_PORT + 1 if settings.PORT >= FIRST_FREE_PORT else 8080
        hint = f"choose another one, such as PORT={free}."
        if isinstance(error, socket.gaierror) or error.errno == EADDRNOTAVAIL:
            hint = "set HOST to an address of this machine, or to 0.0.0.0 for all of them."
        return f"port {settings.PORT} of {settings.HOST} cannot be used ({error.strerror}): {hint}"
    return ""


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def schema_problem() -> str:
    """Return how the tables differ from those of this program, empty if they do not."""
    if problem := schema_error():
        return problem
    if missing := missing_migrations():
        return Text(
            "the tables are older than this version (%(name)s is missing): run 'manage.py migrate'"
            " or 'manage.py up'.",
            name=f"{missing[0].app_label}.{missing[0].name}",
        )
    return ""


def schema_error() -> str:
    """Return why this program can neither use nor upgrade the database, empty if it can."""
    if newer := unknown_migrations():
        return Text(
            "the database is of a newer version than this program, %(version)s (it has %(name)s):"
            " run the newer version, or restore a backup of this one.",
            version=settings.VERSION,
            name=newer[0],
        )
    try:
        check_tables(frozenset(MigrationLoader(connection).applied_migrations))
    except WrongTable as error:
        return Text(
            "the tables are not those of this version (%(name)s): the database was made before the"
            " first release and cannot be upgraded. Set another STATE_DIR or DATABASE_URL, and"
            " import events from their bundles.",
            name=error,
        )
    return ""


def unknown_migrations() -> list[str]:
    """Return the migrations that the database has and this program does not know."""
    loader = MigrationLoader(connection)
    known = {*loader.disk_migrations}
    known.update(old for one in loader.disk_migrations.values() for old in one.replaces)
    return [
        f"{app}.{name}"
        for app, name in sorted(loader.applied_migrations)
        if app in loader.migrated_apps and (app, name) not in known
    ]


def missing_migrations() -> list[Migration]:
    """Return the migrations that the database lacks, in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration for migration, _ in plan]


class WrongTable(Exception):
    """A table, and a column that it lacks or has too many."""


@cache  # the tables change only with these migrations; what is wrong is looked at again
def check_tables(applied: frozenset[tuple[str, str]]) -> None:
    """Raise WrongTable unless the tables have the columns that these migrations have made."""
    loader = MigrationLoader(connection)
    state = loader.project_state(sorted(applied & loader.graph.nodes.keys()))
    names = {*connection.introspection.table_names()}
    with connection.cursor() as cursor:
        for model in state.apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if model._meta.app_label not in loader.migrated_apps or not model._meta.managed:
                continue
            if table not in names:
                raise WrongTable(table)
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")
            columns = {column[0] for column in cursor.description}
            if wrong := columns ^ {field.column for field in model._meta.local_concrete_fields}:
                raise WrongTable(f"{table}.{min(map(str, wrong))}")
