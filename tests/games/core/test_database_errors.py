"""Errors of the database: which pass, and which are errors of the service."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.db.utils import ConnectionHandler

from games.core.errors import is_database_busy
from tests.people import Person, problem_in


@contextmanager
def another_connection() -> Iterator[None]:
    """Hold the writer of SQLite, or lock the table of players, with another connection."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE" if other.vendor == "sqlite" else "BEGIN")
            if other.vendor == "postgresql":
                cursor.execute("LOCK TABLE games_player")
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def wait_for_a_lock() -> None:
    if connection.vendor == "sqlite":
        run("PRAGMA busy_timeout = 1")
    with another_connection(), transaction.atomic():
        if connection.vendor == "postgresql":
            run("SET LOCAL lock_timeout = 1")
        run("UPDATE games_player SET name = 'Ada'")


def open_no_database() -> None:
    nowhere = {"NAME": "/nowhere/database", "HOST": "/nowhere", "OPTIONS": {}}
    settings = connections.settings["default"] | nowhere
    ConnectionHandler({"default": settings})["default"].ensure_connection()


def exceed_the_time() -> None:
    with transaction.atomic():
        run("SET LOCAL statement_timeout = 1", "SELECT pg_sleep(1)")


def read_a_missing_column() -> None:
    run("SELECT colour FROM games_player")


def read_too_many_columns() -> None:
    run(f"SELECT {', '.join(['1'] * 1665)}")


ERRORS: dict[str, tuple[str, Callable[[], None], bool]] = {
    "a lock": ("sqlite postgresql", wait_for_a_lock, True),
    "no connection": ("sqlite postgresql", open_no_database, True),
    "a timeout": ("postgresql", exceed_the_time, True),
    "a missing column": ("sqlite", read_a_missing_column, False),
    "too many columns": ("postgresql", read_too_many_columns, False),
}
"""The databases on which a statement raises OperationalError, the statement, and if it passes."""


@pytest.mark.parametrize(("vendors", "fail", "is_busy"), ERRORS.values(), ids=ERRORS)
@pytest.mark.django_db(transaction=True)
def test_an_error_passes(vendors: str, fail: Callable[[], None], is_busy: bool) -> None:
    if connection.vendor not in vendors:
        pytest.skip(f"an error of {vendors}")
    with pytest.raises(OperationalError) as caught:
        fail()
    connection.close()

    assert is_database_busy(caught.value) is is_busy


@pytest.mark.django_db
def test_a_missing_column_is_an_internal_error(anonymous: Person) -> None:
    run("ALTER TABLE games_player RENAME COLUMN club TO colour")
    anonymous.client.raise_request_exception = False

    response = anonymous.get("players")

    problem_in(response, 500, "internal_error")
    assert "Retry-After" not in response
