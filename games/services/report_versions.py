"""Store reports: each is the next version of its game's, with a journal line and a settlement."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.core.broker import send_on_commit
from games.core.journal.lines import append_game_line
from games.core.journal.rows import changed_rows
from games.models import Account, Game, Report
from games.play.actions import find_state_conflicts
from games.queries import games_with_record
from games.quotas import check_quota
from games.rules.game_outcome import GameOutcome
from games.services.settlement import lock_game


@dataclass(frozen=True, slots=True)
class ReportStatement:
    """What a report states: an outcome and, where a record proves it, the record."""

    outcome: GameOutcome | None = None
    record: str = ""
    digest: str = ""


def add_report(
    game_id: int,
    by: Account | None,
    kind: Report.Kind,
    statement: ReportStatement | None = None,
    *,
    seat: str = "",
    device: Report.Device = Report.Device.DIRECTOR,
    confirms: Report | None = None,
    reason: str = "",
    dry_run: bool = False,
) -> Report:
    """Store the next version of a game's reports with a journal line, and send its settlement.

    A report that repeats the sender's last one is that one; nothing is written. A dry run returns
    a report that is not saved. Raises Conflict once the event is final or cancelled, to the two
    sides once the game is settled, and if a quota is reached.
    """
    statement = statement or ReportStatement()
    content = {
        "kind": kind,
        "device": device,
        "record": statement.record,
        "digest": statement.digest,
        "outcome": statement.outcome.as_json() if statement.outcome else {},
        "confirms": confirms,
        "reason": reason,
    }
    if dry_run:
        return _next_report(Game.objects.get(pk=game_id), by, seat, content)
    with transaction.atomic():
        game = lock_game(game_id)
        report = _next_report(game, by, seat, content)
        if report.pk is None:
            report.save()
            payload, rows = report_payload(report), changed_rows(report)
            append_game_line(game, f"report.{kind}", payload, by=by, rows=rows)
            if report.record:
                _flag_repeated_record(game, report)
            send_on_commit("games.tasks.settle_game", game.pk)
    return report


def _flag_repeated_record(game: Game, report: Report) -> None:
    """Append a journal line if another game has the same record: one of them may be a copy."""
    others = games_with_record(game, report.digest)
    if others:
        payload = {"game": game.pk, "version": report.version, "digest": report.digest}
        append_game_line(game, "record.repeated", payload | {"games": others}, by=None)


def report_payload(report: Report) -> dict[str, Any]:
    """Return the payload of the journal line of a report, which does not contain its record."""
    return {
        "kind": report.kind,
        "device": report.device,
        "digest": report.digest,
        "outcome": report.outcome,
        "confirms": report.confirms.version if report.confirms else None,
        "reason": report.reason,
        "game": report.game_id,
        "version": report.version,
        "seat": report.seat,
    }


def _next_report(game: Game, by: Account | None, seat: str, content: dict[str, Any]) -> Report:
    """Return a new report that is not saved, or the sender's last one that it repeats."""
    reports = list(game.reports.order_by("version"))
    for report in reports:
        report.game = game
    own = [report for report in reports if (report.by_id, report.seat) == (by and by.pk, seat)]
    if own and all(getattr(own[-1], name) == value for name, value in content.items()):
        return own[-1]
    adjourns = content["kind"] == Report.Kind.ADJOURNMENT
    for conflict in find_state_conflicts(game, by_side=bool(seat), adjourns=adjourns):
        raise conflict
    if by is not None and seat:
        check_quota("reports", len(own) + 1, by=by)
        records = [*(report.record for report in own), content["record"]]
        check_quota("record_bytes", sum(len(text.encode()) for text in records), by=by)
    version = reports[-1].version + 1 if reports else 1
    return Report(game=game, by=by, version=version, seat=seat, **content)
