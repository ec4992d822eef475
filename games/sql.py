"""Statements that are sent often: what Django does for each execution is done once.

On SQLite, Django opens three objects for a cursor and rewrites the placeholders of the statement
each time, which takes longer than to find a row by its key.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter, methodcaller
from typing import Any, Final, TypeVar

from django.db.backends.base.base import BaseDatabaseWrapper

Found = TypeVar("Found")
ALL_ROWS: Final[Callable[[Any], Sequence[Any]]] = methodcaller("fetchall")
"""Read the rows that a cursor has found."""

ROW_COUNT: Final[Callable[[Any], int]] = attrgetter("rowcount")
"""Read how many rows a cursor has changed."""


class Sql:
    """The text of a statement, with `%s` for each value; raises what Django's cursor raises."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._text_of_driver = ""

    def execute(
        self,
        connection: BaseDatabaseWrapper,
        params: Sequence[Any],
        read: Callable[[Any], Found],
    ) -> Found:
        """Execute the statement, and return what `read` finds in the driver's cursor."""
        if connection.vendor != "sqlite" or _is_watched(connection):
            with connection.cursor() as cursor:
                cursor.execute(self.text, params)
                return read(cursor)
        connection.close_if_health_check_failed()
        connection.ensure_connection()
        connection.validate_no_broken_transaction()
        with connection.wrap_database_errors:
            if not self._text_of_driver:
                self._text_of_driver = connection.create_cursor().convert_query(self.text)
            return read(connection.connection.execute(self._text_of_driver, params))


def _is_watched(connection: BaseDatabaseWrapper) -> bool:
    """Return True if something logs, counts or wraps the statements of Django's cursors."""
    return connection.queries_logged or bool(connection.execute_wrappers)
