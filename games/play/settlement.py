"""The settlement of a game: its state and its result, computed from all its reports.

`evaluate_reports` is the rule, on values; `settle_game` loads the reports, evaluates them and
writes what changed, once. Only this module writes a game's state, except that of a proposal.

The last record or claim of each side counts; a confirmation counts for the report that it names.

| first seat reported | second seat reported | the game |
|---|---|---|
| nothing | nothing | open |
| a record or claim | nothing, before the deadline | waiting |
| a record or claim | nothing, after the deadline | confirmed: proof or undisputed |
| a record or claim | a confirmation of that very report | confirmed: proof or agreement |
| a record | a record with the same digest | confirmed: proof |
| a record | a record with another digest | disputed, at the first different ply |
| a record or claim | a claim of the same result | confirmed: agreement |
| a record or claim | a claim of another result | disputed |
| anything | a dispute | disputed |

Directors can send all the reports of links that they issued (`Report.device`). A result that only
such reports give is neither a proof nor an agreement: those of both sides have the basis links,
that of one side is a ruling.

The two records of a game that was played here have the basis played, if one side at least entered
its turns by its own login.

An arbiter's ruling or annulment overrides the reports of the sides, which stay. So does a slip that
both sides signed and an arbiter entered, with the basis slip; a record of a side proves its score.
A revocation removes the ruling that it names, or restores the one that the revocation it names has
removed.

An arbiter adjourns a game that is to be continued later. Earlier reports of it do not count any
more, and it stays adjourned until later ones confirm a result, or a revocation of the adjournment
lets it go on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from games.core.journal.lines import NewLine, append_lines, game_stream
from games.core.journal.rows import changed_rows
from games.models import Game, LiveRecord, Report
from games.play.queries import (
    CLAIMS,
    CONTESTED,
    RECORD_AND_CLAIM,
    RECORDS,
    dispute_in_words,
    lock_game,
)
from games.rules.game_outcome import NO_OUTCOME, GameOutcome
from games.rules.records.record import Record, first_difference
from games.rules.seat import Seat

RESULT_KINDS = (Report.Kind.RECORD, Report.Kind.CLAIM)

FINISHED_STATES = (Game.State.CONFIRMED, Game.State.ANNULLED)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The state that a game's reports give it and, unless it is open, why.

    Where the game is confirmed, `report` states its result and `record` proves it.
    """

    state: Game.State
    basis: str = ""
    report: Report | None = None
    record: Report | None = None
    dispute: str = ""
    adjourned: bool = False

    def as_columns(self) -> dict[str, Any]:
        """Return the game's columns; raises ValueError for an outcome that cannot be read."""
        outcome = GameOutcome.from_json(self.report.outcome) if self.report else NO_OUTCOME
        score_first, score_second = outcome.score or (None, None)
        return {
            "state": self.state,
            "basis": self.basis,
            "winner": outcome.winner or "",
            "draw": outcome.draw,
            "score_first": score_first,
            "score_second": score_second,
            "termination": outcome.termination or "",
            "record_id": self.record.pk if self.record else None,
            "dispute": self.dispute,
            "adjourned": self.adjourned,
        }


def evaluate_reports(reports: Sequence[Report], *, deadline_passed: bool) -> Settlement:
    """Return the settlement of a game's reports, which are in the order of their versions."""
    counted = reports_since_adjournment(reports)
    settlement = _evaluate(counted, deadline_passed=deadline_passed)
    adjournment = reports[-len(counted) - 1] if len(counted) < len(reports) else None
    is_resumed = adjournment is None or adjournment.pk in _revoked_reports(counted)
    is_adjourned = not is_resumed and settlement.state not in FINISHED_STATES
    return replace(settlement, adjourned=is_adjourned)


def reports_since_adjournment(reports: Sequence[Report]) -> Sequence[Report]:
    """Return the reports after the last adjournment; all if the game was never adjourned."""
    last = last_adjournment(reports)
    return [report for report in reports if report.version > last]


def find_agreed_report(reports: Sequence[Report]) -> Report | None:
    """Return the report of one side that the other repeats or confirms, whatever was ruled."""
    by_sides = [report for report in reports_since_adjournment(reports) if report.seat]
    return _evaluate(by_sides, deadline_passed=False).report


def find_last_statement(reports: Sequence[Report]) -> Report | None:
    """Return the last record or claim of a side since the last adjournment."""
    stated = [
        report
        for report in reports_since_adjournment(reports)
        if report.seat and report.kind in RESULT_KINDS
    ]
    return stated[-1] if stated else None


def last_adjournment(reports: Sequence[Report]) -> int:
    """Return the version of the last adjournment among the reports of a game; 0 without one."""
    return max((r.version for r in reports if r.kind == Report.Kind.ADJOURNMENT), default=0)


