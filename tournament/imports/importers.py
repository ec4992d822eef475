"""The imports of this app: how each kind of file is read and saved."""

from dataclasses import replace
from typing import Any

from games.imports.csv import decode_text
from games.imports.progress import Progress
from games.imports.uploads import Importer, ImportResult, SentFile
from games.services.players import lines_as_json
from tournament import queries
from tournament.imports.bundle import Bundle, read_bundle, save_bundle
from tournament.imports.entries import Lines, read_entries, save_entries
from tournament.imports.records import RecordImport, read_records, save_records
from tournament.imports.trf import TrfImport, compare_trf, prepare_trf, save_trf
from tournament.models import Tournament
from tournament.serializers.imports import TrfSettingsSerializer
from tournament.serializers.tournaments import TournamentSerializer

KIBIBYTE = 1024


def _read_entries(sent: SentFile, progress: Progress) -> Lines:
    return read_entries(sent.content, progress)


def _save_entries(sent: SentFile, lines: Lines, progress: Progress) -> ImportResult:
    tournament = queries.find_tournament(sent.stream)
    done = save_entries(tournament, lines, by=sent.by, progress=progress)
    return ImportResult(
        {"dry_run": sent.dry_run, "lines": lines_as_json(done, dry_run=sent.dry_run)}
    )


ENTRIES = Importer(
    task="tournament.tasks.import_entries",
    action="entries.edit",
    read=_read_entries,
    save=_save_entries,
)


def _read_records(sent: SentFile, progress: Progress) -> list[RecordImport]:
    return read_records(queries.find_tournament(sent.stream), decode_text(sent.content), progress)


def _save_records(sent: SentFile, records: list[RecordImport], progress: Progress) -> ImportResult:
    done = save_records(records, by=sent.by, progress=progress)
    return ImportResult({"dry_run": sent.dry_run, "records": done})


RECORDS = Importer(
    task="tournament.tasks.import_records",
    action="game.rule",
    read=_read_records,
    save=_save_records,
)


def _read_trf(sent: SentFile, progress: Progress) -> TrfImport:
    settings = TrfSettingsSerializer(data=sent.parameters)
    settings.is_valid(raise_exception=True)
    return prepare_trf(sent.content, settings.validated_data, progress)


def _save_trf(sent: SentFile, trf: TrfImport, progress: Progress) -> ImportResult:
    tournament, players, left_out = save_trf(trf, by=sent.by, progress=progress)
    body = {
        "dry_run": sent.dry_run,
        "tournament": tournament.slug,
        "state": tournament.state,
        "players": lines_as_json(players, dry_run=sent.dry_run),
        "rounds": [],
        "ranks": [],
        "left_out": left_out,
    }
    return ImportResult(body, f"/api/v1/tournaments/{tournament.slug}")


def _compare_trf(
    _: SentFile, trf: TrfImport, answer: ImportResult, progress: Progress
) -> ImportResult:
    tournament = Tournament.objects.get(slug=answer.body["tournament"])
    rounds, ranks = compare_trf(trf, tournament, progress)
    return replace(answer, body={**answer.body, "rounds": rounds, "ranks": ranks})


TRF = Importer(
    task="tournament.tasks.import_trf",
    action="tournament.create",
    read=_read_trf,
    save=_save_trf,
    complete=_compare_trf,
    max_sync_size=16 * KIBIBYTE,
)


def _read_bundle(sent: SentFile, progress: Progress) -> Bundle:
    return read_bundle(sent.content, progress)


def _save_bundle(sent: SentFile, bundle: Bundle, progress: Progress) -> ImportResult:
    tournament = save_bundle(bundle, by=sent.by, progress=progress)
    body: dict[str, Any] = dict(TournamentSerializer(tournament).data)
    return ImportResult(body, f"/api/v1/tournaments/{tournament.slug}")


BUNDLE = Importer(
    task="tournament.tasks.import_bundle",
    action="bundle.import",
    read=_read_bundle,
    save=_save_bundle,
    max_sync_size=64 * KIBIBYTE,
)
