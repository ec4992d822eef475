"""Many records of an event in one file, each put to its game, all or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.http.errors import ApiError
from games.imports.csv import LineErrors
from games.imports.progress import Progress, no_progress
from games.models import Account, Game, Report
from games.rules.errors import RecordError
from games.rules.records.notation import RecordText
from games.rules.records.record import Record
from games.rules.records.streams import split_records
from games.services.reports import Statement, add_report
from games.services.rulings import state_by_record
from tournament import queries
from tournament.models import Pairing, Tournament

MOST_RECORDS = 10_000
REASON = "from a file of records"


@dataclass(frozen=True, slots=True)
class Ruled:
    """A record of the file with the game it was put to, and what the ruling will hold."""

    line: int
    pairing: Pairing
    game: Game
    statement: Statement


def read_records(
    tournament: Tournament, text: str, progress: Progress = no_progress
) -> list[Ruled]:
    """Every record of a file, replayed, with its game.

    A record names its game by the tags `Round` and `Table` (the board's number), or by `First`
    and `Second` (with `Round` where two met twice), which outweigh `Table`. Raises
    Unprocessable with every record that is illegal, unfinished, of another game's conditions, of
    no game here or of one named before.
    """
    pairings = list(
        queries.current_pairings(tournament)
        .filter(kind=Pairing.Kind.GAME, game__isnull=False)
        .select_related("round", "game__first", "game__second")
    )
    of = max(1, text.count("\n"))
    errors = LineErrors()
    taken: dict[int, int] = {}
    read: list[Ruled] = []
    for count, (written, line) in enumerate(split_records(text), start=1):
        progress("verifying records, at line", min(line, of), of)
        if count > MOST_RECORDS:
            errors.add(line, "", f"at most {MOST_RECORDS} records at a time")
            break
        try:
            record = Record.read(RecordText(written, first_line=line))
            pairing = _meant(pairings, record)
            if taken.setdefault(pairing.pk, line) != line:
                raise LookupError(f"the same game as in line {taken[pairing.pk]}")
            game = _game(pairing)
            statement = state_by_record(game, record, record.replay())
        except RecordError as error:
            errors.add(error.line or line, "", error.detail, error.code)
        except LookupError as error:
            errors.add(line, "", str(error.args[0]), "no_such_game")
        except ApiError as refusal:
            errors.add(line, "", refusal.detail, refusal.code)
        else:
            read.append(Ruled(line, pairing, game, statement))
    errors.raise_if_any()
    return read


def save_records(
    records: Sequence[Ruled], *, by: Account, progress: Progress = no_progress
) -> list[dict[str, Any]]:
    """Take the arbiter's word for every record: a ruling that the record proves.

    Returns `line`, `game`, `round`, `board` and `digest` of each. Raises Unprocessable with every
    game that takes no ruling any more.
    """
    errors = LineErrors()
    with transaction.atomic():
        for count, one in enumerate(records):
            progress("writing rulings", count, len(records))
            try:
                add_report(one.game.pk, by, Report.Kind.RULING, one.statement, reason=REASON)
            except ApiError as refusal:
                errors.add(one.line, "", refusal.detail, refusal.code)
        errors.raise_if_any()
    return [
        {
            "line": one.line,
            "game": one.game.pk,
            "round": one.pairing.round.number,
            "board": one.pairing.board_number,
            "digest": one.statement.digest,
        }
        for one in records
    ]


def _game(pairing: Pairing) -> Game:
    if pairing.game is None:
        raise LookupError("the round of this game is not published")
    return pairing.game


def _meant(pairings: Iterable[Pairing], record: Record) -> Pairing:
    """The one pairing that the tags of a record fit; LookupError says what is wrong.

    Names that fit one game outweigh the number of a board, which may be another house's.
    """
    tags = record.tags
    table, first, second = tags.get("Table"), tags.get("First"), tags.get("Second")
    if not (table and tags.get("Round")) and not (first and second):
        raise LookupError("the record names no game: tags Round and Table, or First and Second")
    named_alike = [
        one
        for one in pairings
        if tags.get("Round") in (None, str(one.round.number))
        and first in (None, _game(one).first.name)
        and second in (None, _game(one).second.name)
    ]
    fitting = [one for one in named_alike if table in (None, str(one.board_number))]
    if not fitting and first and second:
        fitting = named_alike
    if len(fitting) != 1:
        named = ", ".join(
            f"{k} {tags[k]}" for k in ("Round", "Table", "First", "Second") if k in tags
        )
        many = f"{len(fitting)} games fit" if fitting else "no game here fits"
        raise LookupError(f"{many}: {named[:160]}")
    return fitting[0]
