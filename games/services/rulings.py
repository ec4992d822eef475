"""Rulings: an arbiter gives a game a result, annuls or adjourns it."""

from typing import Any

from games.core.errors import Unprocessable
from games.models import Account, Game, Report
from games.play.outcomes import check_conditions, read_record, ruled_outcome
from games.rules.game_outcome import AnyTermination, GameOutcome, RulingTermination
from games.rules.records.record import Record
from games.rules.records.verdict import State, Verdict
from games.rules.text import Text
from games.services.report_versions import ReportStatement, add_report


def rule_game(
    game: Game,
    *,
    by: Account,
    reason: str,
    result: str = "",
    termination: AnyTermination = RulingTermination.RULED,
    record: str | dict[str, Any] | None = None,
    dry_run: bool = False,
) -> Report:
    """Give a game a result, whatever the two sides reported.

    A record that proves its result determines the outcome, otherwise `result` does. Raises
    Unprocessable for an illegal record or an impossible result, Conflict once the event is final.
    """
    outcome = ruled_outcome(game, result, termination) if result else None
    if record is not None:
        statement = statement_of(game, *read_record(record), otherwise=outcome)
    else:
        statement = ReportStatement(outcome)
    return add_report(game.pk, by, Report.Kind.RULING, statement, reason=reason, dry_run=dry_run)


def statement_of(
    game: Game, record: Record, verdict: Verdict, *, otherwise: GameOutcome | None = None
) -> ReportStatement:
    """Return what a ruling by this record states: the proven outcome, else the other one.

    Raises Unprocessable for conditions that are not the game's, and without any outcome.
    """
    check_conditions(game, record)
    return proven_statement(record, verdict, otherwise=otherwise)


def proven_statement(
    record: Record, verdict: Verdict, *, otherwise: GameOutcome | None = None
) -> ReportStatement:
    """Return what a record states by itself; raises Unprocessable without any outcome."""
    is_finished = verdict.state is State.FINISHED
    outcome = GameOutcome.from_verdict(verdict) if is_finished else otherwise
    if outcome is None:
        raise Unprocessable(
            "record_unfinished", Text("the record proves no result; send `result` as well")
        )
    return ReportStatement(outcome, record=str(record), digest=verdict.digest or "")


def adjourn_game(game: Game, *, by: Account, reason: str, dry_run: bool = False) -> Report:
    """Adjourn a game of an event; raises Conflict if it has a result or is adjourned already."""
    return add_report(game.pk, by, Report.Kind.ADJOURNMENT, reason=reason, dry_run=dry_run)


def annul_game(game: Game, *, by: Account, reason: str, dry_run: bool = False) -> Report:
    """Annul a game; raises Conflict once the event is final."""
    return add_report(game.pk, by, Report.Kind.ANNULMENT, reason=reason, dry_run=dry_run)
