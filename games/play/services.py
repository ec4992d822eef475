"""Reports: the sides of a game send records and claims, confirm and dispute; arbiters rule.

A report is read, replayed and compared with the game's conditions before a row is written. It is
stored as the next version of its game's reports, with a journal line, and settled by a task. A
record that the referee rejects leaves a line in the journal.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from games.core.broker import send_on_commit
from games.core.errors import ApiError, Conflict, Forbidden, Unprocessable, check_all
from games.core.journal.lines import append_game_line, game_stream
from games.core.journal.rows import changed_rows
from games.core.limits import check_quota
from games.core.permissions import find_refusals, may
from games.models import Account, Game, JournalPayload, Report, Token
from games.play.mails import revoke_mails
from games.play.outcomes import (
    check_conditions,
    claimed_outcome,
    final_result,
    read_record,
    ruled_outcome,
)
from games.play.queries import games_with_record, lock_game
from games.play.settlement import evaluate_reports, find_agreed_report, last_adjournment
from games.play.states import (
    OVERRULE,
    find_report_of_other_side,
    find_state_conflicts,
    nothing_to_answer,
    other_way,
)
from games.rules.game_outcome import AnyTermination, GameOutcome, RulingTermination
from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.records.verdict import State, Verdict
from games.rules.seat import Seat
from games.rules.text import Text


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
) -> Report:
    """Store the next version of a game's reports with a journal line, and send its settlement.

    A report that repeats the sender's last one is that one; nothing is written. Raises Conflict
    once the event is final or cancelled, to the two sides once the game is settled, to officials
    who change a result of a complete round, and if a quota is reached; Forbidden to a scorer who
    decides otherwise than both sides have reported.
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
    with transaction.atomic():
        game = lock_game(game_id)
        report = _next_report(game, by, seat, content)
        if report.pk is None:
            report.save()
            payload, rows = report_payload(report), changed_rows(report)
            append_game_line(game, f"report.{kind}", payload, by=by, rows=rows)
            send_on_commit("games.tasks.settle_game", game.pk)
            if not seat:  # what was said of the game may be so no longer
                revoke_mails(game)
            others = games_with_record(game, report.digest) if report.record else []
            if others:  # one of them may be a copy
                copied = {"game": game.pk, "version": report.version, "digest": report.digest}
                append_game_line(game, "record.repeated", copied | {"games": others}, by=None)
    return report


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


DECISIONS: Final = (Report.Kind.RULING, Report.Kind.ANNULMENT, Report.Kind.ADJOURNMENT)
"""What an official decides in place of what the sides have reported."""


def _next_report(game: Game, by: Account | None, seat: str, content: dict[str, Any]) -> Report:
    """Return a new report that is not saved, or the sender's last one that it repeats."""
    reports = list(game.reports.order_by("version"))
    for report in reports:
        report.game = game
    own = [report for report in reports if (report.by_id, report.seat) == (by and by.pk, seat)]
    # What was reported before an adjournment does not count any more, so the same is new after it.
    last = own[-1] if own and own[-1].version >= last_adjournment(reports) else None
    if last is not None and all(getattr(last, name) == value for name, value in content.items()):
        return last
    proves = content["kind"] == Report.Kind.RULING and bool(content["record"])
    standing = evaluate_reports(reports, deadline_passed=True)
    is_first = standing.record is None or standing.record.digest == content["digest"]
    for conflict in find_state_conflicts(
        game,
        by_side=bool(seat),
        adjourns=content["kind"] == Report.Kind.ADJOURNMENT,
        resumes=content["kind"] == Report.Kind.REVOCATION,
        keeps=proves and is_first and _has_result_of(standing.report, content),
    ):
        raise conflict
    if by is not None and content["kind"] in DECISIONS:
        agreed = find_agreed_report(reports)
        if agreed and not _has_result_of(agreed, content):
            refusal = find_refusals(by, None, [OVERRULE], stream=game.role_stream)[OVERRULE]
            if refusal is not None:
                raise refusal
    if by is not None and seat:
        check_quota("reports", len(own) + 1, by=by)
        records = [*(report.record for report in own), content["record"]]
        check_quota("record_bytes", sum(len(text.encode()) for text in records), by=by)
    version = reports[-1].version + 1 if reports else 1
    return Report(game=game, by=by, version=version, seat=seat, **content)


def _has_result_of(report: Report | None, content: Mapping[str, Any]) -> bool:
    """Return True if the content of a new report states the result of an earlier one."""
    if report is None or not content["outcome"]:
        return False
    known, stated = (GameOutcome.from_json(one) for one in (report.outcome, content["outcome"]))
    return stated.repeats(known)


