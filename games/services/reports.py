"""Reports: the two sides of a game send records and claims, confirm and dispute.

A report is read, replayed and compared with the game's conditions before a row is written. It is
stored as a new version and settled by a task. A dry run returns the report without storing it.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.accounts.permissions import may
from games.broker import send_on_commit
from games.http.errors import Conflict, Forbidden, Unprocessable
from games.journal import append_game_line
from games.models import Account, Game, Report, Token
from games.queries import games_with_record
from games.quotas import check_quota
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from games.rules.records.verdict import State
from games.services.actions import (
    find_report_of_other_side,
    find_state_conflicts,
    nothing_to_answer,
)
from games.services.outcomes import check_conditions, claimed_outcome, read_record
from games.services.rejections import journal_rejected_record


@dataclass(frozen=True, slots=True)
class Statement:
    """What a report states: an outcome and, where a record proves it, the record."""

    outcome: GameOutcome | None = None
    record: str = ""
    digest: str = ""


def seat_of(game: Game, by: Account, seat: str | None = None) -> str:
    """Return the seat that the account reports for; raises Forbidden if it holds none."""
    seats = game.seats_of(by)
    if seat is not None and seat not in seats:
        raise Forbidden("not_your_game", f"you do not hold the {seat} seat of game {game.pk}")
    if not seats:
        raise Forbidden("not_your_game", f"you hold no seat of game {game.pk}")
    return seat or seats[0]


def check_not_closed(game: Game) -> None:
    """Raise Conflict if the event of a game is final or cancelled, or its pairing withdrawn."""
    for conflict in find_state_conflicts(game, by_side=False):
        raise conflict


def device_of(game: Game, by: Account, token: Token | None) -> Report.Device:
    """Return whose device sends a report with this token.

    It is a director's if somebody else issued the token, as directors do for players without a
    login, and if the account may rule the game itself.
    """
    if token is not None and token.issued_by_other:
        return Report.Device.DIRECTOR
    may_rule = may(by, None, "game.rule", stream=game.role_stream)
    return Report.Device.DIRECTOR if may_rule else Report.Device.PLAYER


def add_report(
    game_id: int,
    by: Account | None,
    kind: Report.Kind,
    statement: Statement | None = None,
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
    statement = statement or Statement()
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
        game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
        report = _next_report(game, by, seat, content)
        if report.pk is None:
            report.save()
            append_game_line(game, f"report.{kind}", report_payload(report), by=by)
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
    own = [report for report in reports if (report.by_id, report.seat) == (by and by.pk, seat)]
    if own and all(getattr(own[-1], name) == value for name, value in content.items()):
        return own[-1]
    for conflict in find_state_conflicts(game, by_side=bool(seat)):
        raise conflict
    if by is not None and seat:
        check_quota("reports", len(own) + 1, by=by)
        records = [*(report.record for report in own), content["record"]]
        check_quota("record_bytes", sum(len(text.encode()) for text in records), by=by)
    version = reports[-1].version + 1 if reports else 1
    return Report(game=game, by=by, version=version, seat=seat, **content)


def submit_record(
    game: Game,
    content: str | dict[str, Any],
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
    dry_run: bool = False,
) -> Report:
    """Report one's own game by its record.

    Raises Forbidden (not the account's game), Conflict (already settled) and Unprocessable with
    the referee's ply, move, cell and code; a rejected record leaves one journal line, except in a
    dry run.
    """
    seat = seat_of(game, by, seat)
    try:
        record, verdict = read_record(content)
    except Unprocessable as error:
        if not dry_run:
            journal_rejected_record(game, seat, content, error, by=by)
        raise
    check_conditions(game, record)
    if verdict.state is not State.FINISHED:
        raise Unprocessable(
            "record_unfinished",
            "the record proves no result; end it with `agreed` and the score, `resign` or"
            " `time`, or send a claim instead",
        )
    statement = Statement(GameOutcome.from_verdict(verdict), str(record), verdict.digest or "")
    device = device_of(game, by, token)
    return add_report(
        game.pk, by, Report.Kind.RECORD, statement, seat=seat, device=device, dry_run=dry_run
    )


def submit_claim(
    game: Game,
    result: str,
    termination: Termination,
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
    dry_run: bool = False,
) -> Report:
    """Report the result of one's own game without a record."""
    seat = seat_of(game, by, seat)
    statement = Statement(claimed_outcome(game, result, termination))
    device = device_of(game, by, token)
    return add_report(
        game.pk, by, Report.Kind.CLAIM, statement, seat=seat, device=device, dry_run=dry_run
    )


def confirm(
    game: Game,
    *,
    by: Account,
    token: Token | None = None,
    version: int | None = None,
    seat: str | None = None,
    dry_run: bool = False,
) -> Report:
    """Confirm the other side's last report, which must still be that `version`."""
    seat = seat_of(game, by, seat)
    report = _last_report_of_other_side(game, seat)
    if version is not None and version != report.version:
        raise Conflict(
            "report_superseded",
            f"report {version} is not the other side's last report; that is {report.version}",
        )
    statement = Statement(GameOutcome.from_json(report.outcome), digest=report.digest)
    return add_report(
        game.pk,
        by,
        Report.Kind.CONFIRMATION,
        statement,
        seat=seat,
        device=device_of(game, by, token),
        confirms=report,
        dry_run=dry_run,
    )


def dispute(
    game: Game,
    reason: str,
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
    dry_run: bool = False,
) -> Report:
    """Dispute the other side's last report, with a reason; the directors see it."""
    seat = seat_of(game, by, seat)
    _last_report_of_other_side(game, seat)
    device = device_of(game, by, token)
    return add_report(
        game.pk,
        by,
        Report.Kind.DISPUTE,
        seat=seat,
        device=device,
        reason=reason,
        dry_run=dry_run,
    )


def _last_report_of_other_side(game: Game, seat: str) -> Report:
    """Return the last record or claim of the other side; raises Conflict if there is none."""
    last = find_report_of_other_side(game, seat)
    if last is None:
        raise next(find_state_conflicts(game, by_side=True), nothing_to_answer())
    return last
