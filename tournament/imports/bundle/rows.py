"""The rows of a bundle as models not yet saved, every value checked by its field."""

from collections import defaultdict
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, Model

from games.models import Game
from ratings.models import Batch
from tournament.imports.bundle.unpacking import Line, refusal
from tournament.imports.bundle.writing import ADDED, MODELS, columns

KINDS = {model: kind for kind, model in MODELS.items()}
ONCE = ("tournament",)
MOST_ONCE = ("pool", "batch")
SINGLE = frozenset({str, int, bool, type(None)})

Rows = dict[str, list[tuple[int, Any]]]
"""By kind: number of the line, and the row as a model not yet saved."""


Checked = dict[tuple[str, str, type, str | int | None], Any]
"""By kind, column, and value as it was written: the value that its field makes of it."""


def add_row(rows: Rows, line: Line, checked: Checked) -> None:
    """Put a line among the rows of its kind; raises Unprocessable for what is no row.

    Most values of an event stand in it again and again: what was `checked` is noted there.
    """
    if line.kind not in MODELS:
        raise refusal(line.number, f"{line.kind[:40]!r} is no kind of row")
    rows[line.kind].append((line.number, _model(line, checked)))


def no_rows() -> Rows:
    """Where rows are put."""
    return defaultdict(list)


def check_rows(rows: Rows) -> None:
    """Refuse what is there too often, and what points elsewhere."""
    for kind in (*ONCE, *MOST_ONCE):
        if len(rows[kind]) > 1 or (kind in ONCE and not rows[kind]):
            raise refusal(0, f"a bundle has one {kind}, not {len(rows[kind])}")
    _check_references(rows)


def _model(line: Line, checked: Checked) -> Model:
    """A line as a row; columns that stay at home have their default."""
    model, names = MODELS[line.kind], _names(line.kind)
    odd = line.row.keys() ^ names
    if odd and odd - (ADDED.get(line.kind, set()) - line.row.keys()):
        told = ", ".join(sorted(odd))[:120]
        raise refusal(line.number, f"a {line.kind} with or without {told}")
    values = []
    for one in model._meta.concrete_fields:
        value = line.row[one.attname] if one.attname in line.row else one.get_default()
        if one.attname in names:
            key = (line.kind, one.attname, type(value), value) if type(value) in SINGLE else None
            if key is None:
                value = _cleaned(line, one, value)
            elif key not in checked:
                value = checked[key] = _cleaned(line, one, value)
            else:
                value = checked[key]
        values.append(value)
    return model(*values)


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(one.attname for one in columns(kind))


def _cleaned(line: Line, field: "Field[Any, Any]", value: Any) -> Any:
    """What a field makes of a value, whatever the rest of the row is; refuses what it cannot be."""
    is_link = isinstance(field, ForeignKey)
    if is_link or field.primary_key:
        is_id = type(value) is int and 0 < value < 2**63
        if not is_id and not (value is None and field.null):
            raise refusal(line.number, f"{field.attname} is no id")
    elif isinstance(value, dict | list) and field.get_internal_type() != "JSONField":
        raise refusal(line.number, f"{field.attname} is no single value")
    if is_link or (field.blank and value in field.empty_values):
        return value
    try:
        return field.clean(value, None)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        told = error.messages[0] if isinstance(error, ValidationError) else str(error)
        raise refusal(line.number, f"this is no {line.kind}: {told[:160]}") from error


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
