"""Import a TRF16 or TRF26 file as a new tournament, all or nothing.

The results are rulings: no record proves them. The engine pairs every round again, and the answer
lists the differences; since other programs and arbiters decide differently, they reject nothing.
`left_out` names what the file contains and the service cannot store.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core.errors import BadRequest, Unprocessable
from games.core.journal.lines import append_line
from games.core.requests import validated
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.players.matching import MatchedPlayer, register_new_players
from games.quotas import check_quota
from games.rules.text import Text
from tournament import queries
from tournament.events.services import build_tournament, create_tournament
from tournament.exchange.serializers import TrfSettingsSerializer
from tournament.exchange.trf_settings import (
    TrfSystem,
    find_system,
    separations_as_json,
    tournament_settings,
    unsupported_content,
)
from tournament.imports.trf.comparison import compare_ranks, compare_rounds
from tournament.imports.trf.entries import ChosenPlayers, build_entries, match_trf_players
from tournament.imports.trf.preview import preview_crosstable
from tournament.imports.trf.rounds import create_rounds
from tournament.models import Bye, Entry, Tournament
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS
from tournament.queries.event_rows import imported_rows
from tournament.services.entry_payloads import entry_payload
from tournament.snapshots.creation import take_snapshots
from tournament.standings.crosstable import Crosstable, Kind
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

TRF_BYES = {
    Kind.HALF_BYE: Bye.Kind.HALF,
    Kind.ZERO_BYE: Bye.Kind.ZERO,
    Kind.FULL_BYE: Bye.Kind.FULL,
}
TRF_IMPORT_REASON = "imported from a TRF file"


@dataclass(frozen=True, slots=True)
class TrfImport:
    """A parsed file with the settings of its tournament; nothing is saved yet."""

    document: TrfFile
    system: TrfSystem
    settings: Mapping[str, Any]
    left_out: tuple[str, ...]
    digest: str
    chosen_players: ChosenPlayers

    @property
    def state(self) -> Tournament.State:
        """Return the state of the imported tournament."""
        table = self.document.crosstable
        is_finished = table.completed == table.rounds and not self.document.open_pairings
        return Tournament.State.REVIEW if is_finished else Tournament.State.RUNNING


def prepare_trf(sent: SentFile, progress: Progress) -> TrfImport:
    """Parse a file; the parameters (game, board, system, ...) replace and complete its settings.

    Raises Unprocessable with line and column for a file that is invalid or contradicts itself,
    and for a tournament without dates.
    """
    progress(Text("reading the file"), 0, 1)
    parameters = validated(TrfSettingsSerializer, dict(sent.parameters))
    chosen_players = parameters.pop("players", {})
    document = _parse(sent.content)
    left_out = list(unsupported_content(document))
    system = find_system(document, parameters.get("system", ""), left_out)
    settings = tournament_settings(document, system.code, left_out) | parameters
    if not {"starts_on", "ends_on"} <= settings.keys():
        raise Unprocessable(
            "dates_needed",
            Text("the file contains no dates (records 042, 052); send starts_on and ends_on"),
        )
    digest = hashlib.sha256(sent.content).hexdigest()
    return TrfImport(document, system, settings, tuple(left_out), digest, chosen_players)


def save_trf(sent: SentFile, trf: TrfImport, progress: Progress) -> ImportResult:
    """Create the tournament; raises Unprocessable for bad settings, Conflict for a taken slug."""
    document, left_out = trf.document, list(trf.left_out)
    table = document.crosstable
    check_quota("entries", len(table.players), by=sent.by)
    matched = match_trf_players(table.players, trf.chosen_players, progress)
    register_new_players(matched, by=sent.by, progress=progress)
    ids = {row.number: found.player.pk for row, found in zip(table.players, matched, strict=True)}
    separations = separations_as_json(document, trf.system.code, ids, left_out)
    tournament = create_tournament(by=sent.by, **{"separations": separations, **trf.settings})
    progress(Text("entering players"), 0, len(matched))
    entries = build_entries(tournament, table.players, matched, trf.system)
    Entry.objects.bulk_create(list(entries.values()))
    rounds = create_rounds(
        tournament, document, entries, by=sent.by, reason=TRF_IMPORT_REASON, progress=progress
    )
    byes = [
        Bye(
            tournament=tournament,
            entry=entries[bye.player],
            round=bye.round,
            kind=TRF_BYES[bye.kind],
            reason=TRF_IMPORT_REASON,
        )
        for bye in document.byes
        if bye.kind in TRF_BYES
    ]
    Bye.objects.bulk_create(byes)
    tournament.state = trf.state
    tournament.save(update_fields=["state"])
    payload = {
        "file": f"sha256:{trf.digest}",
        "entries": [entry_payload(entry) for entry in entries.values()],
        "byes": [[bye.entry_id, bye.round, bye.kind] for bye in byes],
        "rounds": rounds,
        "reason": TRF_IMPORT_REASON,
        "state": tournament.state,
        "standings": [snapshot.digest for snapshot in take_snapshots(tournament, progress)],
    }
    rows = imported_rows(tournament)
    append_line(tournament.stream, "tournament.imported", payload, by=sent.by, rows=rows)
    return _result(sent, trf, tournament, matched, left_out)


def compare_trf(
    _: SentFile, trf: TrfImport, result: ImportResult, progress: Progress
) -> ImportResult:
    """Add the differing rounds and ranks to the result."""
    tournament = Tournament.objects.get(slug=result.body["tournament"])
    return _compare(trf, result, tournament, queries.load_crosstable(tournament), progress)


def preview_trf(sent: SentFile, trf: TrfImport) -> ImportResult:
    """Return what the import would return.

    No row is written: the crosstable is computed from the rows that the import would store.
    """
    document, left_out = trf.document, list(trf.left_out)
    players = document.crosstable.players
    check_quota("entries", len(players), by=sent.by)
    matched = match_trf_players(players, trf.chosen_players, no_progress)
    numbers = {player.number: player.number for player in players}  # new players have no ids
    separations_as_json(document, trf.system.code, numbers, left_out)
    tournament = build_tournament(by=sent.by, **trf.settings)
    entries = build_entries(tournament, players, matched, trf.system)
    table = preview_crosstable(tournament, document, entries, by=sent.by)
    result = _result(sent, trf, tournament, matched, left_out)
    return _compare(trf, result, tournament, table, no_progress)


def _result(
    sent: SentFile,
    trf: TrfImport,
    tournament: Tournament,
    matched: Sequence[MatchedPlayer],
    left_out: Sequence[str],
) -> ImportResult:
    """Return the result without the differences; a player who is not saved has no id."""
    players = [
        {
            "number": player.number,
            "name": player.name,
            "action": found.action,
            "player": found.player.pk,
        }
        for player, found in zip(trf.document.crosstable.players, matched, strict=True)
    ]
    body = {
        "dry_run": sent.dry_run,
        "tournament": tournament.slug,
        "state": trf.state,
        "players": players,
        "rounds": [],
        "ranks": [],
        "left_out": left_out,
    }
    return ImportResult(body, f"/api/v1/tournaments/{tournament.slug}")


def _compare(
    trf: TrfImport,
    result: ImportResult,
    tournament: Tournament,
    table: Crosstable,
    progress: Progress,
) -> ImportResult:
    """Add the differences of a file from the stored crosstable, without using the database."""
    rounds = compare_rounds(trf.document, tournament, table, progress)
    progress(Text("comparing ranks"), 0, 1)
    ranks = compare_ranks(trf.document, tournament, table)
    return replace(result, body=result.body | {"rounds": rounds, "ranks": ranks})


TRF_IMPORTER = Importer(
    task="tournament.tasks.import_trf",
    action="tournament.create",
    read=prepare_trf,
    save=save_trf,
    preview=preview_trf,
    complete=compare_trf,
    max_sync_size=16 * 1024,
)


def _parse(content: bytes) -> TrfFile:
    if b"\0" in content:
        raise BadRequest("nul_byte", Text("the file contains a NUL byte; it is not a TRF file"))
    try:
        document = read_trf(content)
        if not 1 <= document.crosstable.rounds <= MOST_TOURNAMENT_ROUNDS:
            detail = Text("a tournament of %(rounds)s rounds", rounds=document.crosstable.rounds)
            raise TrfError(
                detail,
                1,
                1,
                Text("1 to %(most)s, from record XXR or 142", most=MOST_TOURNAMENT_ROUNDS),
            )
    except TrfError as error:
        fault = {
            "code": "invalid_trf",
            "line": error.line,
            "column": error.column,
            "detail": str(error),
        }
        raise Unprocessable(
            "invalid_trf", Text("%(detail)s; nothing was imported", detail=error), [fault]
        ) from error
    return document
