"""The kinds of files that make an event or go into one: how each is read and saved."""

from dataclasses import replace
from typing import Any

from games.imports.csv import decode_text
from games.imports.progress import Progress
from games.imports.uploads import Answer, Import, Sent
from games.services.players import told_lines
from tournament import queries
from tournament.imports.bundle import Bundle, read_bundle, save_bundle
from tournament.imports.entries import Lines, read_entries, save_entries
from tournament.imports.records import Ruled, read_records, save_records
from tournament.imports.trf import ReadReport, compare_report, read_report, save_report
from tournament.models import Tournament
from tournament.serializers.imports import ReportSetUp
from tournament.serializers.tournaments import TournamentSerializer

KIBIBYTE = 1024


def _read_entries(sent: Sent, progress: Progress) -> Lines:
    return read_entries(sent.content, progress)


def _save_entries(sent: Sent, lines: Lines, progress: Progress) -> Answer:
    tournament = queries.find_tournament(sent.stream)
    done = save_entries(tournament, lines, by=sent.by, progress=progress)
    return Answer({"dry_run": sent.dry_run, "lines": told_lines(done, dry_run=sent.dry_run)})


ENTRIES = Import(
    task="tournament.tasks.import_entries",
    action="entries.edit",
    read=_read_entries,
    save=_save_entries,
)


def _read_records(sent: Sent, progress: Progress) -> list[Ruled]:
    return read_records(queries.find_tournament(sent.stream), decode_text(sent.content), progress)


def _save_records(sent: Sent, records: list[Ruled], progress: Progress) -> Answer:
    done = save_records(records, by=sent.by, progress=progress)
    return Answer({"dry_run": sent.dry_run, "records": done})


RECORDS = Import(
    task="tournament.tasks.import_records",
    action="game.rule",
    read=_read_records,
    save=_save_records,
)


def _read_report(sent: Sent, progress: Progress) -> ReadReport:
    set_up = ReportSetUp(data=sent.parameters)
    set_up.is_valid(raise_exception=True)
    return read_report(sent.content, set_up.validated_data, progress)


def _save_report(sent: Sent, read: ReadReport, progress: Progress) -> Answer:
    tournament, players, left_out = save_report(read, by=sent.by, progress=progress)
    body = {
        "dry_run": sent.dry_run,
        "tournament": tournament.slug,
        "state": tournament.state,
        "players": told_lines(players, dry_run=sent.dry_run),
        "rounds": [],
        "ranks": [],
        "left_out": left_out,
    }
    return Answer(body, f"/api/v1/tournaments/{tournament.slug}")


def _compare_report(_: Sent, read: ReadReport, answer: Answer, progress: Progress) -> Answer:
    tournament = Tournament.objects.get(slug=answer.body["tournament"])
    rounds, ranks = compare_report(read, tournament, progress)
    return replace(answer, body={**answer.body, "rounds": rounds, "ranks": ranks})


REPORT = Import(
    task="tournament.tasks.import_report",
    action="tournament.create",
    read=_read_report,
    save=_save_report,
    complete=_compare_report,
    at_once=16 * KIBIBYTE,
)


def _read_bundle(sent: Sent, progress: Progress) -> Bundle:
    return read_bundle(sent.content, progress)


def _save_bundle(sent: Sent, bundle: Bundle, progress: Progress) -> Answer:
    made = save_bundle(bundle, by=sent.by, progress=progress)
    shown: dict[str, Any] = dict(TournamentSerializer(made).data)
    return Answer(shown, f"/api/v1/tournaments/{made.slug}")


BUNDLE = Import(
    task="tournament.tasks.import_bundle",
    action="bundle.import",
    read=_read_bundle,
    save=_save_bundle,
    at_once=64 * KIBIBYTE,
)
