"""What the two sides say of their game: a record, a claim, a confirmation, a dispute.

Everything is read, replayed and compared with the game's conditions before a row is written; what
comes through is stored as a new version and settled by a task.
"""

import hashlib
from typing import Any

from django.db import transaction
from django.db.models import Max

from games.errors import Conflict, Forbidden, Unprocessable
from games.journal import write_line
from games.models import Account, Game, Report
from games.rules import find_game
from games.rules.errors import RecordError
from games.rules.record import Record
from games.services.sending import send_on_commit

CLAIMED_ENDINGS = ("agreed", "resigned", "time")
FINISHED_STATES = (Game.State.CONFIRMED, Game.State.ANNULLED)


def seat_for(game: Game, by: Account, seat: str | None = None) -> str:
    """The seat that the account speaks for; raises Forbidden when the game is not its own."""
    seats = game.seats_of(by)
    if seat is not None and seat not in seats:
        raise Forbidden("not_your_game", f"you do not hold the {seat} seat of game {game.pk}")
    if not seats:
        raise Forbidden("not_your_game", f"you hold no seat of game {game.pk}")
    return seat or seats[0]


def conditions_of(game: Game) -> dict[str, Any]:
    """What a record must agree with, in the JSON form of a record.

    A game that knows several starts has the usual one in an event.
    """
    read_setup = find_game(game.game).read_setup
    setup = read_setup(None) if read_setup else None
    return {
        "game": game.game,
        "board": game.board,
        "options": list(game.options),
        "swap": game.swap,
        "handicap": game.handicap,
        "advice": game.advice or None,
        "setup": setup and {"first": list(setup[0]), "second": list(setup[1])},
    }


def check_conditions(game: Game, record: Record) -> None:
    """Raise `conditions_differ` naming each tag in which the record is of another game."""
    wanted, found = conditions_of(game), record.conditions()
    errors = [
        {
            "code": "conditions_differ",
            "pointer": f"/record/{name}",
            "detail": f"the record has {name} {found[name]!r}, the game was set with {value!r}",
        }
        for name, value in wanted.items()
        if found[name] != value
    ]
    names = (record.tags.get("First"), record.tags.get("Second"))
    if names == (game.second.name, game.first.name) and names[0] != names[1]:
        errors.append(
            {
                "code": "conditions_differ",
                "pointer": "/record/tags/First",
                "detail": f"{game.first.name} has the first seat of this game, not the second",
            }
        )
    if errors:
        listed = ", ".join(error["pointer"].rsplit("/", 1)[1] for error in errors)
        raise Unprocessable(
            "conditions_differ", f"the record is not of this game: {listed} differ", errors
        )


def read_record(content: str | dict[str, Any]) -> tuple[Record, dict[str, Any]]:
    """A record, text or JSON, with its verdict; raises RecordError at its first error."""
    record = Record.parse(content) if isinstance(content, str) else Record.from_json(content)
    return record, record.replay().as_dict()


def read_record_or_refuse(
    content: str | dict[str, Any],
) -> tuple[Record, dict[str, Any]]:
    """`read_record` with its errors as a refusal of the request (422)."""
    try:
        return read_record(content)
    except RecordError as error:
        raise Unprocessable(
            error.code,
            f"the record is refused: {error.detail}",
            [{**error.as_dict(), "pointer": "/record"}],
        ) from error


def outcome_of(verdict: dict[str, Any]) -> dict[str, Any]:
    """The part of a verdict that says who won, how and with what score."""
    return {
        "winner": verdict.get("winner"),
        "draw": bool(verdict.get("draw", False)),
        "score": verdict.get("score"),
        "termination": verdict.get("termination"),
    }


def proven_outcome(verdict: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a record, with what its verdict counts on the board by seat (`detail`)."""
    detail = verdict.get("detail")
    return outcome_of(verdict) | ({"detail": detail} if detail else {})


def claimed_outcome(game: Game, result: str, termination: str = "agreed") -> dict[str, Any]:
    """The outcome that a claim such as `26-25`, `1-0` or `1/2` stands for, checked by the rules.

    A score must be one that a full board can give; a bare `1-0` in a game that counts scores
    needs `resigned` or `time`. Raises Unprocessable.
    """
    if termination not in CLAIMED_ENDINGS:
        raise Unprocessable(
            "unknown_termination", f"a claim's termination is one of {', '.join(CLAIMED_ENDINGS)}"
        )
    if result in ("1-0", "0-1") and termination != "agreed":
        winner = "first" if result == "1-0" else "second"
        return {"winner": winner, "draw": False, "score": None, "termination": termination}
    claim = {**conditions_of(game), "moves": ["agreed"], "result": result}
    try:
        verdict = Record.from_json(claim).replay().as_dict()
    except RecordError as error:
        raise Unprocessable(
            "claim_refused",
            f"the claim {result[:20]!r} cannot be: {error.detail}",
            [{**error.as_dict(), "pointer": "/claim/result"}],
        ) from error
    return outcome_of(verdict)


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
        record, verdict = read_record_or_refuse(content)
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
