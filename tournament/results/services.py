"""Results that scorers enter by board, from slips or as rulings: all of a request, or none.

Both players have signed a slip, and the slip is the basis of its result. A forfeit is always a
ruling, because an absent player signs nothing. A result that a game has already is not replaced
here: a different one is rejected, and a ruling of that game corrects it, or a correction once the
round is complete. No slip settles a dispute: an arbiter decides it, with a reason. A result that
contradicts what one of the players has reported must be accepted as such. Who entered a
result takes it back while the round is being played and nothing was reported since; the game is
then what its earlier reports make it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import NewLine, append_lines
from games.core.journal.rows import changed_rows
from games.models import Account, Game, Report
from games.play.outcomes import (
    FORFEIT_MARK,
    conditions_of,
    final_result,
    require_result,
    ruled_outcome,
)
from games.play.queries import result_text
from games.play.services import report_payload
from games.play.settlement import (
    FINISHED_STATES,
    evaluate_game,
    find_last_statement,
    load_reports,
    settle_locked_games,
)
from games.play.states import correction_needed
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.outcome import Termination
from games.rules.records.handicaps import with_points
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.queries import current_pairings
from tournament.core.states import wrong_state
from tournament.models import Round, Tournament
from tournament.rounds.acceptance import REPORT_DIFFERS
from tournament.rounds.targets import lock_current_round

DISPUTED = Text("the players dispute the result; only a decision with a reason settles it")
ENTERED_KINDS = (Report.Kind.SLIP, Report.Kind.RULING, Report.Kind.ANNULMENT)
"""What an official decides of a game, and can take back."""
SUPERSEDED = Text("its last report is not a result that you entered; decide the game instead")
Error = dict[str, Any]


class ResultBasis(StrEnum):
    """Why the results of a request are true."""

    SLIP = "slip"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of a game as a scorer enters it: `1-0`, `0-1f`, `1/2` or `14-7`.

    `score` is that of a result such as `1-0`. `return_game` is the second game of a pairing. With
    `before_handicap`, scores are those counted on the board, without the points of the handicap.
    """

    board: int
    result: str
    score: str = ""
    return_game: bool = False
    before_handicap: bool = False

    @property
    def place(self) -> Text:
        """The board as errors name it."""
        if self.return_game:
            return Text("board %(number)s, return game", number=self.board)
        return Text("board %(number)s", number=self.board)

    @property
    def is_forfeit(self) -> bool:
        """Return True if a player, or both, did not appear."""
        return self.result.endswith(FORFEIT_MARK)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of a game, with its place in the request."""

    index: int
    result: BoardResult
    game: Game
    outcome: GameOutcome


def enter_results(
    tournament: Tournament,
    number: int,
    results: Sequence[BoardResult],
    basis: ResultBasis,
    *,
    reason: str,
    by: Account,
    accept: Collection[str] = (),
) -> Round:
    """Enter results of a round and settle their games; the same result again changes nothing.

    Raises Unprocessable with every board that the round does not have, that is listed twice or that
    cannot have its result, and Conflict with every game that has another result, or of which a
    player has reported another one, unless `accept` has its code.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "enter_results")
        games = _lock_games(tournament, this_round)
        _, found = check_all(
            partial(_require_reason, basis, reason), partial(_read_results, games, results, basis)
        )
        now = timezone.now()
        reports = load_reports([read.game for read in found])
        new = _without_known(found, reports, basis, accept, at=now)
        new_reports = [
            Report(
                game=read.game,
                version=len(reports[read.game.pk]) + 1,
                kind=_kind_of(read.result, basis),
                by=by,
                outcome=read.outcome.as_json(),
                reason=reason,
                received_at=now,
            )
            for read in new
        ]

        if new:
            _write_reports(tournament, new_reports, at=now)
    return this_round


