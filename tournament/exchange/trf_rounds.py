"""The rows of the boards and byes of a TRF file: pairings, and games whose results are rulings."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from games.models import Report
from games.play.settlement import evaluate_reports
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.seat import Seat
from games.services.settlement import apply_settlement
from tournament.imports.trf.entries import Entries
from tournament.models import Entry, Pairing, Round
from tournament.rounds.games import build_game
from tournament.standings.awarded_points import awarded_points_of
from tournament.standings.crosstable import (
    ABSENT,
    BYES,
    FORFEITS,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.points import PointSystem
from tournament.trf import TrfFile
from tournament.trf.rounds import has_first_seat

BYE_KINDS_OF_RESULTS = {
    Kind.PAIRING_BYE: Pairing.Kind.PAIRING_BYE,
    Kind.HALF_BYE: Pairing.Kind.HALF_BYE,
    Kind.ZERO_BYE: Pairing.Kind.ZERO_BYE,
    Kind.FULL_BYE: Pairing.Kind.FULL_BYE,
}

Results = tuple[RoundResult, RoundResult]
"""The results of the first and the second seat."""
Boards = list[tuple[PlayerId, PlayerId, Results | None]]
Byes = list[tuple[PlayerId, RoundResult]]
Values = dict[str, Any]
"""A row of a table, by attribute."""


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of a game; its ruling or adjournment lacks the key of the game."""

    game: Values
    report: Values | None = None


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows of a board; the pairing lacks the keys of its games."""

    pairing: Values
    games: tuple[GameRows, ...]


def boards_and_byes(document: TrfFile, number: int) -> tuple[Boards, Byes]:
    """Return the boards of a round by the lower pairing number, and its byes."""
    table = document.crosstable
    if number > table.completed:
        if number > table.completed + 1 or not document.open_pairings:
            return [], []
        announced = [bye for bye in document.byes if bye.round == number]
        return (
            [(first, second, None) for first, second in document.open_pairings],
            [(bye.player, RoundResult(bye.kind)) for bye in announced],
        )
    boards: Boards = []
    byes: Byes = []
    for player in table.players:
        result = player.result(number)
        if result.kind in BYES:
            # An absence that was not announced needs no row: it counts as a zero-point bye.
            if result != ABSENT:
                byes.append((player.number, result))
        elif has_first_seat(player.number, result):
            opponent = result.opponent or 0
            results = result, table.by_number[opponent].result(number)
            boards.append((player.number, opponent, results))
    boards.sort(key=lambda board: min(board[:2]))
    return boards, byes


def build_boards(
    this_round: Round,
    boards: Boards,
    entries: Entries,
    points: PointSystem,
    ruling: Report,
) -> Iterator[BoardRows]:
    """Yield the rows of boards, with a copy of the ruling for each result or adjournment.

    Boards with the same result differ only in their players, so one of them is built and settled.
    """
    built: dict[Any, BoardRows] = {}
    for board_number, (first, second, results) in enumerate(boards, start=1):
        key = results and tuple(
            (result.kind, result.short, result.awarded, result.games, result.adjourned)
            for result in results
        )
        one, other = entries[first], entries[second]
        if key not in built:
            pairing = _build_pairing(this_round, one)
            pairing.second = other
            built[key] = _build_board(pairing, results, points, ruling)
        seats = {"board_number": board_number, "first_id": one.pk, "second_id": other.pk}
        place = f"{this_round.number}/1/{board_number}"
        players = {"first_id": one.player_id, "second_id": other.player_id, "place": place}
        exchanged = {
            "first_id": other.player_id,
            "second_id": one.player_id,
            "place": f"{place}/2",
        }
        template = built[key]
        yield BoardRows(
            template.pairing | seats,
            tuple(
                replace(rows, game=rows.game | seated)
                for rows, seated in zip(template.games, (players, exchanged), strict=False)
            ),
        )


def build_byes(
    this_round: Round, byes: Byes, entries: Entries, points: PointSystem
) -> Iterator[Values]:
    """Yield the rows of byes, which are pairings with one player."""
    for player, bye in byes:
        pairing = _build_pairing(this_round, entries[player])
        pairing.kind = BYE_KINDS_OF_RESULTS[bye.kind]
        _set_award(pairing, (bye,), (RoundResult(bye.kind),), points)
        yield vars(pairing)


def _stored_results(results: Results) -> Results:
    """Return the results as stored: ½-0 is a game that both lost, with half a point awarded."""
    if {result.kind for result in results} != {Kind.DRAW, Kind.LOSS}:
        return results
    first, second = (replace(result, kind=Kind.LOSS) for result in results)
    return first, second


def _kinds_of_games(results: Results) -> tuple[tuple[Kind, Kind], ...]:
    """Return the results of each game of a pairing, by the seats of the game."""
    first, second = _stored_results(results)
    if not first.games:
        return ((first.kind, second.kind),)
    game, return_game = zip(first.games, second.games, strict=True)
    return game, return_game[::-1]


def _outcome_of(first: Kind, second: Kind) -> GameOutcome:
    """Return the outcome of a ruling with these results of both seats."""
    wins = (Kind.WIN, Kind.FORFEIT_WIN)
    termination = RulingTermination.FORFEIT if first in FORFEITS else RulingTermination.RULED
    if first is second is Kind.FORFEIT_LOSS:
        termination = RulingTermination.DOUBLE_FORFEIT
    return GameOutcome(
        winner=Seat.FIRST if first in wins else Seat.SECOND if second in wins else None,
        draw=first is Kind.DRAW,
        termination=termination,
    )


def _set_award(
    pairing: Pairing,
    results: Sequence[RoundResult],
    stored: Sequence[RoundResult],
    points: PointSystem,
) -> None:
    """Store the points of the file if they are not those of the stored results."""
    pairing.awarded_for, units = awarded_points_of(results, stored, points)
    pairing.awarded_first, pairing.awarded_second = (*units, None, None)[:2]


def _build_board(
    pairing: Pairing, results: Results | None, points: PointSystem, ruling: Report
) -> BoardRows:
    tournament, at = pairing.tournament, ruling.received_at
    is_rated = tournament.rated and not (results and results[0].short)
    games = [
        build_game(
            tournament, pairing.round, pairing, rated=is_rated, at=at, is_return_game=index == 1
        )
        for index in range(tournament.games_per_pairing)
    ]
    if results is None:
        return BoardRows(vars(pairing), tuple(GameRows(vars(game)) for game in games))
    if results[0].adjourned:
        reports = [_adjournment(ruling) for _ in games]
    else:
        _set_award(pairing, results, _stored_results(results), points)
        reports = [_ruling_of(ruling, *kinds) for kinds in _kinds_of_games(results)]
    for game, report in zip(games, reports, strict=True):
        apply_settlement(game, evaluate_reports([report], deadline_passed=False), at=at)
    rows = (GameRows(vars(game), vars(report)) for game, report in zip(games, reports, strict=True))
    return BoardRows(vars(pairing), tuple(rows))


def _ruling_of(ruling: Report, first: Kind, second: Kind) -> Report:
    report = copy(ruling)
    report.outcome = _outcome_of(first, second).as_json()
    return report


def _adjournment(ruling: Report) -> Report:
    report = copy(ruling)
    report.kind = Report.Kind.ADJOURNMENT
    return report


def _build_pairing(this_round: Round, first: Entry) -> Pairing:
    return Pairing(tournament=this_round.tournament, round=this_round, version=1, first=first)
