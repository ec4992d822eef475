"""Compare rows with the journal: fold the rows of its lines, and compute the derived columns again.

A row that a line names must exist, each other row of the stream must not, and each journalled
column must have the value that the last line named, and be named by a line. What settlement writes
must follow from the reports.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from games.core.journal.rows import Row, Rows, expanded, kind_of, rows_of
from games.models import Account, Claim, Game, HiddenName, JournalLine, Merge, Player, Report
from games.models.columns import current_row, current_value, later_columns
from games.models.fields import FoldedField
from games.play.settlement import confirm_deadline, evaluate_reports, load_reports
from games.play.states import UNPLAYED_STATES
from games.rules.errors import RecordError
from games.rules.records.record import Record

Stored = Mapping[str, Mapping[str, Row]]
"""The rows by kind and key."""


@dataclass(slots=True)
class JournalledRows:
    """The rows that the journal describes, and the last line that named each row and column."""

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    lines: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def apply(self, sequence: int, kind: str, key: str, row: Row | None) -> None:
        """Apply the changed columns of a row, None if it is deleted."""
        of_kind, key = self.rows.setdefault(kind, {}), current_value(kind, "", key)
        if row is None:
            of_kind.pop(key, None)
            return
        of_kind.setdefault(key, {}).update(current_row(kind, row))
        self.lines.update(dict.fromkeys(((kind, key, name) for name in ("", *row)), sequence))


def fold_lines(
    lines: Iterable[JournalLine], *, before: Rows | None = None
) -> tuple[JournalledRows, list[str]]:
    """Return the rows that lines describe, and a sentence for each line whose rows are missing.

    `before` are rows that exist without a line.
    """
    journalled, errors = JournalledRows(), []
    for kind, key, row in expanded(before or {}):
        journalled.apply(0, kind, key, row)
    for line in lines:
        payload = getattr(line, "payload", None)
        if line.rows_digest and (payload is None or payload.rows is None):
            errors.append(f"line {line.sequence} ({line.kind}) has no rows to compare with")
        elif payload is not None and payload.rows:
            for kind, key, row in expanded(payload.rows):
                journalled.apply(line.sequence, kind, key, row)
    return journalled, errors


def find_differences(journalled: JournalledRows, stored: Stored) -> Iterator[str]:
    """Yield a sentence for each row that is missing, added or different, by kind and key."""
    for kind in sorted(journalled.rows.keys() | stored.keys()):
        expected, found = journalled.rows.get(kind, {}), stored.get(kind, {})
        for key in sorted(expected.keys() | found.keys()):
            name = f"{kind} {key}".strip()
            if key not in found:
                line = journalled.lines.get((kind, key, ""))
                yield f"{name} is missing; the journal has it (line {line})"
            elif key not in expected:
                yield f"{name} is not in the journal"
            else:
                expected_row = {**later_columns(kind), **expected[key]}
                for column, value in found[key].items():
                    if column not in expected_row:
                        yield f"{name}: no line of the journal names {column}"
                    elif expected_row[column] != value:
                        line = journalled.lines.get((kind, key, column))
                        yield (
                            f"{name}: {column} is {_text(value)}, the journal has"
                            f" {_text(expected_row[column])} (line {line})"
                        )


def _text(value: Any) -> str:
    """Return a whole value, in one line: what differs may be at its end."""
    is_line = isinstance(value, str) and value and value.isprintable()
    return str(value) if is_line else repr(value)


def find_unsettled_results(games: "QuerySet[Game]") -> Iterator[str]:
    """Yield a sentence for each game that has not the result of its settled reports."""
    rows = list(games.order_by("pk"))
    reports = load_reports(rows)
    for game in rows:
        settled = [report for report in reports[game.pk] if report.settled_at]
        name = f"game {game.place}".strip()
        is_confirmed = game.state == Game.State.CONFIRMED
        try:
            settlement = evaluate_reports(settled, deadline_passed=is_confirmed)
            columns = settlement.as_columns()
        except ValueError as error:
            yield f"{name}: its reports cannot be read: {error}"
            continue
        deadline = confirm_deadline(settled, game.confirm_hours)
        columns["confirm_by"] = deadline if settlement.state == Game.State.WAITING else None
        if game.state in UNPLAYED_STATES:  # settlement does not write them
            columns["state"] = game.state
        for column, value in columns.items():
            if getattr(game, column) != value:
                found, given = _text(getattr(game, column)), _text(value)
                yield f"{name}: {column.removesuffix('_id')} is {found}, the reports give {given}"
        for report in reports[game.pk]:
            if not _is_proven(report):
                yield f"report {game.place}/{report.version}: digest is not that of its record"


def _is_proven(report: Report) -> bool:
    """Return True unless the stored record has another digest than the report."""
    if not report.record:
        return True
    try:
        return Record.parse(report.record).replay().digest == report.digest
    except RecordError:
        return False


def find_misfolded(rows: "QuerySet[Any]") -> Iterator[str]:
    """Yield a sentence for each folded column that is not that of its source."""
    folded = [one for one in rows.model._meta.concrete_fields if isinstance(one, FoldedField)]
    for row in rows:
        for column in folded:
            if getattr(row, column.name) != column.fold(getattr(row, column.source)):
                name = f"{kind_of(rows.model)} {row.pk}"
                yield f"{name}: {column.name} is not that of {column.source}"


def verify_site(lines: "QuerySet[JournalLine]") -> list[str]:
    """Return the differences of players, claims, merges, hidden names, staff to the site's journal.

    An account that only personal links and tokens open is no login: no line names it.
    """
    journalled, errors = fold_lines(lines)
    models = (Player, Claim, Merge, HiddenName)
    stored = {kind_of(model): rows_of(model._default_manager.all()) for model in models}
    no_logins = {str(pk) for pk in Account.objects.filter(email=None).values_list("pk", flat=True)}
    for players in (journalled.rows, stored):
        for row in players.get(kind_of(Player), {}).values():
            if row.get("account") in no_logins:
                row["account"] = None
    accounts = journalled.rows.pop(kind_of(Account), {})
    journalled.rows[kind_of(Account)] = {
        key: row for key, row in accounts.items() if row and row.get("is_staff")
    }
    stored[kind_of(Account)] = rows_of(Account.objects.filter(is_staff=True))
    of_events = journalled.rows.keys() - stored.keys()
    for kind in of_events:  # the owners of imported events
        del journalled.rows[kind]
    misfolded = find_misfolded(Player.objects.all())
    return [*errors, *find_differences(journalled, stored), *misfolded]


def verify_casual_game(stream: str, lines: "QuerySet[JournalLine]") -> list[str]:
    """Return the differences between a casual game and the journal of its own stream."""
    journalled, errors = fold_lines(lines)
    number = stream.removeprefix("game/")
    games = Game.objects.filter(pk=number if number.isdigit() else 0, stream="")
    stored = {
        kind_of(found.model): rows_of(found)
        for found in (games, Report.objects.filter(game__in=games))
    }
    return [*errors, *find_differences(journalled, stored), *find_unsettled_results(games)]
