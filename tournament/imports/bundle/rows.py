"""The rows of a bundle as models not yet saved, every value checked by its field."""

from collections import defaultdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, Model

from games.models import Game
from ratings.models import Batch
from tournament.exports.bundle import ADDED, MODELS, columns
from tournament.imports.bundle.unpacking import Line, refusal

KINDS = {model: kind for kind, model in MODELS.items()}
ONCE = ("tournament",)
MOST_ONCE = ("pool", "batch")

Rows = dict[str, list[tuple[int, Any]]]
"""By kind: number of the line, and the row as a model not yet saved."""


def add_row(rows: Rows, line: Line) -> None:
    """Put a line among the rows of its kind; raises Unprocessable for what is no row."""
    if line.kind not in MODELS:
        raise refusal(line.number, f"{line.kind[:40]!r} is no kind of row")
    rows[line.kind].append((line.number, _model(line)))


def no_rows() -> Rows:
    """Where rows are put."""
    return defaultdict(list)


def check_rows(rows: Rows) -> None:
    """Refuse what is there too often, and what points elsewhere."""
    for kind in (*ONCE, *MOST_ONCE):
        if len(rows[kind]) > 1 or (kind in ONCE and not rows[kind]):
            raise refusal(0, f"a bundle has one {kind}, not {len(rows[kind])}")
    _check_references(rows)


def _model(line: Line) -> Model:
    fields = columns(line.kind)
    odd = line.row.keys() ^ {one.attname for one in fields}
    if odd - (ADDED.get(line.kind, set()) - line.row.keys()):
        told = ", ".join(sorted(odd))[:120]
        raise refusal(line.number, f"a {line.kind} with or without {told}")
    model = MODELS[line.kind]
    values: dict[str, Any] = {}
    for one in fields:
        value = line.row[one.attname] if one.attname in line.row else one.get_default()
        if isinstance(one, ForeignKey) or one.primary_key:
            is_id = type(value) is int and 0 < value < 2**63
            if not is_id and not (value is None and one.null):
                raise refusal(line.number, f"{one.attname} is no id")
        elif isinstance(value, dict | list) and one.get_internal_type() != "JSONField":
            raise refusal(line.number, f"{one.attname} is no single value")
        values[one.attname] = value
    made = model(**values)
    skipped = {one.name for one in model._meta.concrete_fields if one not in fields}
    skipped |= {one.name for one in fields if isinstance(one, ForeignKey)}
    try:
        made.clean_fields(exclude=skipped)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        told = error.messages[0] if isinstance(error, ValidationError) else str(error)
        raise refusal(line.number, f"this is no {line.kind}: {told[:160]}") from error
    return made


def _check_references(rows: Rows) -> None:
    """What a row points to stands in the bundle too, and everything belongs to its event."""
    ids = {kind: {row.pk for _, row in listed} for kind, listed in rows.items()}
    ((_, tournament),) = rows["tournament"]
    for kind, listed in rows.items():
        links = [one for one in columns(kind) if isinstance(one, ForeignKey)]
        seen: set[int] = set()
        for number, row in listed:
            if row.pk is not None and row.pk in seen:
                raise refusal(number, f"there is a {kind} {row.pk} already")
            seen.add(row.pk)
            for link in links:
                target = getattr(row, link.attname)
                if target is not None and target not in ids.get(_kind_of(link), ()):
                    raise refusal(number, f"{link.attname} {target} is not in the bundle")
            if isinstance(row, Game | Batch) and row.stream != tournament.stream:
                raise refusal(number, f"it is of {row.stream[:80]!r}, not of {tournament.stream}")


def _kind_of(link: "ForeignKey[Any, Any]") -> str:
    return KINDS.get(link.related_model, "") if isinstance(link.related_model, type) else ""
