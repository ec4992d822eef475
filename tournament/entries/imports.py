"""Import the entries of an event from a CSV file, all or nothing."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from rest_framework import serializers

from games.core.journal.lines import NewLine, append_lines
from games.core.journal.rows import changed_rows, combined
from games.core.limits import check_quota
from games.core.references import PlayerOfFile, player_reference
from games.core.requests import read_boolean
from games.core.uploads.cells import Column, integer_column, text_column
from games.core.uploads.lists import IN_BODY, CsvFile, Rows
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Player
from games.players.imports import (
    PLAYER_IMPORT_COLUMNS,
    full_name_of,
    look_alikes_of_new,
    match_rows,
    read_list,
)
from games.players.matching import MatchedPlayer, register_new_players
from games.players.serializers import LookAlikes, ReadFile
from games.rules.text import Text
from tournament.core.locking import lock_tournament
from tournament.core.queries import find_tournament, numbered_entries
from tournament.core.states import find_place_conflicts
from tournament.entries.byes import grant_missed_rounds
from tournament.entries.numbering import number_entries, preview_numbers
from tournament.entries.queries import OutdatedPapers, find_outdated_papers, outdated_papers
from tournament.entries.serializers import VALUES, EntryValuesSerializer
from tournament.entries.services import entry_payload, first_pairable_round
from tournament.entries.states import free_places, require_entering
from tournament.models import Entry, Tournament
from tournament.players.agreements import set_agreements


def column_of(value: Any) -> Column:
    """Return the column of a value of an entry, a whole number or a text."""
    is_number = isinstance(value, serializers.IntegerField)
    return integer_column(value.max_value) if is_number else text_column(value.max_length)


LEFT_OUT = "left_out"
"""What is done with a line whose state is another than accepted."""
WAITING = "waiting"
"""The parameter that puts the lines beyond the free places on the waiting list, and what is done
with such a line."""


def read_state(text: str) -> str:
    """Return a state of an entry, accepted if there is none; raises ValueError."""
    state = text.strip().lower() or Entry.State.ACCEPTED
    if state in Entry.State.values:
        return state
    detail = Text(
        "%(word)s is not a state of an entry (%(states)s); ignore this column if it is about"
        " something else",
        word=f"{text[:40]!r}",
        states=", ".join(Entry.State.values),
    )
    raise ValueError(detail)


COLUMNS: dict[str, Column] = (
    PLAYER_IMPORT_COLUMNS
    | {
        name: column_of(value)
        for name, value in EntryValuesSerializer().fields.items()
        if name not in PLAYER_IMPORT_COLUMNS
    }
    | {"number": text_column(40), "state": read_state}
)
"""Those of the table of entries (entries/tables.py), whose numbers say nothing about a new one."""


def read_entries(sent: SentFile, progress: Progress) -> CsvFile:
    """Read a CSV file of entries; raises as `read_list` does."""
    return read_list(sent, COLUMNS, progress, is_distinct=True, is_meant=_is_accepted)


def _is_accepted(line: Mapping[str, Any]) -> bool:
    return bool(line.get("state", Entry.State.ACCEPTED) == Entry.State.ACCEPTED)


def save_entries(sent: SentFile, file: CsvFile, progress: Progress) -> ImportResult:
    """Enter the players of a file whose state is accepted or empty, and register new ones.

    `games.players.matching` says which player a line means. Players who are already entered
    stay unchanged. The result has for each line `line`, `name`, `action` (`created`, `known`,
    `entered`, `waiting`, `left_out`) and `player`, and the papers that are out of date. Raises
    Conflict if the tournament accepts no entries, and Unprocessable with every invalid line.
    """
    tournament = lock_tournament(find_tournament(sent.stream))
    found = _match_lines(tournament, sent, file.rows, progress)
    register_new_players(found.matched, by=sent.by, stream=sent.stream, progress=progress)
    entries = _new_entries(tournament, found)
    if entries:
        progress(Text("entering players"), 0, len(entries))
        set_agreements(entries, by=sent.by)
        Entry.objects.bulk_create(entries)
        accepted = [entry for entry in entries if entry.state == Entry.State.ACCEPTED]
        rows = [changed_rows(entry) for entry in entries]
        if accepted and tournament.state == Tournament.State.RUNNING:
            progress(Text("numbering entries"), 0, len(entries))
            last = len(accepted) - 1  # those on the waiting list come after them
            rows[last] = combined(rows[last], number_entries(tournament))
            stored = numbered_entries(tournament).in_bulk()
            for entry in accepted:
                entry.pairing_number = stored[entry.pk].pairing_number
                entry.seed_rating = stored[entry.pk].seed_rating
        lines = [
            NewLine(f"entry.{entry.state}", entry_payload(entry), sent.by, changed)
            for entry, changed in zip(entries, rows, strict=True)
        ]
        append_lines(tournament.stream, lines)
        for entry in accepted:
            grant_missed_rounds(tournament, entry, by=sent.by)
    outdated = find_outdated_papers(tournament)
    return _result(file, found, outdated, new=entries, is_dry_run=False)


def preview_entries(sent: SentFile, file: CsvFile) -> ImportResult:
    """Return what `save_entries` would return, without the ids of what it would create."""
    tournament = find_tournament(sent.stream)
    found = _match_lines(tournament, sent, file.rows, no_progress)
    new = _new_entries(tournament, found)
    entries = [entry for entry in new if entry.state == Entry.State.ACCEPTED]
    if tournament.state == Tournament.State.RUNNING and entries:
        numbered = preview_numbers(tournament, entries)
        changed = [entry for entry in numbered if entry.printed_number != entry.pairing_number]
        outdated = outdated_papers(tournament, changed)
    else:
        outdated = find_outdated_papers(tournament)
    return _result(file, found, outdated, is_dry_run=True)


def _new_entries(tournament: Tournament, found: "MatchedLines") -> list[Entry]:
    """Return the entries of the players who are not entered, which are not saved.

    Those on the waiting list are the last ones.
    """
    waiting = found.waiting
    new = [
        (number in waiting, line, match.player)
        for (number, line), match in zip(found.rows, found.matched, strict=True)
        if match.player.pk not in found.entered
    ]
    return [
        Entry(
            tournament=tournament,
            ordinal=ordinal,
            player=player,
            seed_rating=_seed_rating(line, player),
            **(
                {"state": Entry.State.WAITING} if is_waiting else {"first_round": found.first_round}
            ),
            **{name: line[name] for name in VALUES if line.get(name)},
        )
        for ordinal, (is_waiting, line, player) in enumerate(new, start=len(found.entered) + 1)
    ]


def _result(
    file: CsvFile,
    found: "MatchedLines",
    outdated: OutdatedPapers,
    *,
    new: Sequence[Entry] = (),
    is_dry_run: bool,
) -> ImportResult:
    entries = {entry.player_id: entry.pk for entry in (*found.entered.values(), *new)}
    lines = found.as_json(file.rows, entries)
    body = {"dry_run": is_dry_run, **file.as_json(), "rows": lines, "outdated": outdated}
    return ImportResult(body)


ENTRIES_IMPORTER = Importer(
    task="tournament.tasks.import_entries",
    action="entries.edit",
    read=read_entries,
    save=save_entries,
    preview=preview_entries,
)


@dataclass(frozen=True, slots=True)
class MatchedLines:
    """The player of each line that enters one, who is entered already, and the next round."""

    rows: Rows
    matched: Sequence[MatchedPlayer]
    entered: Mapping[int, Entry]
    first_round: int
    free: int | None
    """The places for new entries, if the others go on the waiting list."""

    @property
    def waiting(self) -> Set[int]:
        """Return the numbers of the lines that go on the waiting list: those beyond the places."""
        if self.free is None:
            return set()
        lines = zip(self.rows, self.matched, strict=True)
        new = [number for (number, _), match in lines if match.player.pk not in self.entered]
        return set(new[self.free :])

    def as_json(self, lines: Rows, entries: Mapping[int, int]) -> list[dict[str, Any]]:
        """Return what is done with each line, with the id of its entry by the player.

        Players and entries that are not saved have none.
        """
        alike = look_alikes_of_new(self.matched)
        waiting = self.waiting
        found = {
            number: {
                "line": number,
                "id": entries.get(match.player.pk),
                "player": player_reference(match.player),
                "action": (
                    "entered"
                    if match.player.pk in self.entered
                    else WAITING
                    if number in waiting
                    else match.action
                ),
                "look_alikes": alike.get(match.player.name, []) if match.is_new else [],
                "differs": _differences(line, self.entered.get(match.player.pk)),
            }
            for (number, line), match in zip(self.rows, self.matched, strict=True)
        }
        return [found.get(number) or _left_out(number, line) for number, line in lines]


def _left_out(number: int, line: dict[str, Any]) -> dict[str, Any]:
    """Return a line that enters nobody; no player is looked for."""
    player = {"id": None, "name": full_name_of(line), "country": None, "club": None}
    left_out = {"line": number, "id": None, "player": player, "action": LEFT_OUT}
    return {**left_out, "look_alikes": [], "differs": []}


def _differences(line: Mapping[str, Any], entry: Entry | None) -> list[str]:
    """Return the columns of a line with other values than the entry of its player has."""
    if entry is None:
        return []
    stored = {name: getattr(entry, name) for name in ("seed_rating", *VALUES)}
    stored |= {"country": entry.player.country, "club": entry.club or entry.player.club}
    return [name for name, value in stored.items() if line.get(name) not in (None, "", value)]


def _match_lines(
    tournament: Tournament, sent: SentFile, lines: Rows, progress: Progress
) -> MatchedLines:
    """Find the players of the lines; raises Conflict and Unprocessable, and writes nothing."""
    by, may_wait = sent.by, read_boolean(WAITING, sent.parameters.get(WAITING, "0"))
    require_entering(tournament, may_wait=may_wait)
    first_round = first_pairable_round(tournament)
    lines = [(number, line) for number, line in lines if _is_accepted(line)]
    matched = match_rows(lines, by=by, is_distinct=True, progress=progress)
    entries = tournament.entries.select_related("player")
    entered = {entry.player_id: entry for entry in entries}
    new = sum(1 for match in matched if match.player.pk not in entered)
    if new:
        check_quota("entries", len(entered) + new, by=by)
        for conflict in () if may_wait else find_place_conflicts(tournament, new):
            raise conflict
    free = free_places(tournament) if may_wait else None
    return MatchedLines(lines, matched, entered, first_round, free)


def _seed_rating(line: dict[str, Any], player: Player) -> int:
    rating = line.get("seed_rating")
    if IN_BODY in line and "seed_rating" in line:  # null: unrated, as in a single entry
        rating = rating or 0
    return int((player.seed_rating if rating is None else rating) or 0)


class ImportedEntry(TypedDict):
    line: int
    id: Annotated[int | None, "of the entry; null in a dry run that would make it"]
    player: PlayerOfFile
    action: Annotated[
        str,
        "created: a new player; known: registered before; entered: already in the tournament;"
        " waiting: put on the waiting list; left_out: the state of the line is not accepted",
    ]
    look_alikes: LookAlikes
    differs: Annotated[
        list[str],
        "columns with other values than the entry of the player has, which stays as it is",
    ]


class ImportedEntries(ReadFile):
    dry_run: bool
    rows: list[ImportedEntry]
    outdated: Annotated[OutdatedPapers, "after the import"]
