"""Fixtures for tests of the running service."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection

from tests.api.node import node as node
from tests.deploy.service import Service, new_service


@pytest.fixture(scope="module")
def database(
    django_db_setup: None, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The URL of an empty database on the PostgreSQL server; empty for SQLite."""
    if connection.vendor == "sqlite":
        yield ""
        return
    server, name = connection.settings_dict, request.path.stem
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://{server['USER']}@/{name}?host={quote(server['HOST'])}"
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    """The running service, after its first start, on a database of its own."""
    with new_service(DATABASE_URL=database) as service:
        yield service
