"""Many records of an event in one file, each put to its game, all or nothing."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from games.csv_lines import Faults
from games.errors import Refusal
from games.models import Account, Game
from games.rules.errors import RecordError
from games.rules.notation import RecordText
from games.rules.record import Record
from games.rules.streams import split_records
from games.services.rulings import rule_game
from tournament import queries
from tournament.models import Pairing, Tournament

MOST_RECORDS = 10_000
REASON = "from a file of records"


def import_records(tournament: Tournament, text: str, *, by: Account) -> list[dict[str, Any]]:
    """Take the arbiter's word for every record of a file: a ruling that the record proves.

    A record names its game by the tags `Round` and `Table` (the board's number), or by `First`
    and `Second` (with `Round` where two met twice). Returns `line`, `game`, `round`, `board` and
    `digest` of each. Raises Unprocessable with every record that is illegal, unfinished, of
    another game's conditions, of no game here or of one named before; nothing is imported then.
    """
    faults = Faults()
    taken: dict[int, int] = {}
    done: list[dict[str, Any]] = []
    with transaction.atomic():
        found = list(
            queries.current_pairings(tournament)
            .filter(kind=Pairing.Kind.GAME, game__isnull=False)
            .select_related("round", "game__first", "game__second")
        )
        for count, (written, line) in enumerate(split_records(text), start=1):
            if count > MOST_RECORDS:
                faults.add(line, "", f"at most {MOST_RECORDS} records at a time")
                break
            try:
                record = Record.read(RecordText(written, first_line=line))
                pairing = _meant(found, record)
                if taken.setdefault(pairing.pk, line) != line:
                    raise LookupError(f"the same game as in line {taken[pairing.pk]}")
                game = _game(pairing)
                report = rule_game(game, by=by, reason=REASON, record=written)
            except RecordError as error:
                faults.add(error.line or line, "", error.detail, error.code)
            except LookupError as error:
                faults.add(line, "", str(error.args[0]), "no_such_game")
            except Refusal as refusal:
                faults.add(line, "", refusal.detail, refusal.code)
            else:
                done.append(
                    {
                        "line": line,
                        "game": game.pk,
                        "round": pairing.round.number,
                        "board": pairing.board_number,
                        "digest": report.digest,
                    }
                )
        faults.refuse()
    return done


def _game(pairing: Pairing) -> Game:
    if pairing.game is None:
        raise LookupError("the round of this game is not published")
    return pairing.game


def _meant(pairings: Iterable[Pairing], record: Record) -> Pairing:
    """The one pairing that the tags of a record fit; LookupError says what is wrong."""
    tags = record.tags
    table, first, second = tags.get("Table"), tags.get("First"), tags.get("Second")
    if not (table and tags.get("Round")) and not (first and second):
        raise LookupError("the record names no game: tags Round and Table, or First and Second")
    fitting = [
        one
        for one in pairings
        if tags.get("Round") in (None, str(one.round.number))
        and table in (None, str(one.board_number))
        and first in (None, _game(one).first.name)
        and second in (None, _game(one).second.name)
    ]
    if len(fitting) != 1:
        named = ", ".join(
            f"{k} {tags[k]}" for k in ("Round", "Table", "First", "Second") if k in tags
        )
        many = f"{len(fitting)} games fit" if fitting else "no game here fits"
        raise LookupError(f"{many}: {named[:160]}")
    return fitting[0]
