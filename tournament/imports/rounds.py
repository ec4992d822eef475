"""The rounds of a report as rows: pairings, byes, and games whose results are rulings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from games.imports.progress import Progress, no_progress
from games.models import Account, Game, Report
from games.rules.outcome import GameOutcome, RulingTermination
from games.rules.seat import Seat
from games.services.creation import EventGames, NewGame, build_game
from games.services.settlement import apply_settlement, evaluate_reports
from tournament.imports.bulk import insert
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.services.rounds import event_games
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

BY_IMPORT = "imported"
BYE_KINDS = {
    Kind.PAIRING_BYE: Pairing.Kind.PAIRING_BYE,
    Kind.HALF_BYE: Pairing.Kind.HALF_BYE,
    Kind.ZERO_BYE: Pairing.Kind.ZERO_BYE,
    Kind.FULL_BYE: Pairing.Kind.FULL_BYE,
}

Both = tuple[RoundResult, RoundResult]
"""What a game was for its first and for its second seat."""
Boards = list[tuple[PlayerId, PlayerId, Both | None]]
Byes = list[tuple[PlayerId, RoundResult]]


def make_rounds(
    tournament: Tournament,
    document: TrfFile,
    entries: Mapping[PlayerId, Entry],
    *,
    by: Account,
    reason: str,
    progress: Progress = no_progress,
) -> int:
    """Write every round of a report; how many games that makes.

    Rounds with results are complete; one that is paired and not played is published, its games
    open. Boards stand in the order of their better pairing number.
    """
    table = document.crosstable
    now = timezone.now()
    pairings: list[Pairing] = []
    results: list[Both | None] = []
    for number in range(1, table.rounds + 1):
        progress("writing rounds", number - 1, table.rounds)
        boards, byes = _lines(document, number)
        day = _day(document.header.round_dates, number)
        this_round = Round(tournament=tournament, number=number, starts_on=day)
        if boards or byes:
            is_open = number > table.completed
            this_round.state = Round.State.PUBLISHED if is_open else Round.State.COMPLETE
            this_round.version, this_round.system = 1, BY_IMPORT
            this_round.reason, this_round.published_at = reason, now
            this_round.completed_at = None if is_open else now
        elif number <= table.completed:
            this_round.state, this_round.completed_at = Round.State.COMPLETE, now
        this_round.save()
        common: dict[str, Any] = {"tournament": tournament, "round": this_round, "version": 1}
        for board, (first, second, result) in enumerate(boards, start=1):
            pairing = Pairing(
                board_number=board, first=entries[first], second=entries[second], **common
            )
            if result is not None:
                _award(pairing, result, as_kept(result), table.points)
            pairings.append(pairing)
            results.append(result)
        for player, bye in byes:
            pairing = Pairing(kind=BYE_KINDS[bye.kind], first=entries[player], **common)
            _award(pairing, (bye,), (RoundResult(bye.kind),), table.points)
            pairings.append(pairing)
            results.append(None)
    event = event_games(tournament)
    made: list[tuple[Pairing, Game, Report | None]] = []
    for pairing, result in zip(pairings, results, strict=True):
        if pairing.second is not None:
            game, ruling = _game(event, pairing, result, rated=tournament.rated, at=now)
            made.append((pairing, game, ruling))
    insert([game for _, game, _ in made], step="writing games", progress=progress)
    rulings = []
    for pairing, game, ruling in made:
        pairing.game = game
        if ruling is not None:
            ruling.game, ruling.by, ruling.reason = game, by, reason
            rulings.append(ruling)
    insert(rulings, step="writing results", progress=progress)
    insert(pairings, step="writing pairings", progress=progress)
    return len(made)


def as_kept(both: Both) -> Both:
    """What a game is kept as: half a point to one side alone is awarded in a game both lost."""
    kinds = {result.kind for result in both}
    if kinds != {Kind.DRAW, Kind.LOSS}:
        return both
    one, other = (replace(result, kind=Kind.LOSS) for result in both)
    return one, other


def outcome_of(both: Both) -> GameOutcome:
    """Return the outcome of a game as a ruling states it."""
    first, second = (result.kind for result in as_kept(both))
    wins = (Kind.WIN, Kind.FORFEIT_WIN)
    termination = RulingTermination.FORFEIT if first in FORFEITS else RulingTermination.RULED
    if first is second is Kind.FORFEIT_LOSS:
        termination = RulingTermination.DOUBLE_FORFEIT
    return GameOutcome(
        winner=Seat.FIRST if first in wins else Seat.SECOND if second in wins else None,
        draw=first is Kind.DRAW,
        termination=termination,
    )


def _award(
    pairing: Pairing,
    results: Sequence[RoundResult],
    kept: Sequence[RoundResult],
    points: PointSystem,
) -> None:
    """Note what the row is worth, where that is not what its result is."""
    pairing.awarded_for, units = awarded_points_of(results, kept, points)
    pairing.awarded_first, pairing.awarded_second = (*units, None, None)[:2]


def _game(
    event: EventGames, pairing: Pairing, result: Both | None, *, rated: bool, at: datetime
) -> tuple[Game, Report | None]:
    """Return the game of a pairing, and the ruling that gives it its result, if it has one."""
    assert pairing.second is not None, "a game has two players"
    new = NewGame(
        round=str(pairing.round.number),
        first=pairing.first.player_id,
        second=pairing.second.player_id,
        rated=rated and not (result and result[0].short),
        played_on=pairing.round.starts_on,
        created_at=at,
    )
    game = build_game(event, new)
    if result is None:
        return game, None
    outcome = outcome_of(result).as_json()
    ruling = Report(
        version=1, kind=Report.Kind.RULING, outcome=outcome, received_at=at, settled_at=at
    )
    apply_settlement(game, evaluate_reports([ruling], deadline_passed=False), at=at)
    return game, ruling


def _lines(document: TrfFile, number: int) -> tuple[Boards, Byes]:
    """A round's boards with what each was for its first seat, and its byes."""
    table = document.crosstable
    if number > table.completed:
        open_boards: Boards = [(first, second, None) for first, second in document.open_pairings]
        is_next = number == table.completed + 1 and open_boards
        announced = [bye for bye in document.byes if bye.round == number]
        told = [(bye.player, RoundResult(bye.kind)) for bye in announced]
        return (open_boards, told) if is_next else ([], [])
    boards: Boards = []
    byes: Byes = []
    for player in table.players:
        result = player.result(number)
        if result.kind in BYES:
            # An absence without a word needs no line; every reader takes it as a zero-point bye.
            if result != ABSENT:
                byes.append((player.number, result))
        elif _sits_first(player, result):
            opponent = result.opponent or 0
            both = result, table.by_number[opponent].result(number)
            boards.append((player.number, opponent, both))
    boards.sort(key=lambda board: min(board[:2]))
    return boards, byes


def _sits_first(player: Competitor, result: RoundResult) -> bool:
    if result.seat is None:
        return player.number < (result.opponent or 0)
    return result.seat is Seat.FIRST


def _day(dates: Sequence[str], number: int) -> date | None:
    """The day of a round from `26/05/15`, None where none is told."""
    parts = dates[number - 1].split("/") if number <= len(dates) else []
    try:
        year, month, day = map(int, parts)
        return date(2000 + year, month, day)
    except ValueError:
        return None
