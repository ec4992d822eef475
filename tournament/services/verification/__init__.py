"""Compare a tournament with its journal: settings, entries, byes, rounds, pairings, games, results.

| kind | key | lines |
|---|---|---|
| tournament | none | tournament.* |
| entry | id | entry.*, entries.imported, tournament.running (numbers and lots) |
| bye | entry, round | bye.granted, bye.cancelled |
| round | number | round.*, tournament.running, tournament.final, tournament.reopened |
| pairing | round, version, first entry | round.paired, round.set_by_hand, round.published |
| game | id | round.published, round.unpaired, round.restored, game.* |
| report | game, version | report.* |
| correction | number | correction.committed, which also changes byes and what counts of pairings |

`tournament.imported` lists all rows of a TRF file.
"""

from typing import Any

from django.db.models import QuerySet

from games.journal import load_lines
from games.models import Game, JournalLine
from games.services.verification import (
    JournalledRows,
    Rows,
    add_game_line,
    find_differences,
    read_journal,
    stored_games,
)
from tournament.models import Bye, Correction, Entry, Pairing, Round, Tournament
from tournament.services.entry_payloads import entry_payload
from tournament.services.setup import MOST_TOURNAMENT_ROUNDS, SETTINGS, settings_payload
from tournament.services.verification.imported_rounds import add_imported_round
from tournament.services.verification.rounds import (
    NEW_ROUND,
    NO_AWARD,
    NO_HANDICAP,
    Payload,
    add_correction_line,
    add_round,
    add_round_line,
)

State = Tournament.State
NO_PERSONAL_DATA = {"birth_year": None, "sex": "", "category": "", "club": ""}

EDITABLE_ENTRY_FIELDS = (
    "seed_rating", "lot", "first_round", "last_round", "checked_in_round", *NO_PERSONAL_DATA,
)  # fmt: skip


def verify_tournament(stream: str) -> list[str]:
    """Return a sentence for each difference between the rows of a tournament and its journal."""
    journalled, errors = replay_tournament(stream)
    tournament = Tournament.objects.filter(slug=stream.removeprefix("tournament/")).first()
    stored = _stored_rows(tournament) if tournament else {}
    return [*errors, *find_differences(journalled, stored)]


def replay_tournament(stream: str) -> tuple[JournalledRows, list[str]]:
    """Return the rows that the journal of a tournament describes, and what it does not contain."""
    return read_journal(load_lines(stream), _add_line)


def _add_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    family = line.kind.partition(".")[0]
    if family in _ADD_LINE:
        _ADD_LINE[family](rows, line, payload)


def _add_tournament_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    word = line.kind.partition(".")[2]
    if word in ("created", "edited"):
        settings = {name: payload[name] for name in SETTINGS if name in payload}
        rows.set(line, "tournament", "", **settings)
        last = settings.get("rounds", MOST_TOURNAMENT_ROUNDS)
        for number in [key for key in rows.of("round") if key > last]:
            rows.remove("round", number)
        for key in [key for key in rows.of("pairing") if key[0] > last]:
            rows.remove("pairing", key)
        for key in [key for key in rows.of("bye") if key[1] > last]:
            rows.remove("bye", key)
        if "rounds" in settings and rows.rows["tournament"][""].get("state") == State.RUNNING:
            for number in range(1, last + 1):
                add_round(rows, line, number)
    state = Tournament.State.DRAFT if word == "created" else payload.get("state")
    if state:
        rows.set(line, "tournament", "", state=state)
    if word == Tournament.State.RUNNING:
        for entry, number, lot, rating in payload["numbers"]:
            rows.set(line, "entry", entry, pairing_number=number, lot=lot, seed_rating=rating)
        rows.set(line, "tournament", "", handicap_table=payload["handicap_table"])
        for number in range(1, rows.rows["tournament"][""]["rounds"] + 1):
            add_round(rows, line, number)
    elif word == Tournament.State.FINAL:
        for number in rows.of("round"):
            rows.set(line, "round", number, state=Round.State.LOCKED)
    elif word == "reopened":
        for number in rows.of("round"):
            rows.set(line, "round", number, state=Round.State.COMPLETE)
    elif word == "imported":
        for entry in payload["entries"]:
            _set_entry(rows, line, entry)
        for entry, number, kind in payload["byes"]:
            rows.set(line, "bye", (entry, number), kind=kind, reason=payload["reason"])
        for imported in payload["rounds"]:
            add_imported_round(rows, line, imported, payload["reason"])


