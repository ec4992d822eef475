"""What the two sides say of their game: a record, a claim, a confirmation, a dispute.

Everything is read, replayed and compared with the game's conditions before a row is written; what
comes through is stored as a new version and settled by a task.
"""

import hashlib
from typing import Any

from django.db import transaction
from django.db.models import Max

from games.http.errors import Conflict, Forbidden, Unprocessable
from games.journal.chain import write_line
from games.models import Account, Game, Report
from games.services.outcomes import (
    check_conditions,
    claimed_outcome,
    proven_outcome,
    read_record,
)
from games.services.sending import send_on_commit

FINISHED_STATES = (Game.State.CONFIRMED, Game.State.ANNULLED)


def seat_for(game: Game, by: Account, seat: str | None = None) -> str:
    """The seat that the account speaks for; raises Forbidden when the game is not its own."""
    seats = game.seats_of(by)
    if seat is not None and seat not in seats:
        raise Forbidden("not_your_game", f"you do not hold the {seat} seat of game {game.pk}")
    if not seats:
        raise Forbidden("not_your_game", f"you hold no seat of game {game.pk}")
    return seat or seats[0]


def add_report(game_id: int, by: Account | None, kind: Report.Kind, **fields: Any) -> Report:
    """Store the next version of what was said, tell the journal, and ask for settlement.

    Raises Conflict once the event is final, and to the two sides once the game is settled.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
        if game.closed:
            raise Conflict("event_final", "the event is final; its results stand")
        if game.state in FINISHED_STATES and fields.get("seat"):
            raise Conflict(
                "game_settled", f"game {game.pk} is {game.state}; only an arbiter can change it"
            )
        last = game.reports.aggregate(last=Max("version"))["last"] or 0
        report = Report.objects.create(game=game, by=by, kind=kind, version=last + 1, **fields)
        payload = {
            "game": game.pk,
            "version": report.version,
            "kind": kind,
            "seat": report.seat,
            "digest": report.digest,
            "outcome": report.outcome,
            "confirms": report.confirms.version if report.confirms else None,
            "reason": report.reason,
        }
        write_line(game.journal_stream, f"report.{kind}", payload, by=by)
        send_on_commit("games.tasks.settle_game", game.pk)
    return report


def submit_record(
    game: Game, content: str | dict[str, Any], *, by: Account, seat: str | None = None
) -> Report:
    """Take a side's record of its own game.

    Raises Forbidden (not the account's game), Conflict (already settled) and Unprocessable with
    the referee's ply, move, cell and code; such a refused attempt leaves one journal line.
    """
    seat = seat_for(game, by, seat)
    try:
        record, verdict = read_record(content)
    except Unprocessable as refusal:
        _journal_refusal(game, seat, content, refusal, by)
        raise
    check_conditions(game, record)
    if verdict["state"] != "finished":
        raise Unprocessable(
            "record_unfinished",
            "the record proves no result yet; end it with `agreed` and the score, `resign` or"
            " `time`, or send a claim instead",
        )
    return add_report(
        game.pk,
        by,
        Report.Kind.RECORD,
        seat=seat,
        record=str(record),
        digest=verdict["digest"],
        outcome=proven_outcome(verdict),
    )


def _journal_refusal(
    game: Game, seat: str, content: str | dict[str, Any], refusal: Unprocessable, by: Account
) -> None:
    """Leave a trace of an illegal record, in a transaction of its own."""
    sent = content if isinstance(content, str) else repr(content)
    payload = {
        "game": game.pk,
        "seat": seat,
        "errors": refusal.errors,
        "content_digest": hashlib.sha256(sent.encode("utf-8", "replace")).hexdigest(),
    }
    with transaction.atomic():
        write_line(game.journal_stream, "report.refused", payload, by=by)


def submit_claim(
    game: Game, result: str, termination: str, *, by: Account, seat: str | None = None
) -> Report:
    """Take a side's word for the result of its own game, without a record."""
    seat = seat_for(game, by, seat)
    outcome = claimed_outcome(game, result, termination)
    return add_report(game.pk, by, Report.Kind.CLAIM, seat=seat, outcome=outcome)


def their_last_word(game: Game, seat: str) -> Report:
    """The record or claim of the other side that an answer would be to; Conflict without one."""
    words = [Report.Kind.RECORD, Report.Kind.CLAIM]
    theirs = (
        game.reports.filter(kind__in=words)
        .exclude(seat__in=[seat, ""])
        .order_by("-version")
        .first()
    )
    if theirs is None:
        raise Conflict("nothing_to_answer", "the other side has reported nothing yet")
    return theirs


def confirm(
    game: Game, *, by: Account, version: int | None = None, seat: str | None = None
) -> Report:
    """Agree with the other side's last report, which must still be the `version` that was seen."""
    seat = seat_for(game, by, seat)
    theirs = their_last_word(game, seat)
    if version is not None and version != theirs.version:
        raise Conflict(
            "report_superseded",
            f"report {version} is not the other side's last; that is {theirs.version}",
        )
    return add_report(
        game.pk,
        by,
        Report.Kind.CONFIRMATION,
        seat=seat,
        confirms=theirs,
        digest=theirs.digest,
        outcome=theirs.outcome,
    )


def dispute(game: Game, reason: str, *, by: Account, seat: str | None = None) -> Report:
    """Refuse the other side's last report, saying why; the directors see it."""
    seat = seat_for(game, by, seat)
    their_last_word(game, seat)
    return add_report(game.pk, by, Report.Kind.DISPUTE, seat=seat, reason=reason)
