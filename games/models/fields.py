"""Columns that are computed from others, and a column for JSON with texts."""

from typing import Any

from django.db import models

from games.models.markdown import render_markdown
from games.names import LONGEST_FOLDED, fold_name, skeleton_of
from games.rules.text import restored, storable

LONGEST_RENDERED = 500_000


class FoldedField(models.CharField):
    """The column `source` without case and accents (`fold`), computed whenever a row is saved.

    Both databases then compare names in the same way. `update` and `update_fields` must name it.
    """

    fold = staticmethod(fold_name)

    def __init__(self, *, source: str, **options: Any) -> None:
        self.source = source
        super().__init__(**{"max_length": LONGEST_FOLDED, "editable": False, **options})

    def deconstruct(self) -> tuple[str, str, Any, dict[str, Any]]:
        """Return what a migration needs."""
        name, path, arguments, options = super().deconstruct()
        return str(name), path, arguments, {**options, "source": self.source}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the folded text, and set it."""
        folded = self.fold(getattr(model_instance, self.source))
        setattr(model_instance, self.attname, folded)
        return folded


class SkeletonField(FoldedField):
    """What all texts that look like the column `source` have in common."""

    fold = staticmethod(skeleton_of)


class RenderedField(FoldedField):
    """The Markdown of the column `source` as HTML for pages."""

    fold = staticmethod(render_markdown)

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": LONGEST_RENDERED, **options})


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

    def value_to_string(self, obj: models.Model) -> Any:
        """Return the JSON to store, for Django's serializers."""
        return storable(self.value_from_object(obj))