def _add_entry_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    word = line.kind.partition(".")[2]
    if word == "imported":
        for entry in sorted(payload["entries"], key=lambda entry: entry["pairing_number"] or 0):
            _set_entry(rows, line, entry)
    elif word in ("edited", "checked_in", "checked_out"):
        columns = {name: payload[name] for name in EDITABLE_ENTRY_FIELDS if name in payload}
        rows.set(line, "entry", payload["entry"], **columns)
        for entry, number in payload.get("numbers", ()):
            rows.set(line, "entry", entry, pairing_number=number)
    elif word != "consented":  # its time is not compared
        _set_entry(rows, line, payload)


def _set_entry(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    """Set an entry; a late one moves the pairing numbers from its own on by one."""
    entry, number = payload["entry"], payload["pairing_number"]
    entries = rows.rows.setdefault("entry", {})
    known = entries.get(entry, NO_PERSONAL_DATA | {"pairing_number": None})
    if number is not None and known["pairing_number"] is None:
        for other in entries.values():
            if other["pairing_number"] is not None and other["pairing_number"] >= number:
                other["pairing_number"] += 1
    names = (
        "player", "state", "seed_rating", "pairing_number", "lot", "first_round", "last_round",
        "checked_in_round", *NO_PERSONAL_DATA,
    )  # fmt: skip
    columns = {name: payload.get(name, known.get(name)) for name in names}
    rows.set(line, "entry", entry, **columns)


def _add_bye_line(rows: JournalledRows, line: JournalLine, payload: Payload) -> None:
    key = payload["entry"], payload["round"]
    if line.kind == "bye.cancelled":
        rows.remove("bye", key)
    else:
        rows.set(line, "bye", key, kind=payload["kind"], reason=payload["reason"])


_ADD_LINE = {
    "tournament": _add_tournament_line,
    "entry": _add_entry_line,
    "entries": _add_entry_line,
    "bye": _add_bye_line,
    "round": add_round_line,
    "report": add_game_line,
    "game": add_game_line,
    "correction": add_correction_line,
}
"""By the first word of the kind of a line."""


def _stored_rows(tournament: Tournament) -> Rows:
    """Return the rows of a tournament, as stored."""
    settings = settings_payload(tournament) | {"state": tournament.state}
    return {
        "tournament": {"": settings},
        "entry": {entry.pk: _entry_row(entry) for entry in tournament.entries.all()},
        "bye": {
            (bye.entry_id, bye.round): {"kind": bye.kind, "reason": bye.reason}
            for bye in Bye.objects.filter(tournament=tournament)
        },
        "round": {
            row.number: {
                **{name: getattr(row, name) for name in NEW_ROUND},
                "starts_on": row.starts_on.isoformat() if row.starts_on else None,
                "start_time": row.start_time.isoformat() if row.start_time else None,
            }
            for row in tournament.round_set.all()
        },
        "pairing": _stored_pairings(tournament.pairings.all()),
        "correction": {
            row.number: {
                "scope": row.scope,
                "reason": row.reason,
                "undoes": row.undoes.number if row.undoes else None,
            }
            for row in Correction.objects.filter(tournament=tournament).select_related("undoes")
        },
        **stored_games(Game.objects.filter(stream=tournament.stream)),
    }


def _entry_row(entry: Entry) -> dict[str, Any]:
    personal = {name: getattr(entry, name) for name in NO_PERSONAL_DATA}
    return entry_payload(entry) | personal


def _stored_pairings(pairings: "QuerySet[Pairing]") -> dict[Any, dict[str, Any]]:
    names = (
        "board_number", "second_id", "kind", "game_id", "return_game_id", *NO_AWARD, *NO_HANDICAP,
    )  # fmt: skip
    rows = pairings.values("round__number", "version", "first_id", *names)
    return {
        (row["round__number"], row["version"], row["first_id"]): {name: row[name] for name in names}
        for row in rows
    }
