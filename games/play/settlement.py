"""The evaluation of a game's reports: the state and the result that they give it.

The last record or claim of each side counts; a confirmation counts for the report that it names.

| first seat reported | second seat reported | the game |
|---|---|---|
| nothing | nothing | open |
| a record or claim | nothing, before the deadline | waiting |
| a record or claim | nothing, after the deadline | confirmed: proof or agreement |
| a record or claim | a confirmation of that very report | confirmed: proof or agreement |
| a record | a record with the same digest | confirmed: proof |
| a record | a record with another digest | disputed, at the first different ply |
| a record or claim | a claim of the same result | confirmed: agreement |
| a record or claim | a claim of another result | disputed |
| anything | a dispute | disputed |

A result is a ruling instead of a proof or an agreement if directors could have sent all the
reports that give it (`Report.device`): no player has agreed to it then.

An arbiter's ruling or annulment overrides the reports of the sides, which stay. So does a slip that
both sides signed and an arbiter entered, with the basis agreement; a record of a side proves its
score. A revocation removes the ruling that it names, or restores the one that the revocation it
names has removed.

An arbiter adjourns a game that is to be continued later. Earlier reports of it do not count any
more, and it stays adjourned until later ones confirm a result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.models import Game, Report
from games.queries import disputes
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
    is_adjourned = len(counted) < len(reports) and settlement.state not in FINISHED_STATES
    return replace(settlement, adjourned=is_adjourned)


def reports_since_adjournment(reports: Sequence[Report]) -> Sequence[Report]:
    """Return the reports after the last adjournment; all if the game was never adjourned."""
    last = max((r.version for r in reports if r.kind == Report.Kind.ADJOURNMENT), default=0)
    return [report for report in reports if report.version > last]


def _evaluate(reports: Sequence[Report], *, deadline_passed: bool) -> Settlement:
    revoked = _revoked_reports(reports)
    by_arbiter = [report for report in reports if not (report.seat or report.pk in revoked)]
    by_arbiter = [report for report in by_arbiter if report.kind != Report.Kind.REVOCATION]
    if by_arbiter:
        last = by_arbiter[-1]
        if last.kind == Report.Kind.ANNULMENT:
            return Settlement(Game.State.ANNULLED, Game.Basis.RULING)
        if last.kind == Report.Kind.SLIP:
            record = _find_record_of_slip(last, reports)
            return _confirmed(Game.Basis.AGREEMENT, record or last, record)
        return _confirmed(Game.Basis.RULING, last, last if last.record else None)
    last_by_seat = {report.seat: report for report in reports}
    if any(report.kind == Report.Kind.DISPUTE for report in last_by_seat.values()):
        return _disputed(disputes.CONTESTED)
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
        return _disputed(f"{disputes.RECORDS} {ply}" if ply else disputes.RECORDS)
    outcomes = {report.seat: GameOutcome.from_json(report.outcome) for report in (first, second)}
    if not outcomes[first.seat].agrees_with(outcomes[second.seat]):
        return _disputed(disputes.RECORD_AND_CLAIM if record else disputes.CLAIMS)
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
        return Game.Basis.RULING
    results = [report.kind for report in reports if report.kind in RESULT_KINDS]
    is_proof = all(kind == Report.Kind.RECORD for kind in results)
    return Game.Basis.PROOF if is_proof else Game.Basis.AGREEMENT


def _record_among(*reports: Report) -> Report | None:
    return next((report for report in reports if report.kind == Report.Kind.RECORD), None)
