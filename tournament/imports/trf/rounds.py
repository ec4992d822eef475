"""Create the rounds of a TRF file: pairings, byes, and games whose results are rulings."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from games.imports.progress import Progress
from games.models import Account, Game, Report
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.seat import Seat
from games.services.settlement import apply_settlement, evaluate_reports
from tournament.imports.bulk import insert_values
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.services.games import build_game
from tournament.standings.awarded_points import awarded_points_of
from tournament.standings.crosstable import (
    ABSENT,
    BYES,
    FORFEITS,
    Competitor,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.points import PointSystem
from tournament.trf import TrfFile

SYSTEM = "imported"
BYE_KINDS = {
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
class BoardRows:
    """The rows of a board; the pairing and the ruling lack the key of the game."""

    pairing: Values
    game: Values
    ruling: Values | None = None


def create_rounds(
    tournament: Tournament,
    document: TrfFile,
    entries: Mapping[PlayerId, Entry],
    *,
    by: Account,
    reason: str,
    progress: Progress,
) -> list[Values]:
    """Create every round of a file; return the rounds with their boards for the journal.

    A round with results is complete; a round that is paired but not played is published, with open
    games. Board numbers follow the lower pairing number of each board.
    """
    now = timezone.now()
    table = document.crosstable
    ruling = Report(
        version=1, kind=Report.Kind.RULING, by=by, reason=reason, received_at=now, settled_at=now
    )
    boards: list[BoardRows] = []
    byes: list[Values] = []
    rounds: list[Round] = []
    for number in range(1, table.rounds + 1):
        progress("writing rounds", number - 1, table.rounds)
        paired, unpaired = _boards_and_byes(document, number)
        this_round = _build_round(document, number, reason, now, is_paired=bool(paired or unpaired))
        this_round.tournament = tournament
        this_round.save()
        rounds.append(this_round)
        boards += _build_boards(this_round, paired, entries, table.points, ruling)
        byes += _build_byes(this_round, unpaired, entries, table.points)

    keys = insert_values(
        Game, [board.game for board in boards], step="writing games", progress=progress
    )
    rulings = [
        board.ruling | {"game_id": key}
        for board, key in zip(boards, keys, strict=True)
        if board.ruling
    ]
    insert_values(Report, rulings, step="writing results", progress=progress)
    pairings = [board.pairing | {"game_id": key} for board, key in zip(boards, keys, strict=True)]
    pairings += byes
    insert_values(Pairing, pairings, step="writing pairings", progress=progress)
    outcomes = {
        key: [board.game["winner"], board.game["draw"], board.game["termination"]]
        for board, key in zip(boards, keys, strict=True)
        if board.ruling
    }
    by_round: dict[int, list[Values]] = defaultdict(list)
    for pairing in pairings:
        by_round[pairing["round_id"]].append(pairing)
    return [_round_payload(row, by_round[row.pk], outcomes) for row in rounds]


def _round_payload(
    this_round: Round, pairings: Sequence[Values], outcomes: Mapping[int, list[Any]]
) -> Values:
    """Return a round for the journal: each board with its game, its outcome and its award."""
    return {
        "round": this_round.number,
        "state": this_round.state,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "starts_on": this_round.starts_on.isoformat() if this_round.starts_on else None,
        "boards": [
            [
                row["board_number"], row["first_id"], row["second_id"], row["kind"],
                row["game_id"], outcomes.get(row["game_id"]), _award_of(row),
            ]
            for row in pairings
        ],
    }  # fmt: skip


def _award_of(row: Values) -> list[Any] | None:
    names = ("awarded_for", "awarded_first", "awarded_second")
    return [row[name] for name in names] if row["awarded_for"] else None


def _build_round(
    document: TrfFile, number: int, reason: str, at: datetime, *, is_paired: bool
) -> Round:
    is_complete = number <= document.crosstable.completed
    this_round = Round(number=number, starts_on=_parse_date(document.header.round_dates, number))
    if is_paired:
        this_round.state, this_round.published_at = Round.State.PUBLISHED, at
        this_round.version, this_round.system, this_round.reason = 1, SYSTEM, reason
    if is_complete:
        this_round.state, this_round.completed_at = Round.State.COMPLETE, at
    return this_round


def _stored_results(results: Results) -> Results:
    """Return the results as stored: ½-0 is a game that both lost, with half a point awarded."""
    if {result.kind for result in results} != {Kind.DRAW, Kind.LOSS}:
        return results
    first, second = (replace(result, kind=Kind.LOSS) for result in results)
    return first, second


def _outcome_of(results: Results) -> GameOutcome:
    """Return the outcome of a ruling with these results."""
    first, second = (result.kind for result in _stored_results(results))
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


def _build_boards(
    this_round: Round,
    boards: Boards,
    entries: Mapping[PlayerId, Entry],
    points: PointSystem,
    ruling: Report,
) -> Iterator[BoardRows]:
    """Yield the rows of boards, with a copy of the ruling for each result.

    Boards with the same result differ only in their players, so one of them is built and settled.
    """
    built: dict[Any, BoardRows] = {}
    for board_number, (first, second, results) in enumerate(boards, start=1):
        key = results and tuple((result.kind, result.short, result.awarded) for result in results)
        one, other = entries[first], entries[second]
        if key not in built:
            pairing = _build_pairing(this_round, one)
            pairing.second = other
            built[key] = _build_board(pairing, results, points, ruling)
        seats = {"board_number": board_number, "first_id": one.pk, "second_id": other.pk}
        players = {"first_id": one.player_id, "second_id": other.player_id}
        template = built[key]
        yield BoardRows(template.pairing | seats, template.game | players, template.ruling)


def _build_board(
    pairing: Pairing, results: Results | None, points: PointSystem, ruling: Report
) -> BoardRows:
    tournament, at = pairing.tournament, ruling.received_at
    is_rated = tournament.rated and not (results and results[0].short)
    game = build_game(tournament, pairing.round, pairing, rated=is_rated, at=at)
    if results is None:
        return BoardRows(vars(pairing), vars(game))
    _set_award(pairing, results, _stored_results(results), points)
    ruling.outcome = _outcome_of(results).as_json()
    apply_settlement(game, evaluate_reports([ruling], deadline_passed=False), at=at)
    return BoardRows(vars(pairing), vars(game), dict(vars(ruling)))


def _build_byes(
    this_round: Round, byes: Byes, entries: Mapping[PlayerId, Entry], points: PointSystem
) -> Iterator[Values]:
    for player, bye in byes:
        pairing = _build_pairing(this_round, entries[player])
        pairing.kind = BYE_KINDS[bye.kind]
        _set_award(pairing, (bye,), (RoundResult(bye.kind),), points)
        yield vars(pairing)


def _build_pairing(this_round: Round, first: Entry) -> Pairing:
    return Pairing(tournament=this_round.tournament, round=this_round, version=1, first=first)


def _boards_and_byes(document: TrfFile, number: int) -> tuple[Boards, Byes]:
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
        elif _has_first_seat(player, result):
            opponent = result.opponent or 0
            results = result, table.by_number[opponent].result(number)
            boards.append((player.number, opponent, results))
    boards.sort(key=lambda board: min(board[:2]))
    return boards, byes


def _has_first_seat(player: Competitor, result: RoundResult) -> bool:
    if result.seat is None:
        return player.number < (result.opponent or 0)
    return result.seat is Seat.FIRST


def _parse_date(dates: Sequence[str], number: int) -> date | None:
    """Return the date of a round, written as `26/05/15`, or None."""
    parts = dates[number - 1].split("/") if number <= len(dates) else []
    try:
        year, month, day = map(int, parts)
        return date(2000 + year, month, day)
    except ValueError:
        return None