def revoke_results(
    tournament: Tournament, number: int, games: Sequence[int], *, by: Account
) -> Round:
    """Take back results of a round being played, and settle their games by the earlier reports.

    Raises Unprocessable with every game that the round does not have, and Conflict with every game
    whose last report is not a result that this account entered.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "enter_results")
        if this_round.state != Round.State.PUBLISHED:
            place = Text("round %(number)s", number=number)
            raise wrong_state(place, this_round.state, Round.State.PUBLISHED)
        locked = _lock_games(tournament, this_round)
        places = {game.pk: place for place, game in locked.items()}
        entered = entered_results(tournament, list(locked.values()), by)
        unknown: list[Error] = []
        superseded: list[Error] = []
        for index, game in enumerate(games):
            at = f"/game_ids/{index}"
            if game not in places:
                detail = Text("round %(number)s has no game %(game)s", number=number, game=game)
                unknown.append({"code": "no_such_game", "pointer": at, "detail": detail})
            elif game not in entered:
                board, is_return_game = places[game]
                result = BoardResult(board or 0, "", return_game=is_return_game)
                superseded.append(_error("report_superseded", at, result, SUPERSEDED))
        if unknown:
            raise Unprocessable("no_such_game", unknown[0]["detail"], unknown)
        if superseded:
            raise Conflict("report_superseded", superseded[0]["detail"], superseded)
        revocations = [
            Report(
                game=locked[places[report.game_id]],
                version=report.version + 1,
                kind=Report.Kind.REVOCATION,
                by=by,
                confirms=report,
            )
            for report in (entered[game] for game in dict.fromkeys(games))
        ]
        _write_reports(tournament, revocations, at=timezone.now())
    return this_round


def entered_results(
    tournament: Tournament, games: Sequence[Game], by: Account
) -> dict[int, Report]:
    """Return the results that an account can take back, by game: the last report, and its own.

    A correction, which has its own undo, is none.
    """
    corrections = tournament.corrections.values_list("changes", flat=True)
    corrected = {
        (change.get("game"), change.get("report")) for changes in corrections for change in changes
    }
    last = [reports[-1] for reports in load_reports(games).values() if reports]
    return {
        report.game_id: report
        for report in last
        if report.kind in ENTERED_KINDS
        and report.by_id == by.pk
        and (report.game_id, report.version) not in corrected
    }


def _write_reports(tournament: Tournament, reports: Sequence[Report], *, at: datetime) -> None:
    """Store reports of officials with their journal lines, and settle the games."""
    Report.objects.bulk_create(reports)
    append_lines(
        tournament.stream,
        [
            NewLine(f"report.{row.kind}", report_payload(row), row.by, changed_rows(row))
            for row in reports
        ],
    )
    settle_locked_games([row.game for row in reports], at=at)


def _require_reason(basis: ResultBasis, reason: str) -> None:
    if basis == ResultBasis.RULING and not reason:
        raise Unprocessable("invalid", Text("a ruling needs a reason"), at="/reason")


def _kind_of(result: BoardResult, basis: ResultBasis) -> Report.Kind:
    if basis == ResultBasis.RULING or result.is_forfeit:
        return Report.Kind.RULING
    return Report.Kind.SLIP


def _lock_games(tournament: Tournament, this_round: Round) -> dict[tuple[int | None, bool], Game]:
    """Return the games of a round, locked, by board and whether they are return games.

    A draft has none yet.
    """
    pairings = current_pairings(tournament).filter(round=this_round, game__isnull=False)
    places = {}
    for board, game, return_game in pairings.values_list(
        "board_number", "game_id", "return_game_id"
    ):
        places[board, False] = game
        if return_game is not None:
            places[board, True] = return_game
    # By key, as everyone who locks several games; not their keys, as lock_game.
    games = Game.objects.select_for_update(no_key=True).order_by("pk").in_bulk(places.values())
    return {place: games[game] for place, game in places.items()}


def _read_results(
    games: dict[tuple[int | None, bool], Game], results: Sequence[BoardResult], basis: ResultBasis
) -> list[ReadResult]:
    """Return the outcome of each result; raises Unprocessable with all that are wrong."""
    found: list[ReadResult] = []
    errors: list[Error] = []
    listed = set()
    for index, result in enumerate(results):
        place = result.board, result.return_game
        at = f"/results/{index}/board"
        if place not in games:
            errors.append(_error("no_such_board", at, result, Text("the round has no such game")))
            continue
        if place in listed:
            errors.append(_error("board_listed_twice", at, result, Text("it has two results here")))
            continue
        listed.add(place)
        try:
            outcome = outcome_of(games[place], result, basis, at=f"/results/{index}")
            found.append(ReadResult(index, result, games[place], outcome))
        except Unprocessable as refused:
            errors += [
                {**error, **_error(refused.code, error["pointer"], result, error["detail"])}
                for error in refused.errors
            ]
    if errors:
        raise Unprocessable(errors[0]["code"], errors[0]["detail"], errors)
    return found


def outcome_of(game: Game, result: BoardResult, basis: ResultBasis, *, at: str) -> GameOutcome:
    """Return the outcome of a result; raises Unprocessable if the game cannot end so."""
    is_ruled = basis == ResultBasis.RULING
    require_result(game, result.result, at=f"{at}/result", is_ruled=is_ruled)
    if result.is_forfeit:
        if result.score:
            detail = Text("a forfeit has no score; the score is %(score)s", score=result.score)
            raise Unprocessable("impossible_result", detail, at=f"{at}/score")
        token = result.result.removesuffix(FORFEIT_MARK)
        return GameOutcome.from_result(token, RulingTermination.FORFEIT)
    if result.before_handicap:
        final, score = (final_result(game, counted) for counted in (result.result, result.score))
        result = replace(result, result=final, score=score)
    termination = Termination.AGREED if basis == ResultBasis.SLIP else RulingTermination.RULED
    if not result.score:
        return ruled_outcome(game, result.result, termination, at=f"{at}/result")
    outcome, scored = check_all(
        partial(ruled_outcome, game, result.result, termination, at=f"{at}/result"),
        partial(ruled_outcome, game, result.score, termination, at=f"{at}/score"),
    )
    if not scored.agrees_with(outcome):
        detail = Text(
            "the score %(score)s does not give the result %(result)s",
            score=result.score,
            result=result.result,
        )
        raise Unprocessable("impossible_result", detail, at=f"{at}/score")
    found: GameOutcome = scored
    return found


def _without_known(
    found: Sequence[ReadResult],
    reports: dict[int, list[Report]],
    basis: ResultBasis,
    accept: Collection[str],
    *,
    at: datetime,
) -> list[ReadResult]:
    """Return the results of games that have none.

    Raises Conflict with those that differ, with slips of disputed games, and with those that
    contradict the report of a player, unless the caller accepts that.
    """
    new: list[ReadResult] = []
    errors: list[Error] = []
    contradictions: list[Error] = []
    for read in found:
        settlement, _ = evaluate_game(read.game, reports[read.game.pk], at=at)
        if settlement.state == Game.State.DISPUTED and basis != ResultBasis.RULING:
            at_board = f"/results/{read.index}/board"
            errors.append(_error("game_disputed", at_board, read.result, DISPUTED))
        elif settlement.state not in FINISHED_STATES:
            new.append(read)
            if settlement.state == Game.State.WAITING:
                contradictions += _find_contradiction(read, reports[read.game.pk])
        elif settlement.report is None or not read.outcome.repeats(
            GameOutcome.from_json(settlement.report.outcome)
        ):
            detail = Text(
                "this game has another result already; only a decision on the game changes it"
            )
            differs = Conflict("result_differs", detail)
            if read.game.round_complete:
                differs = correction_needed()
            at_result = f"/results/{read.index}/result"
            errors.append(_error(differs.code, at_result, read.result, differs.detail))
    if errors:
        raise Conflict(errors[0]["code"], errors[0]["detail"], errors)
    if contradictions and REPORT_DIFFERS not in accept:
        detail = Text(
            "%(detail)s; send `accept`: %(codes)s",
            detail=contradictions[0]["detail"],
            codes=REPORT_DIFFERS,
        )
        raise Conflict("acceptance_needed", detail, contradictions, accept=[REPORT_DIFFERS])
    return new


def _find_contradiction(read: ReadResult, reports: Sequence[Report]) -> list[Error]:
    """Return the error of a result that contradicts the last report of a player, if it does."""
    stated = find_last_statement(reports)
    if stated is None or read.outcome.repeats(GameOutcome.from_json(stated.outcome)):
        return []
    player = read.game.first if stated.seat == Seat.FIRST else read.game.second
    detail = Text(
        "%(player)s has reported %(result)s; look at the slip again",
        player=player.name,
        result=_reported_result(read, stated),
    )
    return [_error(REPORT_DIFFERS, f"/results/{read.index}/result", read.result, detail)]


def _reported_result(read: ReadResult, report: Report) -> str:
    """Return the result of a report, counted as the entered one is."""
    outcome = GameOutcome.from_json(report.outcome)
    score = outcome.score or (None, None)
    result = result_text(
        Game.State.CONFIRMED, outcome.winner or "", outcome.draw, score, outcome.termination or ""
    )
    points = conditions_of(read.game).points_for_first if read.result.before_handicap else 0
    return with_points(result or "", -points)


def _error(code: str, pointer: str, result: BoardResult, detail: str) -> Error:
    text = Text("%(subject)s: %(detail)s", subject=result.place, detail=detail)
    return {"code": code, "pointer": pointer, "board": result.board, "detail": text}
