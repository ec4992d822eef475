"""Save rows."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

Value = int | str | datetime


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
