"""The rows of a bundle as unsaved models, every value checked by its field."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, Model, UniqueConstraint

from games.core.errors import Unprocessable
from games.models import Game, Report
from games.models.columns import NewReference, columns_of, current_row, later_columns
from games.names import clean_name
from games.play.proposals import read_time_control
from games.rules.seat import Seat
from games.rules.text import Text, shortened
from tournament.events.set_up import check_handicaps, check_table
from tournament.exchange.bundle_file import MODELS, Line, bundle_error, columns
from tournament.models import Pairing, Tournament
from tournament.rounds.handicaps import check_applied

MODEL_KINDS: dict[Any, str] = {model: kind for kind, model in MODELS.items()}
LABEL_KINDS = {model._meta.label: kind for kind, model in MODELS.items()}
CHECKED = ("tournament", "game", "report", "pairing")
"""The kinds with columns that depend on each other."""
NAMES = {
    "tournament": ("name", "place", "arbiter", "time_control"),
    "player": ("name", "club"),
    "entry": ("club", "category", "title"),
}
"""The columns with names of people, clubs, places and events."""
SCALAR_TYPES = frozenset({str, int, bool, type(None)})

Rows = dict[str, list[tuple[int, Any]]]
"""By kind: the line numbers with the rows, as unsaved models.

Their ids count the rows of a kind from 1, until they are saved."""


def name_kind(kind: str) -> str:
    """Return a kind of row as readers know it."""
    return Text(kind) if kind in ("game", "player") else kind


@dataclass(slots=True)
class Reader:
    """Reads lines as rows; a reference is resolved once all rows are read."""

    rows: Rows = field(default_factory=lambda: defaultdict(list))
    ids: dict[tuple[str, str], int] = field(default_factory=dict)
    references: list[tuple[int, Any, Any, str]] = field(default_factory=list)
    cleaned: dict[tuple[str, str, type, str | int | None], Any] = field(default_factory=dict)
    """By kind, column and value as written: the value that the field returns. Most repeat."""

    def add(self, line: Line) -> None:
        """Add a line to the rows of its kind; raises Unprocessable for an invalid row."""
        if line.kind not in MODELS:
            raise bundle_error(
                line.number, Text("%(word)s is not a kind of row", word=f"{line.kind[:40]!r}")
            )
        row = self._model(line)
        of_kind = self.rows[line.kind]
        of_kind.append((line.number, row))
        row.pk = len(of_kind)
        names = columns_of(type(row)).key
        key = "/".join("" if line.row[name] is None else str(line.row[name]) for name in names)
        if names and self.ids.setdefault((line.kind, key), row.pk) != row.pk:
            raise _is_another(line.number, line.kind, names)

    def resolve(self) -> None:
        """Replace keys by ids; raises Unprocessable for one that is not in the bundle."""
        for number, row, column, key in self.references:
            kind = MODEL_KINDS.get(column.related_model, "")
            if (kind, key) not in self.ids:
                raise bundle_error(
                    number,
                    Text(
                        "%(column)s %(number)s is not in the bundle",
                        column=column.name,
                        number=key[:80],
                    ),
                )
            setattr(row, column.attname, self.ids[kind, key])
        replace_references(self.rows, lambda label, key: self.ids[LABEL_KINDS[label], str(key)])

    def _model(self, line: Line) -> Model:
        """Return a line as a model; columns that are not exported have their default.

        So have those that the program which wrote the bundle did not know yet; what it wrote
        otherwise is read as it is written today.
        """
        model, names = MODELS[line.kind], _names(line.kind)
        row_of_line = {**later_columns(line.kind), **current_row(line.kind, line.row)}
        if row_of_line.keys() != names:
            wrong = ", ".join(sorted(row_of_line.keys() ^ names))[:120]
            raise bundle_error(
                line.number,
                Text(
                    "missing or unknown columns of a %(kind)s: %(names)s",
                    kind=name_kind(line.kind),
                    names=wrong,
                ),
            )
        values, references = [], []
        for column in model._meta.concrete_fields:
            if column.name not in names:
                values.append(1 if column.name == "tournament" else column.get_default())
                continue
            value = row_of_line[column.name]
            if isinstance(column, ForeignKey):
                values.append(None)
                if value is not None or not column.null:
                    references.append((column, _key_of(line, column, value)))
                continue
            known = (line.kind, column.name, type(value), value)
            if type(value) not in SCALAR_TYPES:
                values.append(_cleaned(line, column, value))
                continue
            if known not in self.cleaned:
                self.cleaned[known] = _cleaned(line, column, value)
            values.append(self.cleaned[known])
        row = model(*values)
        self.references += [(line.number, row, column, key) for column, key in references]
        return row


def replace_references(rows: Rows, new: NewReference) -> None:
    """Replace the references in the JSON columns of rows; raises Unprocessable for invalid JSON."""
    for kind, of_kind in rows.items():
        for name, replace in columns_of(MODELS[kind]).refers.items():
            for number, row in of_kind:
                try:
                    setattr(row, name, replace(getattr(row, name), new))
                except (AttributeError, KeyError, TypeError, ValueError) as error:
                    detail = Text("its columns contradict each other")
                    raise bundle_error(number, detail) from error


def _key_of(line: Line, column: Any, value: Any) -> str:
    if not isinstance(value, str):
        raise bundle_error(line.number, Text("%(column)s is not an id", column=column.name))
    return value


def _is_another(number: int, kind: str, names: Sequence[str]) -> Unprocessable:
    return bundle_error(
        number,
        Text(
            "there is another %(kind)s with its %(names)s",
            kind=name_kind(kind),
            names=", ".join(names),
        ),
    )


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
    _check_streams(rows)
    for kind, of_kind in rows.items():
        for columns_once in _unique_columns(kind):
            _check_unique(kind, of_kind, columns_once)
    for number, player in rows["player"]:
        ids = player.external_ids
        if not isinstance(ids, dict) or not all(isinstance(text, str) for text in ids.values()):
            raise bundle_error(number, Text("external_ids of a player must be an object of texts"))
    for kind, names in NAMES.items():
        for number, row in rows[kind]:
            for name in names:
                _check_name(number, name, getattr(row, name))
    for number, row in [line for kind in CHECKED for line in rows[kind]]:
        if not _is_possible(row):
            raise bundle_error(number, Text("its columns contradict each other"))
    _check_handicaps(rows)
    _check_time_controls(rows)


def _check_name(number: int, column: str, text: str) -> None:
    """Raise Unprocessable for a name that is not as it would be stored."""
    try:
        is_clean = clean_name(text) == text
        detail = "" if is_clean else Text("it is not in Unicode's form NFC, or has other spaces")
    except ValueError as error:
        detail = str(error)
    if detail:
        raise bundle_error(
            number, Text("the column %(column)s: %(reason)s", column=column, reason=detail)
        )


@cache
def _unique_columns(kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the exported columns of each unique constraint of a kind."""
    found = []
    for constraint in MODELS[kind]._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None:
            named = {getattr(item, "name", "") for item in constraint.expressions}
            named.update(constraint.fields)
            found.append(tuple(column.attname for column in columns(kind) if column.name in named))
    return tuple(names for names in found if names)