def journal_rejected_record(
    game: Game, seat: str, content: str | dict[str, Any], error: ApiError, *, by: Account
) -> None:
    """Write a journal line for an illegal record, in its own transaction.

    Nothing is written after the end of the event, for a record that the account has sent before,
    and for more than the quota of rejected records.
    """
    text = content if isinstance(content, str) else repr(content)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    payload = {
        "game": game.pk,
        "seat": seat,
        "errors": error.errors,
        "content_digest": digest,
    }
    with transaction.atomic():
        game = lock_game(game.pk)
        rejected = _rejected_record_digests(game, by)
        is_repeated = (game.pk, digest) in rejected
        if game.closed or is_repeated or len(rejected) >= settings.QUOTAS["rejected_records"]:
            return
        append_game_line(game, "report.refused", payload, by=by)


def _rejected_record_digests(game: Game, by: Account) -> set[tuple[int, str]]:
    """Return the game and the digest of each record in the journal that was rejected.

    The journal is that of the event, and the records are those of one account.
    """
    payloads = JournalPayload.objects.filter(
        line__stream=game_stream(game),
        line__kind="report.refused",
        line__actor=f"account/{by.pk}",
    )
    return {
        (body["game"], body["content_digest"]) for body in payloads.values_list("body", flat=True)
    }


def seat_of(game: Game, by: Account, seat: str | None = None) -> str:
    """Return the seat that the account reports for; raises Forbidden if it holds none."""
    seats = game.seats_of(by)
    if seat is not None and seat not in seats:
        raise Forbidden(
            "not_your_game",
            Text(
                "you do not hold the %(seat)s seat of game %(number)s",
                seat=Seat(seat),
                number=game.pk,
            ),
        )
    if not seats:
        raise Forbidden(
            "not_your_game", Text("you hold no seat of game %(number)s", number=game.pk)
        )
    return seat or seats[0]


def device_of(game: Game, by: Account, token: Token | None) -> Report.Device:
    """Return whose device sends a report with this token.

    It is a director's if somebody else issued the token, as directors do for players without a
    login, and if the account may rule the game itself.
    """
    if token is not None and token.issued_by_other:
        return Report.Device.DIRECTOR
    may_rule = may(by, None, "game.rule", stream=game.role_stream)
    return Report.Device.DIRECTOR if may_rule else Report.Device.PLAYER


@dataclass(frozen=True, slots=True)
class Statement:
    """What a side states about its game, by a record that was replayed or by a claim."""

    game: Game
    by: Account
    seat: str
    device: Report.Device
    kind: Report.Kind
    content: ReportStatement


def state_record(
    game: Game,
    content: str | dict[str, Any],
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
    journals: bool = True,
) -> Statement:
    """Return what the record of one's own game states.

    Raises Forbidden (not the account's game) and Unprocessable with the referee's ply, move, cell
    and code; a rejected record leaves one journal line, unless `journals` is False.
    """
    seat, device = seat_of(game, by, seat), device_of(game, by, token)
    try:
        record, verdict = read_record(content)
    except Unprocessable as error:
        if journals:
            journal_rejected_record(game, seat, content, error, by=by)
        raise
    check_conditions(game, record)
    if verdict.state is not State.FINISHED:
        raise Unprocessable(
            "record_unfinished",
            Text(
                "the record proves no result; end it with `agreed` and the result, "
                "`resign` or `time`, or send a claim instead"
            ),
            at="/record",
        )
    outcome = GameOutcome.from_verdict(verdict)
    statement = ReportStatement(outcome, str(record), verdict.digest or "")
    return Statement(game, by, seat, device, Report.Kind.RECORD, statement)


def state_claim(
    game: Game,
    result: str,
    termination: Termination,
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
) -> Statement:
    """Return what a claim of a result states, without a record."""
    seat, device = seat_of(game, by, seat), device_of(game, by, token)
    statement = ReportStatement(claimed_outcome(game, result, termination))
    return Statement(game, by, seat, device, Report.Kind.CLAIM, statement)


def submit(stated: Statement) -> Report:
    """Add the report of a side; raises Conflict if the game is already settled, or played here."""
    if stated.game.play == Game.Play.BY_TURNS:
        raise next(find_state_conflicts(stated.game, by_side=True), other_way(stated.game))
    return add_report(
        stated.game.pk,
        stated.by,
        stated.kind,
        stated.content,
        seat=stated.seat,
        device=stated.device,
    )