def _evaluate(reports: Sequence[Report], *, deadline_passed: bool) -> Settlement:
    revoked = _revoked_reports(reports)
    by_arbiter = [report for report in reports if not (report.seat or report.pk in revoked)]
    by_arbiter = [report for report in by_arbiter if report.kind != Report.Kind.REVOCATION]
    if by_arbiter:
        last = by_arbiter[-1]
        if last.kind == Report.Kind.ANNULMENT:
            return Settlement(Game.State.ANNULLED, Game.Basis.RULING)
        if last.kind == Report.Kind.SLIP:
            record = last if last.record else _find_record_of_slip(last, reports)
            return _confirmed(Game.Basis.SLIP, record or last, record)
        return _confirmed(Game.Basis.RULING, last, last if last.record else None)
    last_by_seat = {report.seat: report for report in reports}
    if any(report.kind == Report.Kind.DISPUTE for report in last_by_seat.values()):
        return _disputed(CONTESTED)
    results = {report.seat: report for report in reports if report.kind in RESULT_KINDS}
    for seat, other in zip(Seat, reversed(Seat), strict=True):
        answer, result = last_by_seat.get(seat), results.get(other)
        is_confirmation = answer is not None and answer.kind == Report.Kind.CONFIRMATION
        if is_confirmation and result and answer and answer.confirms_id == result.pk:
            return _confirmed(_basis(result, answer), result, _record_among(result))
    if not results:
        return Settlement(Game.State.OPEN)
    if len(results) == len(Seat):
        return _compare_results(results[Seat.FIRST], results[Seat.SECOND])
    (result,) = results.values()
    if deadline_passed:
        return _confirmed(_basis(result), result, _record_among(result))
    return Settlement(Game.State.WAITING)


def _revoked_reports(reports: Sequence[Report]) -> set[int]:
    """Return the ids of the reports that a revocation removes which is not revoked itself."""
    revoked: set[int] = set()
    for report in reversed(reports):
        if report.kind == Report.Kind.REVOCATION and report.pk not in revoked:
            revoked.add(report.confirms_id or 0)
    return revoked


def _find_record_of_slip(slip: Report, reports: Sequence[Report]) -> Report | None:
    """Return the record that gives the result of a slip; None if there are different ones."""
    outcome = GameOutcome.from_json(slip.outcome)
    records = [
        report
        for report in reports
        if report.kind == Report.Kind.RECORD
        and GameOutcome.from_json(report.outcome).agrees_with(outcome)
    ]
    return records[-1] if len({report.digest for report in records}) == 1 else None


def _compare_results(first: Report, second: Report) -> Settlement:
    """Return the settlement of two records or claims, one from each side."""
    record = _record_among(first, second)
    if first.kind == second.kind == Report.Kind.RECORD:
        if first.digest == second.digest:
            earlier = min(first, second, key=lambda report: report.version)
            return _confirmed(_basis(first, second), earlier, earlier)
        ply = first_difference(Record.parse(first.record), Record.parse(second.record))
        return _disputed(f"{RECORDS} {ply}" if ply else RECORDS)
    outcomes = {report.seat: GameOutcome.from_json(report.outcome) for report in (first, second)}
    if not outcomes[first.seat].agrees_with(outcomes[second.seat]):
        return _disputed(RECORD_AND_CLAIM if record else CLAIMS)
    scored = [
        report for report in (record, first, second) if report and outcomes[report.seat].score
    ]
    return _confirmed(_basis(first, second), (scored or [first])[0], record)


def _confirmed(basis: Game.Basis, report: Report, record: Report | None) -> Settlement:
    return Settlement(Game.State.CONFIRMED, basis, report, record)


def _disputed(dispute: str) -> Settlement:
    return Settlement(Game.State.DISPUTED, dispute=dispute)


def _basis(*reports: Report) -> Game.Basis:
    """Return the basis of a result on which these reports, and no others, agree."""
    if all(report.device == Report.Device.DIRECTOR for report in reports):
        return Game.Basis.RULING if len(reports) == 1 else Game.Basis.LINKS
    if any(report.device == Report.Device.HERE for report in reports):
        return Game.Basis.PLAYED
    results = [report.kind for report in reports if report.kind in RESULT_KINDS]
    is_proof = all(kind == Report.Kind.RECORD for kind in results)
    if is_proof:
        return Game.Basis.PROOF
    return Game.Basis.UNDISPUTED if len(reports) == 1 else Game.Basis.AGREEMENT


def _record_among(*reports: Report) -> Report | None:
    return next((report for report in reports if report.kind == Report.Kind.RECORD), None)