def _check_unique(kind: str, rows: Sequence[tuple[int, Any]], columns_once: Sequence[str]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for number, row in rows:
        values = tuple(getattr(row, name) for name in columns_once)
        if None not in values and values in seen:
            raise _is_another(number, kind, columns_once)
        seen.add(values)


def _is_possible(row: Tournament | Game | Report | Pairing) -> bool:
    """Return True if a row satisfies the check constraints of its table."""
    if isinstance(row, Tournament):
        return row.ends_on >= row.starts_on and row.rounds >= 1
    if isinstance(row, Game):
        return row.winner in ("", *Seat) and not (row.winner and row.draw)
    if isinstance(row, Report):
        return row.seat in ("", *Seat)
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
            check_table(tournament)
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


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(column.name for column in columns(kind))


def _cleaned(line: Line, column: "Field[Any, Any]", value: Any) -> Any:
    """Return the value as its field cleans it, without looking at the rest of the row."""
    if isinstance(value, dict | list) and column.get_internal_type() != "JSONField":
        raise bundle_error(
            line.number, Text("%(column)s is not a single value", column=column.name)
        )
    try:
        return column.clean(value, None)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        message = error.messages[0] if isinstance(error, ValidationError) else str(error)
        raise bundle_error(
            line.number,
            Text(
                "the column %(column)s of a %(kind)s: %(reason)s",
                column=column.name,
                kind=name_kind(line.kind),
                reason=shortened(message, 160),
            ),
        ) from error


def _check_streams(rows: Rows) -> None:
    """Raise Unprocessable for a batch of another event; the games are those of the tournament."""
    ((_, tournament),) = rows["tournament"]
    for _, game in rows["game"]:
        game.stream = tournament.stream
    for number, batch in rows["batch"]:
        if batch.stream != tournament.stream:
            raise bundle_error(
                number,
                Text(
                    "its stream is %(found)s, not %(stream)s",
                    found=f"{batch.stream[:80]!r}",
                    stream=tournament.stream,
                ),
            )


RECOMMENDED: dict[str, type | UnionType] = {
    "entry": int, "handicap": str | None, "rating": int, "opponent_rating": int, "basis": str,
    "value": int, "table": str, "share": int, "expected": int, "most": bool,
}  # fmt: skip
"""What a pairing stores about its recommended handicap: the members and their types."""


def is_recommended(value: Any) -> bool:
    """Return True if a value from another installation has the form of `recommended`."""
    if not isinstance(value, dict) or value.keys() != RECOMMENDED.keys():
        return False
    return all(isinstance(value[name], kinds) for name, kinds in RECOMMENDED.items())
