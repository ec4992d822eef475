"""What all the reports of a game come to, computed afresh each time.

`weigh` is the rule, on values; `settle_game` gathers the reports, weighs them and writes what
changed, once. What a side said last counts; a confirmation holds for the report that it names.

| first seat said | second seat said | the game |
|---|---|---|
| nothing | nothing | open |
| a record or claim | nothing, and the deadline is to come | waiting |
| a record or claim | nothing, and the deadline has passed | confirmed: proof or agreement |
| a record or claim | a confirmation of that very report | confirmed: proof or agreement |
| a record | a record with the same digest | confirmed: proof |
| a record | a record with another digest | disputed, at the first different ply |
| a record or claim | a claim of the same result | confirmed: agreement |
| a record or claim | a claim of another result | disputed |
| anything | a dispute | disputed |

An arbiter's ruling or annulment lies on top of whatever the sides said; the reports stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.journal.chain import write_line
from games.models import Game, Report
from games.rules.records.record import Record, first_difference

WORDS = (Report.Kind.RECORD, Report.Kind.CLAIM)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a game comes to: its state and, unless it is open, why."""

    state: Game.State
    basis: str = ""
    report: Report | None = None
    record: Report | None = None
    dispute: str = ""


def same_result(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two outcomes do not contradict: same winner, and same score where both give one."""
    if (one.get("winner"), bool(one.get("draw"))) != (other.get("winner"), bool(other.get("draw"))):
        return False
    scores = one.get("score"), other.get("score")
    return None in scores or scores[0] == scores[1]


def _basis(report: Report) -> Game.Basis:
    return Game.Basis.PROOF if report.kind == Report.Kind.RECORD else Game.Basis.AGREEMENT


def _record_among(reports: Sequence[Report]) -> Report | None:
    return next((one for one in reports if one.kind == Report.Kind.RECORD), None)


def _weigh_two(first: Report, second: Report) -> Settled:
    """Two records or claims, one from each side."""
    record = _record_among((first, second))
    if first.kind == second.kind == Report.Kind.RECORD:
        if first.digest == second.digest:
            earlier = min(first, second, key=lambda report: report.version)
            return Settled(Game.State.CONFIRMED, Game.Basis.PROOF, earlier, earlier)
        ply = first_difference(Record.parse(first.record), Record.parse(second.record))
        where = f"the two records differ first at ply {ply}" if ply else "the two records differ"
        return Settled(Game.State.DISPUTED, dispute=where)
    if same_result(first.outcome, second.outcome):
        with_score = [one for one in (record, first, second) if one and one.outcome.get("score")]
        return Settled(
            Game.State.CONFIRMED, Game.Basis.AGREEMENT, (with_score or [first])[0], record
        )
    what = "a record and a claim" if record else "the two claims"
    return Settled(Game.State.DISPUTED, dispute=f"{what} give different results")


def weigh(reports: Sequence[Report], *, deadline_passed: bool) -> Settled:
    """What the reports, in order of version, come to."""
    from_arbiter = [one for one in reports if not one.seat]
    if from_arbiter:
        last = from_arbiter[-1]
        if last.kind == Report.Kind.ANNULMENT:
            return Settled(Game.State.ANNULLED, Game.Basis.RULING, last)
        return Settled(Game.State.CONFIRMED, Game.Basis.RULING, last, last if last.record else None)
    last_of = {one.seat: one for one in reports}
    said = {
        seat: next((r for r in reversed(reports) if r.seat == seat and r.kind in WORDS), None)
        for seat in ("first", "second")
    }
    if any(one.kind == Report.Kind.DISPUTE for one in last_of.values()):
        return Settled(Game.State.DISPUTED, dispute="one side disputes what the other reported")
    for seat, other in (("first", "second"), ("second", "first")):
        answer, theirs = last_of.get(seat), said[other]
        confirms = answer is not None and answer.kind == Report.Kind.CONFIRMATION
        if confirms and theirs is not None and answer and answer.confirms_id == theirs.pk:
            return Settled(Game.State.CONFIRMED, _basis(theirs), theirs, _record_among((theirs,)))
    if said["first"] and said["second"]:
        return _weigh_two(said["first"], said["second"])
    alone = said["first"] or said["second"]
    if alone is None:
        return Settled(Game.State.OPEN)
    state = Game.State.CONFIRMED if deadline_passed else Game.State.WAITING
    return Settled(state, _basis(alone) if deadline_passed else "", alone, _record_among((alone,)))


def _result_fields(settled: Settled) -> dict[str, Any]:
    """The game's columns as the settlement wants them; a result stands only when confirmed."""
    stands = settled.state == Game.State.CONFIRMED and settled.report is not None
    outcome = settled.report.outcome if stands and settled.report else {}
    score = outcome.get("score") or {}
    return {
        "state": settled.state,
        "basis": settled.basis,
        "termination": outcome.get("termination") or "",
        "winner": outcome.get("winner") or "",
        "draw": bool(outcome.get("draw")),
        "score_first": score.get("first"),
        "score_second": score.get("second"),
        "record_id": settled.record.pk if settled.record and stands else None,
        "dispute": settled.dispute[:240],
    }


def confirm_deadline(reports: Sequence[Report], hours: int) -> datetime | None:
    """When silence becomes consent: counted from the last record or claim."""
    words = [report.received_at for report in reports if report.kind in WORDS]
    return max(words) + timedelta(hours=hours) if words else None


def settle_game(game_id: int, *, now: datetime | None = None) -> Game:
    """Bring a game to what its reports come to; a second run changes nothing.

    One transaction holds the game's row, its reports' marks and the journal line
    (`game.confirmed`, `game.disputed`, `game.waiting`, `game.annulled`), which is written only
    when something changed.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
        reports = list(game.reports.order_by("version"))
        at = now or timezone.now()
        deadline = confirm_deadline(reports, game.confirm_hours)
        settled = weigh(reports, deadline_passed=deadline is not None and deadline <= at)

        fields = _result_fields(settled)
        fields["confirm_by"] = deadline if settled.state == Game.State.WAITING else None
        changed = {name for name, value in fields.items() if getattr(game, name) != value}
        for name, value in fields.items():
            setattr(game, name, value)
        if changed:
            game.confirmed_at = at if game.state == Game.State.CONFIRMED else None
        game.attempts = 0
        game.save(update_fields=[*fields, "confirmed_at", "attempts"])
        game.reports.filter(settled_at__isnull=True).update(settled_at=at)
        if changed - {"confirm_by"}:
            write_line(game.journal_stream, f"game.{game.state}", settlement_payload(game), by=None)
    return game


def settle_unsettled(stream: str) -> None:
    """Settle the games of a stream that have a report which no task has weighed yet."""
    unsettled = Report.objects.filter(game__stream=stream, settled_at__isnull=True)
    for game_id in unsettled.order_by("game_id").values_list("game_id", flat=True).distinct():
        settle_game(game_id)


def settlement_payload(game: Game) -> dict[str, Any]:
    """What the journal tells of a settled game."""
    score = None if game.score_first is None else [game.score_first, game.score_second]
    return {
        "game": game.pk,
        "state": game.state,
        "basis": game.basis,
        "termination": game.termination,
        "winner": game.winner,
        "draw": game.draw,
        "score": score,
        "record": game.record.digest if game.record else "",
        "dispute": game.dispute,
    }
