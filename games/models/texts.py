"""A column for JSON with texts, which keeps their patterns and values."""

from typing import Any

from django.db import models

from games.rules.text import restored, storable


class TextsField(models.JSONField):
    """JSON in which each `Text` is stored as its pattern and values, and read as a Text."""

    def get_prep_value(self, value: Any) -> Any:
        """Return the JSON to store."""
        return storable(super().get_prep_value(value))

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return the stored JSON with its texts."""
        return restored(super().from_db_value(value, expression, connection))

    def to_python(self, value: Any) -> Any:
        """Return JSON that was stored elsewhere with its texts."""
        return restored(super().to_python(value))
