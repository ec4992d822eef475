"""The rows of a bundle as unsaved models, every value checked by its field."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, Model, UniqueConstraint

from games.http.errors import Unprocessable
from games.models import Game
from games.rules.seat import Seat
from games.rules.text import Text, shortened
from games.services.proposals import read_time_control
from ratings.models import Batch
from tournament.imports.bundle.archive import bundle_error
from tournament.imports.bundle.reading import Line
from tournament.imports.bundle.writing import MODELS, columns
from tournament.models import Pairing, Tournament
from tournament.services.handicaps import check_applied, check_handicaps, is_recommended

MODEL_KINDS = {model: kind for kind, model in MODELS.items()}
SCALAR_TYPES = frozenset({str, int, bool, type(None)})

Rows = dict[str, list[tuple[int, Any]]]
"""By kind: the line numbers with the rows, as unsaved models."""

CleanedValues = dict[tuple[str, str, type, str | int | None], Any]
"""By kind, column and value as written: the value that the field returns."""


def name_kind(kind: str) -> str:
    """Return a kind of row as readers know it."""
    return Text(kind) if kind in ("game", "player") else kind


def empty_rows() -> Rows:
    """Return rows for `add_row`."""
    return defaultdict(list)


def add_row(rows: Rows, line: Line, cleaned: CleanedValues) -> None:
    """Add a line to the rows of its kind; raises Unprocessable for an invalid row.

    Most values of a tournament repeat: `cleaned` stores those that were checked.
    """
    if line.kind not in MODELS:
        raise bundle_error(
            line.number, Text("%(word)s is not a kind of row", word=f"{line.kind[:40]!r}")
        )
    rows[line.kind].append((line.number, _model(line, cleaned)))


def check_rows(rows: Rows) -> None:
    """Raise Unprocessable for rows that the database would reject, and for missing references."""
    for kind in ("tournament", "pool", "batch"):
        if len(rows[kind]) > 1 or (kind == "tournament" and not rows[kind]):
            raise bundle_error(
                0,
                Text(
                    "a bundle has one %(kind)s, not %(count)s",
                    kind=name_kind(kind),
                    count=len(rows[kind]),
                ),
            )
    _check_references(rows)
    for kind, of_kind in rows.items():
        for columns_once in _unique_columns(kind):
            _check_unique(kind, of_kind, columns_once)
    for number, player in rows["player"]:
        ids = player.external_ids
        if not isinstance(ids, dict) or not all(isinstance(text, str) for text in ids.values()):
            raise bundle_error(number, Text("external_ids of a player must be an object of texts"))
    for number, row in [*rows["tournament"], *rows["game"], *rows["pairing"]]:
        if not _is_possible(row):
            raise bundle_error(number, Text("its columns contradict each other"))
    _check_handicaps(rows)
    _check_time_controls(rows)


@cache
def _unique_columns(kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the exported columns of each unique constraint of a kind."""
    found = []
    for constraint in MODELS[kind]._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None:
            named = {getattr(item, "name", "") for item in constraint.expressions}
            named.update(constraint.fields)
            found.append(tuple(field.attname for field in columns(kind) if field.name in named))
    return tuple(names for names in found if names)