def apply_settlement(
    game: Game, settlement: Settlement, *, at: datetime, deadline: datetime | None = None
) -> set[str]:
    """Set the columns of a game, without saving it; return the names of those that changed."""
    columns = settlement.as_columns()
    columns["confirm_by"] = deadline if settlement.state == Game.State.WAITING else None
    changed = {name for name, value in columns.items() if getattr(game, name) != value}
    for name in changed:
        setattr(game, name, columns[name])
    if changed:
        game.confirmed_at = at if game.state == Game.State.CONFIRMED else None
    return changed


def confirm_deadline(reports: Sequence[Report], hours: int) -> datetime | None:
    """Return when a result without an answer is confirmed: `hours` after the last one."""
    counted = reports_since_adjournment(reports)
    received = [report.received_at for report in counted if report.kind in RESULT_KINDS]
    return max(received) + timedelta(hours=hours) if received else None


def settle_game(game_id: int, *, now: datetime | None = None) -> Game:
    """Write the settlement of a game; a second run changes nothing."""
    with transaction.atomic():
        game = lock_game(game_id)
        settle_locked_games([game], at=now or timezone.now())
    return game


def settle_locked_games(games: Sequence[Game], *, at: datetime) -> None:
    """Write the settlements of games of one stream, whose rows are locked.

    One transaction covers the games' rows, the marks of their reports and their journal lines
    (`game.confirmed`, `game.disputed`, `game.waiting`, `game.annulled`, `game.adjourned`), which
    are written only where something changed, be it only the deadline of the confirmation: stored
    responses are those of the journal's last line.
    """
    reports = load_reports(games)
    lines, interrupted = [], []
    for game in games:
        settlement, deadline = evaluate_game(game, reports[game.pk], at=at)
        changed = apply_settlement(game, settlement, at=at, deadline=deadline)
        game.attempts = 0
        game.save(update_fields=sorted({*changed, "confirmed_at", "attempts"}))
        if changed:
            interrupted += [game] if "adjourned" in changed else []
            is_adjourned = game.adjourned and "adjourned" in changed
            kind = "adjourned" if is_adjourned else game.state
            payload, rows = settlement_payload(game, settlement), changed_rows(game)
            lines.append(NewLine(f"game.{kind}", payload, rows=rows))
    # The turns of a game that was decided without a record stay: the decision may be taken back.
    finished = [game for game in games if game.state in FINISHED_STATES and game.record_id]
    LiveRecord.objects.filter(game__in=finished).end()
    # An adjourned game goes on from the record that was reported before.
    reopened = [game for game in games if game.state == Game.State.OPEN]
    LiveRecord.objects.filter(game__in=reopened, is_over=True).update(is_over=False)
    # The time of a turn begins anew when a game by turns goes on; its open pages show either. No
    # offer stands meanwhile.
    for live in LiveRecord.objects.filter(game__in=interrupted, way=LiveRecord.Way.PLAYED):
        live.version, live.proposal = live.own_version + 1, None
        live.turn_since, live.told_at = at, None
        live.save()
    state = Game.objects.filter(pk=OuterRef("game_id")).values("state")
    unsettled = Report.objects.filter(game__in=games, settled_at__isnull=True)
    unsettled.update(settled_at=at, settled_as=Subquery(state))
    if lines:
        append_lines(game_stream(games[0]), lines)


def load_reports(games: Sequence[Game]) -> dict[int, list[Report]]:
    """Return the reports of games by the games' ids, in the order of their versions."""
    reports: dict[int, list[Report]] = {game.pk: [] for game in games}
    for report in Report.objects.filter(game__in=games).order_by("version"):
        reports[report.game_id].append(report)
    return reports


def evaluate_game(
    game: Game, reports: Sequence[Report], *, at: datetime
) -> tuple[Settlement, datetime | None]:
    """Return the settlement of a game at that time, and the deadline of its confirmation."""
    deadline = confirm_deadline(reports, game.confirm_hours)
    # A game that its deadline confirmed stays so if the clock is set back afterwards.
    deadline_passed = deadline is not None and deadline <= max(at, game.confirmed_at or at)
    return evaluate_reports(reports, deadline_passed=deadline_passed), deadline


def settle_unsettled(stream: str) -> None:
    """Settle the games of a stream that have a report which no task has evaluated yet."""
    unsettled = Report.objects.filter(game__stream=stream, settled_at__isnull=True)
    for game_id in unsettled.order_by("game_id").values_list("game_id", flat=True).distinct():
        settle_game(game_id)


def settlement_payload(game: Game, settlement: Settlement) -> dict[str, Any]:
    """Return the payload of the journal line of a settled game."""
    score = None if game.score_first is None else [game.score_first, game.score_second]
    return {
        "game": game.pk,
        "place": game.place,
        "state": game.state,
        "basis": game.basis,
        "termination": game.termination,
        "winner": game.winner,
        "draw": game.draw,
        "score": score,
        "record": settlement.record.digest if settlement.record else "",
        "dispute": dispute_in_words(game.dispute),
        "adjourned": game.adjourned,
    }
