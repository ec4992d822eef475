"""The rounds of a report as rows: pairings, byes, and games whose results are rulings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from games.imports.progress import Progress, no_progress
from games.models import Account, Game, Report
from games.rules.seat import Seat
from tournament.imports.bulk import insert
from tournament.models import Entry, Pairing, Round, Tournament
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
    games = _games(tournament, pairings, results, now)
    insert([game for game, _ in games], step="writing games", progress=progress)
    insert(
        [
            Report(
                game=game,
                version=1,
                kind=Report.Kind.RULING,
                by=by,
                outcome=outcome_of(result),
                reason=reason,
                received_at=now,
                settled_at=now,
            )
            for game, result in games
            if result is not None
        ],
        step="writing results",
        progress=progress,
    )
    seated = (pairing for pairing in pairings if pairing.second_id)
    for pairing, (game, _) in zip(seated, games, strict=True):
        pairing.game = game
    insert(pairings, step="writing pairings", progress=progress)
    return len(games)


def as_kept(both: Both) -> Both:
    """What a game is kept as: half a point to one side alone is awarded in a game both lost."""
    kinds = {result.kind for result in both}
    if kinds != {Kind.DRAW, Kind.LOSS}:
        return both
    one, other = (replace(result, kind=Kind.LOSS) for result in both)
    return one, other


def outcome_of(both: Both) -> dict[str, Any]:
    """The outcome of a game as a ruling writes it."""
    first, second = (result.kind for result in as_kept(both))
    wins = (Kind.WIN, Kind.FORFEIT_WIN)
    termination = "forfeit" if first in FORFEITS else "ruled"
    if first is second is Kind.FORFEIT_LOSS:
        termination = "double-forfeit"
    return {
        "winner": "first" if first in wins else "second" if second in wins else None,
        "draw": first is Kind.DRAW,
        "score": None,
        "termination": termination,
    }


def _award(
    pairing: Pairing,
    results: Sequence[RoundResult],
    kept: Sequence[RoundResult],
    points: PointSystem,
) -> None:
    """Note what the row is worth, where that is not what its result is."""
    pairing.awarded_for, units = awarded_points_of(results, kept, points)
    pairing.awarded_first, pairing.awarded_second = (*units, None, None)[:2]


def _games(
    tournament: Tournament,
    pairings: Sequence[Pairing],
    results: Sequence[Both | None],
    now: datetime,
) -> list[tuple[Game, Both | None]]:
    """A game for each board, with its result as it stands."""
    made = []
    for pairing, result in zip(pairings, results, strict=True):
        if pairing.second is None:
            continue
        game = Game(
            stream=tournament.stream,
            event=tournament.name,
            round=str(pairing.round.number),
            game=tournament.game,
            board=tournament.board,
            options=tournament.options,
            swap=tournament.swap,
            first_id=pairing.first.player_id,
            second_id=pairing.second.player_id,
            rated=tournament.rated and not (result and result[0].short),
            public=tournament.public,
            confirm_hours=tournament.confirm_hours,
            played_on=pairing.round.starts_on,
            created_at=now,
        )
        if result is not None:
            outcome = outcome_of(result)
            game.state, game.basis = Game.State.CONFIRMED, Game.Basis.RULING
            game.winner, game.draw = outcome["winner"] or "", outcome["draw"]
            game.termination, game.confirmed_at = outcome["termination"], now
        made.append((game, result))
    return made


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
