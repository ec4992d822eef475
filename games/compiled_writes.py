"""Save rows."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from games.bulk import BATCH_SIZE

Value = int | str | datetime


def insert_row(row: Model) -> None:
    """Insert a row, and set its key if the database chooses it."""
    row.save(force_insert=True)


def update_row(row: Model, *names: str) -> None:
    """Save these fields of a stored row; raises DatabaseError if the row does not exist."""
    row.save(update_fields=names)


def update_rows(rows: Sequence[Model], *names: str) -> None:
    """Save these fields of stored rows of a model."""
    if rows:
        type(rows[0])._default_manager.bulk_update(rows, names, batch_size=BATCH_SIZE)


class CompiledUpdate:
    """An `update()` for values that each call states.

    `build` returns the query of the rows and their new values, for values of these types.
    """

    def __init__(
        self,
        build: "Callable[..., tuple[QuerySet[Any, Any], dict[str, Any]]]",
        *types: type[Value],
    ) -> None:
        self._build = build

    def execute(self, *values: Value) -> int:
        """Update the rows for the values, and return how many there are."""
        rows, changes = self._build(*values)
        return rows.update(**changes)
