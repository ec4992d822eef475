"""The `rows` of a journal line: the changed journalled columns of each row, by its key.

`{"entry": {"3": {"state": "withdrawn"}}, "bye": {"3/2": null}}`: the kinds are the names of models,
null is a deleted row, and `*` has the columns in which all other rows of its kind in the line are
the same. No value is an id of the database: a reference is the key of the row that it means.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cache
from typing import Any

from django.apps import apps
from django.db.models import Field, ForeignKey, Model, QuerySet

from games.core.journal.chain import format_time
from games.models.columns import NewReference, columns_of

Row = dict[str, Any]
Rows = dict[str, dict[str, Row | None]]
"""The changed columns by kind and key; None for a deleted row."""
SHARED = "*"
"""The key of the columns in which all other rows of a kind in a line are the same."""
Fields = Sequence["Field[Any, Any]"]


def changed_rows(*rows: Model) -> Rows:
    """Return the journalled columns in which rows differ from what was loaded; all of a new row."""
    return state_rows((row, _changed_fields(row)) for row in rows)


def whole_rows(*rows: Model) -> Rows:
    """Return all journalled columns of rows."""
    return state_rows((row, journalled_fields(type(row))) for row in rows)


def updated_rows(rows: Iterable[Model], *names: str) -> Rows:
    """Return these columns of rows as they are now: those that an `update()` has changed."""
    return state_rows((row, [_field(type(row), name) for name in names]) for row in rows)


def deleted_rows(*rows: Model) -> Rows:
    """Return rows that are deleted."""
    found = state_rows((row, ()) for row in rows)
    return {kind: dict.fromkeys(of_kind) for kind, of_kind in found.items()}


def combined(*changes: Rows) -> Rows:
    """Return all rows; what is stated later counts."""
    found: Rows = defaultdict(dict)
    for rows in changes:
        for kind, of_kind in rows.items():
            for key, row in of_kind.items():
                known = found[kind].get(key)
                found[kind][key] = {**known, **row} if known and row is not None else row
    return dict(found)


def rows_of(rows: "QuerySet[Any]") -> dict[str, Row]:
    """Return all journalled columns of the rows of a model, by key.

    Two rows with one key, which only a forger makes, are two rows.
    """
    model: type[Model] = rows.model
    fields = journalled_fields(model)
    found: dict[str, Row] = {}
    for _, key, row in stated((row, fields) for row in rows):
        found[f"{key} (again)" if key in found else key] = row
    return found


def kind_of(model: type[Model]) -> str:
    """Return the name of a model in `rows`."""
    return str(model._meta.model_name)


@cache
def journalled_fields(model: type[Model]) -> Fields:
    """Return the fields of the journalled columns of a model."""
    return [_field(model, name) for name in columns_of(model).journalled]


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    found: Any = model._meta.get_field(name)
    return found


def _changed_fields(row: Model) -> Fields:
    """Return the journalled fields that differ from what was loaded; all if the row is new."""
    fields = journalled_fields(type(row))
    loaded: Mapping[str, Any] | None = getattr(row, "loaded", None)
    if loaded is None or loaded.get(row._meta.pk.attname) != row.pk:
        return fields
    return [
        field
        for field in fields
        if field.attname in loaded and loaded[field.attname] != getattr(row, field.attname)
    ]


@dataclass(slots=True)
class Keys:
    """The keys of rows that others refer to, each read once."""

    known: dict[tuple[type[Model], int], str] = field(default_factory=dict)

    def load(self, wanted: Mapping[type[Model], set[int]]) -> None:
        for model, numbers in wanted.items():
            missing = {number for number in numbers if (model, number) not in self.known}
            if missing:
                found = model._base_manager.filter(pk__in=missing).values_list("pk", *paths(model))
                for number, *parts in found:
                    self.known[model, number] = _key_text(parts)

    def of(self, model: type[Model], number: int | str) -> str:
        """Return the key of a row that was loaded."""
        return self.known.get((model, int(number)), f"id {number}")


@cache
def paths(model: type[Model]) -> tuple[str, ...]:
    """Return the lookups of the columns that name a row, through its references."""
    found: list[str] = []
    for name in columns_of(model).key:
        column = _field(model, name)
        if isinstance(column, ForeignKey):
            found += [f"{name}__{path}" for path in paths(_target(column))]
        else:
            found.append(name)
    return tuple(found) or ("pk",)


def _key_text(parts: Iterable[Any]) -> str:
    return "/".join("" if part is None else str(_as_json(part)) for part in parts)


def state_rows(changes: Iterable[tuple[Model, Fields]]) -> Rows:
    """Return these columns of rows as a line has them; rows without columns are stated too."""
    found: dict[str, dict[str, Row | None]] = defaultdict(dict)
    for kind, key, row in stated(changes):
        of_kind = found[kind]
        of_kind[key] = {**(of_kind.get(key) or {}), **row}
    return dict(found)


def stated(changes: Iterable[tuple[Model, Fields]]) -> Iterator[tuple[str, str, Row]]:
    """Yield kind, key and these columns of rows, in their order; each key is read once."""
    pairs = list(changes)
    keys = Keys()
    wanted: dict[type[Model], set[int]] = defaultdict(set)
    for row, fields in pairs:
        for column in (*fields, *_key_fields(type(row))):
            for model, number in _references(row, column, keys):
                wanted[model].add(number)
    keys.load(wanted)
    for row, fields in pairs:
        key = _key_text(_value(row, column, keys) for column in _key_fields(type(row)))
        yield kind_of(type(row)), key, {one.name: _value(row, one, keys) for one in fields}


@cache
def _key_fields(model: type[Model]) -> Fields:
    """Return the fields of the key; the id of a login, which has no key."""
    return [_field(model, name) for name in columns_of(model).key] or [model._meta.pk]


def _references(
    row: Model, column: "Field[Any, Any]", keys: Keys
) -> Iterator[tuple[type[Model], int]]:
    """Yield the rows that a column refers to and whose key must be read."""
    value = getattr(row, column.attname)
    if value is None:
        return
    if isinstance(column, ForeignKey):
        model = _target(column)
        if not columns_of(model).key:
            return
        related = column.get_cached_value(row, default=None)
        if related is not None and not any(isinstance(f, ForeignKey) for f in _key_fields(model)):
            keys.known[model, value] = _key_text(getattr(related, name) for name in paths(model))
        else:
            yield model, value
    elif translate := _translation(column):
        named: list[tuple[type[Model], int]] = []

        def collect(label: str, number: int | str) -> int | str:
            named.append((apps.get_model(label), int(number)))
            return number

        _replaced(translate, value, collect)
        yield from named


@cache
def _translation(column: "Field[Any, Any]") -> Callable[[Any, NewReference], Any] | None:
    """Return the function that replaces the references in a JSON column; None for others."""
    return columns_of(column.model).refers.get(column.name)


def _target(column: "ForeignKey[Any, Any]") -> type[Model]:
    model: Any = column.related_model
    return model


def _value(row: Model, column: "Field[Any, Any]", keys: Keys) -> Any:
    """Return the value of a column as a line has it."""
    value = getattr(row, column.attname)
    if value is None:
        return None
    if isinstance(column, ForeignKey):
        has_key = columns_of(_target(column)).key
        return keys.of(_target(column), value) if has_key else str(value)
    if translate := _translation(column):
        return _replaced(
            translate, value, lambda label, number: keys.of(apps.get_model(label), number)
        )
    return _as_json(value)


def _replaced(translate: Callable[[Any, NewReference], Any], value: Any, new: NewReference) -> Any:
    """Return a JSON value with other references; one that somebody has forged stays as it is."""
    try:
        return translate(value, new)
    except (AttributeError, KeyError, TypeError, ValueError):
        return value


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return value.isoformat() if isinstance(value, date | time) else value


def compact(rows: Rows) -> Rows:
    """Return rows as a line stores them: what all of a kind have in common stands once."""
    found: Rows = {}
    for kind, of_kind in rows.items():
        present = [row for row in of_kind.values() if row is not None]
        shared = dict(present[0]) if len(present) > 1 else {}
        for row in present:
            shared = {n: v for n, v in shared.items() if n in row and row[n] == v}
        if not shared:
            found[kind] = dict(of_kind)
            continue
        own = {
            key: row and {name: value for name, value in row.items() if name not in shared}
            for key, row in of_kind.items()
        }
        found[kind] = {SHARED: shared, **own}
    return {kind: of_kind for kind, of_kind in found.items() if of_kind}


def expanded(stored: Mapping[str, Any]) -> Iterator[tuple[str, str, Row | None]]:
    """Yield kind, key and columns of the rows of a line, as `compact` has stored them.

    What somebody has forged in another form is left out: it has not the digest of its line.
    """
    kinds = stored.items() if isinstance(stored, dict) else ()
    for kind, of_kind in kinds:
        if not isinstance(of_kind, dict):  # as the salt
            continue
        shared = of_kind.get(SHARED)
        shared = shared if isinstance(shared, dict) else {}
        for key, row in of_kind.items():
            if key != SHARED and isinstance(row, dict | None):
                yield kind, key, None if row is None else {**shared, **row}
