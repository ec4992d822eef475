"""The tables of the test database: their first rows, and how they are emptied after a test."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.management import create_contenttypes
from django.db import connection
from django.db.models.signals import post_migrate

from ratings.models import Pool

STAR_POOL = {"name": "*Star", "preset": "decay", "casual_games": ["star-star"]}
"""The pool that the initial migration of ratings creates."""

LARGE = 1 << 20
"""Bytes; a table that is larger is truncated, since deleted rows would be read by later tests."""

LARGEST = """
SELECT max(pg_relation_size(oid)) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def prepare_tables() -> None:
    """Create the pool with the tables, and whenever Django empties them, and do it in less time.

    Nothing reads the content types and permissions that Django creates each time. On PostgreSQL it
    truncates all tables, for which the server creates the files of each table and index again; to
    delete the rows of small tables takes much less.
    """
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.connect(_create_star_pool, sender=apps.get_app_config("ratings"))
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = partial(_sql_flush, truncate=connection.ops.sql_flush)


def _create_star_pool(**_: object) -> None:
    Pool.objects.get_or_create(code="star", defaults=STAR_POOL)


def _sql_flush(
    style: object, tables: Sequence[str], *, truncate: Callable[..., list[str]], **options: Any
) -> list[str]:
    """Return the statements that empty the tables of PostgreSQL."""
    with connection.cursor() as cursor:
        cursor.execute(LARGEST)
        (largest,) = cursor.fetchone()
    if largest > LARGE:
        return truncate(style, tables, **options)
    return ["; ".join(f'DELETE FROM "{table}"' for table in tables)]
