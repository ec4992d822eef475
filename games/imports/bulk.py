"""Insert many rows, and say how far it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Model

from games.bulk import BATCH_SIZE, chunks
from games.core.uploads.progress import Progress, no_progress


def insert_rows(rows: Sequence[Model], *, step: str = "", progress: Progress = no_progress) -> None:
    """Insert rows of one model and set their keys; save the rows that they refer to first."""
    for number, chunk in enumerate(chunks(rows)):
        progress(step, number * BATCH_SIZE, len(rows))
        type(rows[0])._default_manager.bulk_create(chunk)


def insert_values(
    model: type[Model],
    rows: Sequence[Mapping[str, Any]],
    *,
    step: str = "",
    progress: Progress = no_progress,
) -> list[int]:
    """Insert rows given as values by attribute, as of `vars(row)`, and return their keys."""
    names = [field.attname for field in model._meta.concrete_fields]
    created = [model(**{name: row[name] for name in names if name in row}) for row in rows]
    insert_rows(created, step=step, progress=progress)
    return [row.pk for row in created]