def confirm(
    game: Game,
    *,
    by: Account,
    token: Token | None = None,
    version: int | None = None,
    seat: str | None = None,
) -> Report:
    """Confirm the other side's last report, which must still be that `version`."""
    seat = seat_of(game, by, seat)
    report = _last_report_of_other_side(game, seat)
    if version is not None and version != report.version:
        raise Conflict(
            "report_superseded",
            Text(
                "report %(number)s is not the other side's last report; that is %(other)s",
                number=version,
                other=report.version,
            ),
            at="/version",
        )
    statement = ReportStatement(GameOutcome.from_json(report.outcome), digest=report.digest)
    return add_report(
        game.pk,
        by,
        Report.Kind.CONFIRMATION,
        statement,
        seat=seat,
        device=device_of(game, by, token),
        confirms=report,
    )


def dispute(
    game: Game,
    reason: str,
    *,
    by: Account,
    token: Token | None = None,
    seat: str | None = None,
) -> Report:
    """Dispute the other side's last report, with a reason; the directors see it."""
    seat = seat_of(game, by, seat)
    _last_report_of_other_side(game, seat)
    device = device_of(game, by, token)
    return add_report(game.pk, by, Report.Kind.DISPUTE, seat=seat, device=device, reason=reason)


def _last_report_of_other_side(game: Game, seat: str) -> Report:
    """Return the last record or claim of the other side; raises Conflict if there is none."""
    last = find_report_of_other_side(game, seat)
    if last is None:
        raise next(find_state_conflicts(game, by_side=True), nothing_to_answer())
    return last


def rule_game(
    game: Game,
    *,
    by: Account,
    reason: str,
    result: str = "",
    termination: AnyTermination = RulingTermination.RULED,
    before_handicap: bool = False,
    record: str | dict[str, Any] | None = None,
) -> Report:
    """Give a game a result, whatever the two sides reported.

    With `before_handicap`, a score is that of the board, without the points of the handicap.
    A record that proves its result determines the outcome, otherwise `result` does. Raises
    Unprocessable for an illegal record or an impossible result, Conflict once the event is final.
    """
    if result and before_handicap:
        result = final_result(game, result)
    outcome, read = check_all(
        lambda: (
            ruled_outcome(game, result, termination or RulingTermination.RULED) if result else None
        ),
        lambda: _read_record_of(game, record),
    )
    statement = ReportStatement(outcome)
    if read is not None:
        statement = proven_statement(*read, otherwise=outcome)
    return add_report(game.pk, by, Report.Kind.RULING, statement, reason=reason)


def _read_record_of(game: Game, content: Any) -> tuple[Record, Verdict] | None:
    if content is None:
        return None
    record, verdict = read_record(content)
    check_conditions(game, record)
    return record, verdict


def statement_of(game: Game, record: Record, verdict: Verdict) -> ReportStatement:
    """Return what a ruling by this record states.

    Raises Unprocessable for conditions that are not the game's, and without any outcome.
    """
    check_conditions(game, record)
    return proven_statement(record, verdict)


def proven_statement(
    record: Record, verdict: Verdict, *, otherwise: GameOutcome | None = None
) -> ReportStatement:
    """Return what a record states by itself; raises Unprocessable without any outcome."""
    is_finished = verdict.state is State.FINISHED
    outcome = GameOutcome.from_verdict(verdict) if is_finished else otherwise
    if outcome is None:
        detail = Text("the record proves no result; send `result` as well")
        raise Unprocessable("record_unfinished", detail, at="/record")
    return ReportStatement(outcome, record=str(record), digest=verdict.digest or "")


def adjourn_game(game: Game, *, by: Account, reason: str) -> Report:
    """Adjourn a game of an event; raises Conflict if it has a result or is adjourned already."""
    return add_report(game.pk, by, Report.Kind.ADJOURNMENT, reason=reason)


def resume_game(game: Game, *, by: Account, reason: str) -> Report:
    """Let an adjourned game go on, without its earlier reports; raises Conflict for others."""
    adjournment = game.reports.filter(kind=Report.Kind.ADJOURNMENT).order_by("version").last()
    return add_report(game.pk, by, Report.Kind.REVOCATION, confirms=adjournment, reason=reason)


def annul_game(game: Game, *, by: Account, reason: str) -> Report:
    """Annul a game; raises Conflict once the event is final."""
    return add_report(game.pk, by, Report.Kind.ANNULMENT, reason=reason)
