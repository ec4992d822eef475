"""What models with journalled columns have in common."""

from collections.abc import Collection, Mapping
from typing import Any, Self

from django.db import models


class Journalled(models.Model):
    """A model whose rows know what was loaded, so that a journal line can state what changed."""

    loaded: Mapping[str, Any] | None = None
    """The columns as they were read, by attribute; None for a new row."""

    class Meta:
        abstract = True

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any
    ) -> Self:
        """Return a row as it was read from the database."""
        row = super().from_db(db, field_names, values, **options)
        row.loaded = dict(zip(field_names, values, strict=False))
        return row
