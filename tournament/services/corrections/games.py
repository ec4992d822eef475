"""Gather the corrected results of games, each with the ruling that gives it."""

from collections.abc import Iterator, Sequence

from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.models import Account, Game, Report
from games.play.outcomes import read_record
from games.play.settlement import evaluate_reports
from games.rules.text import Text
from games.services.rulings import statement_of
from games.services.settlement import evaluate_game, load_reports
from tournament import queries
from tournament.core.corrected_results import counted_after
from tournament.core.queries import counted_states
from tournament.corrections.changes import Counted, GameChange, result_values
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.results.services import BoardResult, ResultBasis, outcome_of
from tournament.services.actions import wrong_state
from tournament.services.corrections.requests import ANNULLED, RequestedChange, refuse_change


def gather_games(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    scope: Correction.Scope,
    reason: str,
    by: Account,
) -> Iterator[GameChange]:
    """Yield the changes of games in a request; nothing is written."""
    numbers = [change.game for change in requested if change.game is not None]
    pairings = load_pairings(tournament, numbers)
    found = {game.pk: game for pairing in pairings.values() for game in games_of(pairing)}
    reports = load_reports([found[number] for number in numbers if number in found])
    counted: dict[int, Counted] = {}
    for index, change in enumerate(requested):
        if change.game is None:
            continue
        if change.game not in found:
            detail = Text(
                "the event has no game %(number)s in its current pairings", number=change.game
            )
            raise refuse_change("unknown_game", index, detail, "game")
        game, pairing = found[change.game], pairings[change.game]
        known = reports[game.pk]
        require_counted_round(tournament, pairing.round, at=f"/changes/{index}/game")
        settlement, _ = evaluate_game(game, known, at=timezone.now())
        if settlement.state not in (Game.State.CONFIRMED, Game.State.ANNULLED):
            detail = Text(
                "game %(number)s is %(state)s; rule it instead",
                number=game.pk,
                state=Game.State(settlement.state),
            )
            raise Conflict("game_open", detail, at=f"/changes/{index}/game")
        report = _ruling(game, change, index, reason=reason, by=by, version=len(known) + 1)
        after = evaluate_reports([*known, report], deadline_passed=True)
        values = result_values(settlement), result_values(after)
        before = counted.get(pairing.pk, pairing.counted)
        counted[pairing.pk] = counted_after(before, str(game.pk), values[0], scope)
        if values[0] == values[1] and before == counted[pairing.pk]:
            detail = Text("game %(number)s has this result already", number=game.pk)
            raise refuse_change("nothing_to_correct", index, detail, "result")
        yield GameChange(
            pairing=pairing,
            game=game,
            report=report,
            settlement=after,
            before=values[0],
            after=values[1],
            counted=(before, counted[pairing.pk]),
        )


def load_pairings(tournament: Tournament, games: Sequence[int]) -> dict[int, Pairing]:
    """Return the current pairings of these games, with their rounds, by the ids of the games."""
    pairings = queries.current_pairings(tournament).filter(
        Q(game__in=games) | Q(return_game__in=games)
    )
    related = ("round", "game__record", "return_game__record", "game__first", "game__second")
    return {
        game.pk: pairing
        for pairing in pairings.select_related(*related)
        for game in games_of(pairing)
        if game.pk in games
    }


def games_of(pairing: Pairing) -> list[Game]:
    """Return the one or two games of a pairing."""
    return [game for game in (pairing.game, pairing.return_game) if game is not None]


def require_counted_round(tournament: Tournament, this_round: Round, *, at: str) -> None:
    """Raise Conflict unless the round counts in the standings; else its results can be ruled."""
    states = counted_states(tournament)
    if this_round.state not in states:
        found = wrong_state(
            Text("round %(number)s", number=this_round.number), this_round.state, *states
        )
        raise Conflict(
            found.code, Text("%(detail)s; rule its games instead", detail=found.detail), at=at
        )


def _ruling(
    game: Game, change: RequestedChange, index: int, *, reason: str, by: Account, version: int
) -> Report:
    """Return the report that gives a game its corrected result; it is not saved."""
    report = Report(
        game=game, kind=Report.Kind.RULING, version=version, by=by, reason=reason, pk=None
    )
    if change.result == ANNULLED:
        report.kind = Report.Kind.ANNULMENT
        return report
    at = f"/changes/{index}"
    try:
        if change.record is not None:
            content = change.record if isinstance(change.record, str) else dict(change.record)
            statement = statement_of(game, *read_record(content))
            report.record, report.digest = statement.record, statement.digest
            outcome = statement.outcome
        else:
            result = BoardResult(0, change.result, change.score)
            outcome = outcome_of(game, result, ResultBasis.RULING, at="")
    except Unprocessable as refused:
        errors = [
            {**error, "pointer": at + error.get("pointer", "")} for error in refused.errors
        ] or [{"pointer": at, "code": refused.code, "detail": refused.detail}]
        raise Unprocessable(refused.code, refused.detail, errors) from refused
    assert outcome is not None, "a ruling has an outcome"
    report.outcome = outcome.as_json()
    return report
