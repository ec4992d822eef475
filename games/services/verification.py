"""Compare rows with what the journal says about them: games with their results, and reports.

A row is a dict of columns. `JournalledRows` contains the rows as the lines of a stream have left
them; `find_differences` compares them with the stored rows. The app `tournament` adds its kinds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from games.models import Game, JournalLine, Report
from games.queries.disputes import dispute_in_words
from games.rules.errors import RecordError
from games.rules.records.record import Record

Key = Any
"""What a row is found by: its id, or a tuple of numbers."""
Row = dict[str, Any]
Rows = dict[str, dict[Key, Row]]
"""The rows by kind and key."""

OPEN_RESULT: Row = {
    "state": Game.State.OPEN, "basis": "", "termination": "", "winner": "", "draw": False,
    "score": None, "record": "", "dispute": "", "adjourned": False,
}  # fmt: skip
"""The columns that settlement writes, of a game without reports."""
PROPOSAL_KINDS = frozenset(
    {
        "game.proposed",
        "game.accepted",
        "game.declined",
        "game.cancelled",
        "game.expired",
        "game.imported",
    }
)
"""The kinds of the lines of a casual game before it can be reported."""
REPORT_COLUMNS = ("kind", "seat", "digest", "outcome", "confirms", "reason")


@dataclass(slots=True)
class JournalledRows:
    """The rows that the journal describes, and the last line that changed each."""

    rows: Rows = field(default_factory=dict)
    lines: dict[tuple[str, Key], int] = field(default_factory=dict)

    def set(self, line: JournalLine, kind: str, key: Key, /, **columns: Any) -> None:
        """Set columns of a row, which is added if the journal has not named it before."""
        self.rows.setdefault(kind, {}).setdefault(key, {}).update(columns)
        self.lines[kind, key] = line.sequence

    def remove(self, kind: str, key: Key) -> None:
        """Remove a row."""
        self.of(kind).pop(key, None)

    def of(self, kind: str) -> dict[Key, Row]:
        """Return the rows of a kind, of which the journal may have named none yet."""
        return self.rows.get(kind, {})


AddLine = Callable[[JournalledRows, JournalLine, Mapping[str, Any]], None]
"""Apply a line with its payload to the rows."""


def read_journal(
    lines: "QuerySet[JournalLine]", add_line: AddLine
) -> tuple[JournalledRows, list[str]]:
    """Return the rows that the lines describe, and a sentence for each line without a payload."""
    journalled, errors = JournalledRows(), []
    for line in lines:
        payload = getattr(line, "payload", None)
        if payload is None:
            errors.append(f"line {line.sequence} ({line.kind}) has no payload to compare with")
        else:
            add_line(journalled, line, payload.body)
    return journalled, errors


def add_game_line(rows: JournalledRows, line: JournalLine, payload: Mapping[str, Any]) -> None:
    """Apply a line of a report or a settlement."""
    family, _, word = line.kind.partition(".")
    if family == "report" and word in Report.Kind.values:
        columns = {name: payload[name] for name in REPORT_COLUMNS}
        rows.set(line, "report", (payload["game"], payload["version"]), **columns)
        if payload["game"] not in rows.of("game"):
            rows.set(line, "game", payload["game"], **OPEN_RESULT)
    elif line.kind in PROPOSAL_KINDS:
        rows.set(line, "game", payload["game"], state=payload["state"])
    elif family == "game" and (word in Game.State.values or word == "adjourned"):
        columns = {name: payload[name] for name in OPEN_RESULT}
        rows.set(line, "game", payload["game"], **columns)


def stored_games(games: "QuerySet[Game]") -> Rows:
    """Return the results of games and their reports, as stored."""
    reports = Report.objects.filter(game__in=games.order_by()).select_related("confirms")
    return {
        "game": {game.pk: _game_row(game) for game in games.select_related("record")},
        "report": {
            (report.game_id, report.version): {
                "kind": report.kind,
                "seat": report.seat,
                "digest": report.digest if _is_proven(report) else "not that of its record",
                "outcome": report.outcome,
                "confirms": report.confirms.version if report.confirms else None,
                "reason": report.reason,
            }
            for report in reports
        },
    }


def _game_row(game: Game) -> Row:
    score = None if game.score_first is None else [game.score_first, game.score_second]
    names = ("first_id", "second_id", "round", "void", "handicap", "swap", *OPEN_RESULT)
    columns = {name: getattr(game, name) for name in names if name not in ("score", "record")}
    columns["dispute"] = dispute_in_words(game.dispute)
    return columns | {"score": score, "record": game.record.digest if game.record else ""}


def _is_proven(report: Report) -> bool:
    """Return True unless the stored record has another digest than the report."""
    if not report.record:
        return True
    try:
        return Record.parse(report.record).replay().digest == report.digest
    except RecordError:
        return False


def find_differences(journalled: JournalledRows, stored: Rows) -> Iterator[str]:
    """Yield a sentence for each row that is missing, added or different, by kind and key.

    Only the columns that the journal names are compared.
    """
    for kind in sorted(journalled.rows.keys() | stored.keys()):
        expected, found = journalled.of(kind), stored.get(kind, {})
        for key in sorted(expected.keys() | found.keys()):
            name = f"{kind} {_key_text(key)}".strip()
            line = journalled.lines.get((kind, key))
            if key not in found:
                yield f"{name} is missing; the journal has it (line {line})"
            elif key not in expected:
                yield f"{name} is not in the journal"
            else:
                for column, value in expected[key].items():
                    if found[key][column] != value:
                        yield (
                            f"{name}: {column} is {_text(found[key][column])}, the journal has"
                            f" {_text(value)} (line {line})"
                        )


def _key_text(key: Key) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _text(value: Any) -> str:
    return f"{value!s:.80}" if isinstance(value, str) and value else repr(value)[:80]


def verify_casual_game(stream: str, lines: "QuerySet[JournalLine]") -> list[str]:
    """Return the differences between a casual game and the journal of its own stream."""
    journalled, errors = read_journal(lines, add_game_line)
    number = stream.removeprefix("game/")
    games = Game.objects.filter(pk=number if number.isdigit() else 0, stream="")
    return [*errors, *find_differences(journalled, stored_games(games))]
