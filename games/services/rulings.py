"""An arbiter's word on a game: a result, or that it counts for nothing."""

from typing import Any

from games.http.errors import Unprocessable
from games.models import Account, Game, Report
from games.rules.records.record import Record
from games.services.outcomes import (
    check_conditions,
    claimed_outcome,
    proven_outcome,
    read_record,
)
from games.services.reports import add_report

WINNERS = {"1-0": "first", "0-1": "second", "1/2": None, "0-0": None}


def ruled_outcome(game: Game, result: str, termination: str) -> dict[str, Any]:
    """The outcome that an arbiter's result stands for; a score is checked by the rules."""
    if result not in WINNERS:
        return {**claimed_outcome(game, result), "termination": termination}
    if result == "0-0":
        termination = "double-forfeit"
    return {
        "winner": WINNERS[result],
        "draw": result == "1/2",
        "score": None,
        "termination": termination,
    }


def rule_game(
    game: Game,
    *,
    by: Account,
    reason: str,
    result: str = "",
    termination: str = "ruled",
    record: str | dict[str, Any] | None = None,
) -> Report:
    """A result for a game, on top of whatever the sides said.

    A record that proves its result gives the outcome; otherwise `result` does. Raises
    Unprocessable for an illegal record or an impossible result, Conflict once the event is final.
    """
    outcome = ruled_outcome(game, result, termination) if result else None
    told = {"outcome": outcome, "record": "", "digest": ""}
    if record is not None:
        told |= told_by_record(game, *read_record(record), otherwise=outcome)
    return add_report(game.pk, by, Report.Kind.RULING, reason=reason, **told)


def told_by_record(
    game: Game,
    record: Record,
    verdict: dict[str, Any],
    *,
    otherwise: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """What a ruling by this record holds: its outcome, or the other where it proves none.

    Raises Unprocessable for other conditions than the game's, and where there is no outcome.
    """
    check_conditions(game, record)
    outcome = proven_outcome(verdict) if verdict["state"] == "finished" else otherwise
    if outcome is None:
        raise Unprocessable(
            "record_unfinished", "the record proves no result; send `result` as well"
        )
    return {"outcome": outcome, "record": str(record), "digest": str(verdict["digest"])}


def annul_game(game: Game, *, by: Account, reason: str) -> Report:
    """Strike a game out; raises Conflict once the event is final."""
    return add_report(game.pk, by, Report.Kind.ANNULMENT, reason=reason)
