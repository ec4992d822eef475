"""Reports: the two sides of a game send records and claims, confirm and dispute.

A report is read, replayed and compared with the game's conditions before a row is written. It is
stored as a new version and settled by a task. A dry run returns the report without storing it.
"""

from dataclasses import dataclass
from typing import Any

from games.core.errors import Conflict, Forbidden, Unprocessable
from games.core.permissions import may
from games.models import Account, Game, Report, Token
from games.play.actions import find_report_of_other_side, find_state_conflicts, nothing_to_answer
from games.play.outcomes import check_conditions, claimed_outcome, read_record
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from games.rules.records.verdict import State
from games.rules.seat import Seat
from games.rules.text import Text
from games.services.rejections import journal_rejected_record
from games.services.report_versions import ReportStatement, add_report


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
    kind: Report.Kind
    seat: str
    content: ReportStatement


def state_record(
    game: Game,
    content: str | dict[str, Any],
    *,
    by: Account,
    seat: str | None = None,
    journals: bool = True,
) -> Statement:
    """Return what the record of one's own game states.

    Raises Forbidden (not the account's game) and Unprocessable with the referee's ply, move, cell
    and code; a rejected record leaves one journal line, unless `journals` is False.
    """
    seat = seat_of(game, by, seat)
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
                "the record proves no result; end it with `agreed` and the score, "
                "`resign` or `time`, or send a claim instead"
            ),
        )
    outcome = GameOutcome.from_verdict(verdict)
    statement = ReportStatement(outcome, str(record), verdict.digest or "")
    return Statement(game, Report.Kind.RECORD, seat, statement)


def state_claim(
    game: Game, result: str, termination: Termination, *, by: Account, seat: str | None = None
) -> Statement:
    """Return what a claim of a result states, without a record."""
    seat = seat_of(game, by, seat)
    statement = ReportStatement(claimed_outcome(game, result, termination))
    return Statement(game, Report.Kind.CLAIM, seat, statement)


def submit(
    stated: Statement, *, by: Account, token: Token | None = None, dry_run: bool = False
) -> Report:
    """Add the report of a side; raises Conflict if the game is already settled."""
    device = device_of(stated.game, by, token)
    return add_report(
        stated.game.pk,
        by,
        stated.kind,
        stated.content,
        seat=stated.seat,
        device=device,
        dry_run=dry_run,
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
            Text(
                "report %(number)s is not the other side's last report; that is %(other)s",
                number=version,
                other=report.version,
            ),
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