def _check_unique(kind: str, rows: Sequence[tuple[int, Any]], columns_once: Sequence[str]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for number, row in rows:
        values = tuple(getattr(row, name) for name in columns_once)
        if None not in values and values in seen:
            raise bundle_error(
                number,
                Text(
                    "there is another %(kind)s with its %(names)s",
                    kind=name_kind(kind),
                    names=", ".join(columns_once),
                ),
            )
        seen.add(values)


def _is_possible(row: Tournament | Game | Pairing) -> bool:
    """Return True if a row satisfies the check constraints of its table."""
    if isinstance(row, Tournament):
        return row.ends_on >= row.starts_on and row.rounds >= 1
    if isinstance(row, Game):
        return row.winner in ("", *Seat) and not (row.winner and row.draw)
    is_game = row.kind == Pairing.Kind.GAME
    has_board = row.board_number is not None
    return is_game == (row.second_id is not None) and (has_board or not is_game)


def _check_handicaps(rows: Rows) -> None:
    """Raise Unprocessable for handicaps that the games of the tournament cannot have."""
    ((line, tournament),) = rows["tournament"]
    if not isinstance(tournament.handicap_kinds, list):
        raise bundle_error(line, Text("handicap_kinds must be a list"))
    for number, game in rows["game"]:
        if game.handicap_table not in ("", tournament.handicap_table):
            raise bundle_error(number, Text("handicap_table must be that of the tournament"))
    handicaps = {"": line}
    for number, pairing in rows["pairing"]:
        handicaps.setdefault(pairing.handicap, number)
        if pairing.recommended is not None and not is_recommended(pairing.recommended):
            raise bundle_error(number, Text("recommended must be a recommended handicap"))
    for handicap, number in handicaps.items():
        try:
            check_handicaps(tournament)
            check_applied(tournament, handicap)
        except Unprocessable as error:
            raise bundle_error(number, error.detail) from error


def _check_time_controls(rows: Rows) -> None:
    """Raise Unprocessable for a time that no game can have, or that is not the tournament's."""
    ((line, tournament),) = rows["tournament"]
    time_control = tournament.main_minutes, tournament.increment_seconds
    try:
        read_time_control(*time_control)
    except Unprocessable as error:
        raise bundle_error(line, error.detail) from error
    for number, game in rows["game"]:
        if (game.main_minutes, game.increment_seconds) != time_control:
            raise bundle_error(number, Text("main_minutes must be that of the tournament"))


def _model(line: Line, cleaned: CleanedValues) -> Model:
    """Return a line as a model; columns that are not exported have their default."""
    model, names = MODELS[line.kind], _names(line.kind)
    if line.row.keys() != names:
        wrong = ", ".join(sorted(line.row.keys() ^ names))[:120]
        raise bundle_error(
            line.number,
            Text(
                "missing or unknown columns of a %(kind)s: %(names)s",
                kind=name_kind(line.kind),
                names=wrong,
            ),
        )
    values = []
    for field in model._meta.concrete_fields:
        if field.attname not in names:
            values.append(field.get_default())
            continue
        value = line.row[field.attname]
        if type(value) not in SCALAR_TYPES:
            values.append(_cleaned(line, field, value))
            continue
        key = (line.kind, field.attname, type(value), value)
        if key not in cleaned:
            cleaned[key] = _cleaned(line, field, value)
        values.append(cleaned[key])
    return model(*values)


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(field.attname for field in columns(kind))


def _cleaned(line: Line, field: "Field[Any, Any]", value: Any) -> Any:
    """Return the value as its field cleans it, without looking at the rest of the row."""
    is_reference = isinstance(field, ForeignKey)
    if is_reference or field.primary_key:
        is_id = type(value) is int and 0 < value < 2**63
        if not is_id and not (value is None and field.null):
            raise bundle_error(line.number, Text("%(column)s is not an id", column=field.attname))
    elif isinstance(value, dict | list) and field.get_internal_type() != "JSONField":
        raise bundle_error(
            line.number, Text("%(column)s is not a single value", column=field.attname)
        )
    if is_reference or (field.blank and value in field.empty_values):
        return value
    try:
        return field.clean(value, None)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        message = error.messages[0] if isinstance(error, ValidationError) else str(error)
        raise bundle_error(
            line.number,
            Text(
                "the column %(column)s of a %(kind)s: %(reason)s",
                column=field.attname,
                kind=name_kind(line.kind),
                reason=shortened(message, 160),
            ),
        ) from error


def _check_references(rows: Rows) -> None:
    ids = {kind: {row.pk for _, row in of_kind} for kind, of_kind in rows.items()}
    ((_, tournament),) = rows["tournament"]
    for kind, of_kind in rows.items():
        references = [field for field in columns(kind) if isinstance(field, ForeignKey)]
        seen: set[int] = set()
        for number, row in of_kind:
            if row.pk is not None and row.pk in seen:
                raise bundle_error(
                    number,
                    Text(
                        "there is another %(kind)s with the id %(number)s",
                        kind=name_kind(kind),
                        number=row.pk,
                    ),
                )
            seen.add(row.pk)
            for field in references:
                target = getattr(row, field.attname)
                if target is not None and target not in ids.get(_target_kind(field), ()):
                    raise bundle_error(
                        number,
                        Text(
                            "%(column)s %(number)s is not in the bundle",
                            column=field.attname,
                            number=target,
                        ),
                    )
            if isinstance(row, Game | Batch) and row.stream != tournament.stream:
                raise bundle_error(
                    number,
                    Text(
                        "its stream is %(found)s, not %(stream)s",
                        found=f"{row.stream[:80]!r}",
                        stream=tournament.stream,
                    ),
                )


def _target_kind(field: "ForeignKey[Any, Any]") -> str:
    return MODEL_KINDS.get(field.related_model, "") if isinstance(field.related_model, type) else ""
