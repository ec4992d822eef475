"""Import many records of an event from one file, each as a ruling, all or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from games.core.errors import ApiError, Unprocessable
from games.core.uploads.lists import LineErrors
from games.core.uploads.progress import Progress
from games.core.uploads.records import convert_records
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Game, Report
from games.play.services import ReportStatement, add_report, statement_of
from games.rules.records.record import Record
from games.rules.text import Text
from tournament.core.locking import require_state
from tournament.core.queries import current_pairings, find_tournament
from tournament.models import Pairing, Tournament
from tournament.results.services import DISPUTED

MOST_EVENT_RECORDS = 10_000
RECORD_IMPORT_REASON = "from a file of records"


class ImportedRecord(TypedDict):
    """A record of a file, and its game."""

    line: int
    game_id: int
    round: int
    board: int | None
    digest: str


class ImportedRecords(TypedDict):
    """The records of a file."""

    dry_run: bool
    rows: list[ImportedRecord]


@dataclass(frozen=True, slots=True)
class RecordImport:
    """A record of the file: its line, its game, and what the ruling states."""

    line: int
    pairing: Pairing
    game: Game
    statement: ReportStatement

    def as_json(self) -> ImportedRecord:
        """Return the record in the result of the import."""
        return {
            "line": self.line,
            "game_id": self.game.pk,
            "round": self.pairing.round.number,
            "board": self.pairing.board_number,
            "digest": self.statement.digest,
        }


def read_records(sent: SentFile, progress: Progress) -> list[RecordImport]:
    """Replay every record of a file and find its game.

    A record names its game by the tags `Round` and `Table` (the board number), or by `First` and
    `Second` (with `Round` if two players met twice), which take precedence over `Table`. With two
    games in a pairing it needs `First` and `Second`, the players by the seats of the game. Raises
    Unprocessable with every record that is illegal or unfinished, has other conditions than its
    game, names no game of the tournament, or names one a second time, and Conflict unless the
    tournament is running or in review.
    """
    tournament = find_tournament(sent.stream)
    require_state(tournament, Tournament.State.RUNNING, Tournament.State.REVIEW)
    pairings = (
        current_pairings(tournament)
        .filter(kind=Pairing.Kind.GAME, game__isnull=False)
        .select_related(
            "round", "game__first", "game__second", "return_game__first", "return_game__second"
        )
    )
    boards = [
        (pairing, game)
        for pairing in pairings
        for game in (pairing.game, pairing.return_game)
        if game is not None
    ]
    lines: dict[int, int] = {}

    def convert(line: int, record: Record) -> RecordImport:
        pairing, game = _find_game(boards, record)
        if lines.setdefault(game.pk, line) != line:
            raise Unprocessable(
                "no_such_game", Text("the same game as in line %(line)s", line=lines[game.pk])
            )
        if game.state == Game.State.DISPUTED:
            raise Unprocessable("game_disputed", DISPUTED)
        return RecordImport(line, pairing, game, statement_of(game, record, record.replay()))

    return convert_records(sent, convert, progress, most=MOST_EVENT_RECORDS)


def _find_game(boards: Iterable[tuple[Pairing, Game]], record: Record) -> tuple[Pairing, Game]:
    """Return the only game that the tags of a record fit; raises Unprocessable.

    Names that fit exactly one game take precedence over a board number.
    """
    tags = record.tags
    table, first, second = tags.get("Table"), tags.get("First"), tags.get("Second")
    if not (table and tags.get("Round")) and not (first and second):
        detail = Text("the record names no game; add tags Round and Table, or First and Second")
        raise Unprocessable("no_such_game", detail)
    by_names = [
        (pairing, game)
        for pairing, game in boards
        if tags.get("Round") in (None, str(pairing.round.number))
        and first in (None, game.first.name)
        and second in (None, game.second.name)
    ]
    found = [board for board in by_names if table in (None, str(board[0].board_number))]
    if not found and first and second:
        found = by_names
    seats = [(game.first.name, game.second.name) for _, game in boards]
    if not found and (second, first) in seats:
        detail = Text("%(name)s has the first seat of this game, not the second", name=second)
        raise Unprocessable("no_such_game", detail)
    if len(found) != 1:
        used = ("Round", "Table", "First", "Second")
        listed = ", ".join(f"{name} {tags[name]}" for name in used if name in tags)
        count = (
            Text("%(count)s games fit", count=len(found))
            if found
            else Text("no game of the tournament fits")
        )
        raise Unprocessable(
            "no_such_game", Text("%(subject)s: %(detail)s", subject=count, detail=listed[:160])
        )
    return found[0]


def save_records(
    sent: SentFile, records: Sequence[RecordImport], progress: Progress
) -> ImportResult:
    """Add a ruling for every record.

    The result has the `rows` of all. Raises Unprocessable with every game that accepts no ruling
    any more.
    """
    errors = LineErrors()
    for count, record in enumerate(records):
        progress(Text("writing rulings"), count, len(records))
        try:
            game, statement = record.game.pk, record.statement
            add_report(game, sent.by, Report.Kind.RULING, statement, reason=RECORD_IMPORT_REASON)
        except ApiError as error:
            errors.add_each(record.line, error)
    errors.raise_if_any()
    return ImportResult({"dry_run": False, "rows": [record.as_json() for record in records]})


def preview_records(_: SentFile, records: Sequence[RecordImport]) -> ImportResult:
    """Return what `save_records` would return."""
    return ImportResult({"dry_run": True, "rows": [record.as_json() for record in records]})


RECORDS_IMPORTER = Importer(
    task="tournament.tasks.import_records",
    action="game.rule",
    read=read_records,
    save=save_records,
    preview=preview_records,
)
