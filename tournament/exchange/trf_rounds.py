"""The rows of a TRF file: its players and entries, its rounds with their boards and byes.

The results of the games are rulings.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Literal

from django.utils import timezone

from games.core.errors import Unprocessable
from games.core.uploads.lists import MAX_LISTED_ERRORS
from games.core.uploads.progress import Progress
from games.core.uploads.services import insert_values
from games.models import Account, Game, Report
from games.names import listed_fide_id
from games.play.settlement import apply_settlement, evaluate_reports
from games.players.matching import MatchedPlayer, PlayerDetails, match_players
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.crosstable_results import NO_SEATS
from tournament.exchange.trf_settings import (
    TrfSystem,
    parse_country,
    personal_details,
    printable,
    round_date,
)
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.models.rounds import IMPORTED
from tournament.rounds.games import advised_seat, build_game
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
from tournament.trf import AnnouncedBye, TrfFile
from tournament.trf.own_record import USUAL
from tournament.trf.rounds import has_first_seat

LONGEST_REASON = 240
"""Characters of the reason of an expulsion, as the column has them."""
Handicaps = Mapping[int, Mapping[PlayerId, str]]
"""The handicaps of boards by round and first player."""
Entries = Mapping[PlayerId, Entry]
"""The entries by the pairing numbers of the file."""


ChosenPlayers = Mapping[PlayerId, int | Literal["new"]]
"""The players that the caller names by pairing numbers, or `new`."""


def match_trf_players(
    players: Sequence[Competitor], chosen: ChosenPlayers, by: Account, progress: Progress
) -> list[MatchedPlayer]:
    """Return the player of each row; raises Unprocessable with every ambiguous one."""
    details = [
        PlayerDetails(
            name=printable(player.name) or f"Player {player.number}",
            country=parse_country(player.federation),
            fide=listed_fide_id(player.fide_id),
            seed_rating=player.rating or None,
            player=chosen.get(player.number),
            **personal_details(player)[0],
        )
        for player in players
    ]
    matched = match_players(details, by=by, is_distinct=True, progress=progress)
    errors = [
        {
            "pointer": f"/players/{player.number}",
            "code": found.problem.code,
            "detail": Text(
                "number %(number)s: %(detail)s", number=player.number, detail=found.problem.detail
            ),
            **found.problem.as_json(),
        }
        for player, found in zip(players, matched, strict=True)
        if found.problem
    ]
    if errors:
        detail = errors[0]["detail"]
        if errors[0].get("candidates"):
            detail = Text("%(detail)s, as ?players=3:17,4:new", detail=detail)
        detail = Text("%(detail)s; nothing was imported", detail=detail)
        raise Unprocessable(str(errors[0]["code"]), detail, errors[:MAX_LISTED_ERRORS])
    return matched


def build_entries(
    tournament: Tournament, document: TrfFile, matched: Sequence[MatchedPlayer], system: TrfSystem
) -> Entries:
    """Return an entry for each player, of a struck one a withdrawn entry; nothing is saved."""
    players = document.crosstable.players
    own = {player.number: document.own.players.get(player.number, USUAL) for player in players}
    withdrawn = {number for number, found in own.items() if found.withdrawn or found.expelled}
    withdrawn.update(document.struck)
    return {
        player.number: Entry(
            tournament=tournament,
            ordinal=ordinal,
            player=found.player,
            seed_rating=player.rating,
            pairing_number=player.number,
            printed_number=player.number,
            state=Entry.State.WITHDRAWN if player.number in withdrawn else Entry.State.ACCEPTED,
            first_round=_first_round(player)
            if player.number in system.late_entries and own[player.number] == USUAL
            else own[player.number].first_round,
            last_round=own[player.number].last_round,
            expelled=printable(own[player.number].expelled)[:LONGEST_REASON],
            title=printable(player.title)[:3],
            **personal_details(player)[0],
        )
        for ordinal, (player, found) in enumerate(zip(players, matched, strict=True), start=1)
    }


def follows_from_entry(document: TrfFile, bye: AnnouncedBye) -> bool:
    """Return True if the player is absent because of the entry, which has withdrawn or is late."""
    own = document.own.players.get(bye.player, USUAL)
    return bye.kind is Kind.ZERO_BYE and own.is_out(bye.round)


def _first_round(player: Competitor) -> int:
    """Return the first round in which a late entry was present."""
    rounds = (number for number, result in enumerate(player.results, start=1) if result != ABSENT)
    return next(rounds, len(player.results) + 1)


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
            first, second = (
                replace(side, seat=None) if (number, who) in document.without_seat else side
                for who, side in (
                    (player.number, result),
                    (opponent, table.by_number[opponent].result(number)),
                )
            )
            boards.append((player.number, opponent, (first, second)))
    boards.sort(key=lambda board: min(board[:2]))
    return boards, byes


def build_boards(
    this_round: Round,
    boards: Boards,
    entries: Entries,
    points: PointSystem,
    ruling: Report,
    handicaps: Mapping[PlayerId, str],
) -> Iterator[BoardRows]:
    """Yield the rows of boards, with a copy of the ruling for each result or adjournment.

    Boards with the same result, handicap and advice differ only in their players, so one of them is
    built and settled. `handicaps` are by the first player.
    """
    built: dict[Any, BoardRows] = {}
    for board_number, (first, second, results) in enumerate(boards, start=1):
        one, other = entries[first], entries[second]
        pairing = _build_pairing(this_round, one)
        pairing.second, pairing.handicap = other, handicaps.get(first, "")
        key = (
            pairing.handicap,
            advised_seat(pairing, is_return_game=False) if this_round.tournament.advice else "",
            results
            and tuple(
                (
                    result.kind,
                    result.seat is None,
                    result.short,
                    result.awarded,
                    result.games,
                    result.adjourned,
                )
                for result in results
            ),
        )
        if key not in built:
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
    for game in games:
        game.round_complete = pairing.round.state == Round.State.COMPLETE
    if results is None:
        return BoardRows(vars(pairing), tuple(GameRows(vars(game)) for game in games))
    reports = [copy(ruling) for _ in games]
    if results[0].adjourned:
        for report in reports:
            report.kind = Report.Kind.ADJOURNMENT
    else:
        _set_award(pairing, results, _stored_results(results), points)
        pairing.without_seat = _without_seat(results)
        for report, kinds in zip(reports, _kinds_of_games(results), strict=True):
            report.outcome = _outcome_of(*kinds).as_json()
    for game, report in zip(games, reports, strict=True):
        apply_settlement(game, evaluate_reports([report], deadline_passed=False), at=at)
    rows = (GameRows(vars(game), vars(report)) for game, report in zip(games, reports, strict=True))
    return BoardRows(vars(pairing), tuple(rows))


def _without_seat(results: Results) -> str:
    sides = [seat for seat, result in zip(Seat, results, strict=True) if result.seat is None]
    return NO_SEATS if len(sides) == len(Seat) else "".join(sides)


def _build_pairing(this_round: Round, first: Entry) -> Pairing:
    return Pairing(tournament=this_round.tournament, round=this_round, version=1, first=first)


AWARD = ("awarded_for", "awarded_first", "awarded_second")


def create_rounds(
    tournament: Tournament,
    document: TrfFile,
    entries: Entries,
    *,
    by: Account,
    reason: str,
    handicaps: Handicaps,
    progress: Progress,
) -> list[Values]:
    """Create every round of a file; return the rounds with their boards for the journal.

    A round with results is complete; a round that is paired but not played is published, with open
    games. Board numbers follow the lower pairing number of each board.
    """
    now = timezone.now()
    table = document.crosstable
    ruling = build_ruling(by, reason, now)
    boards: list[BoardRows] = []
    byes: list[Values] = []
    rounds: list[Round] = []
    for number in range(1, table.rounds + 1):
        progress(Text("writing rounds"), number - 1, table.rounds)
        paired, unpaired = boards_and_byes(document, number)
        this_round = _build_round(document, number, reason, now, is_paired=bool(paired or unpaired))
        this_round.tournament = tournament
        this_round.save()
        rounds.append(this_round)
        boards += build_boards(
            this_round, paired, entries, table.points, ruling, handicaps.get(number, {})
        )
        byes += build_byes(this_round, unpaired, entries, table.points)

    games = [game for board in boards for game in board.games]
    keys = insert_values(
        Game, [game.game for game in games], step=Text("writing games"), progress=progress
    )
    reports = [
        game.report | {"game_id": key} for game, key in zip(games, keys, strict=True) if game.report
    ]
    insert_values(Report, reports, step=Text("writing results"), progress=progress)
    columns = ("game_id", "return_game_id")
    next_key = iter(keys)
    pairings = [
        board.pairing | dict(zip(columns, islice(next_key, len(board.games)), strict=False))
        for board in boards
    ]
    pairings += byes
    insert_values(Pairing, pairings, step=Text("writing pairings"), progress=progress)
    outcomes = {
        key: _stored_outcome(game.game)
        for game, key in zip(games, keys, strict=True)
        if game.report
    }
    by_round: dict[int, list[Values]] = defaultdict(list)
    for pairing in pairings:
        by_round[pairing["round_id"]].append(pairing)
    return [_round_payload(row, by_round[row.pk], outcomes) for row in rounds]


def build_ruling(by: Account, reason: str, at: datetime) -> Report:
    """Return the ruling that the results of a file are copies of; it has no outcome yet."""
    return Report(
        version=1, kind=Report.Kind.RULING, by=by, reason=reason, received_at=at, settled_at=at
    )


def _round_payload(
    this_round: Round, pairings: Sequence[Values], outcomes: Mapping[int, list[Any] | str]
) -> Values:
    """Return a round for the journal: each board with its game, its outcome and its award.

    If a board has a return game, it and its outcome follow.
    """
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
                row["game_id"], outcomes.get(row["game_id"]),
                [row[name] for name in AWARD] if row["awarded_for"] else None,
                *_return_game(row, outcomes),
            ]
            for row in pairings
        ],
    }  # fmt: skip


def _stored_outcome(game: Values) -> list[Any] | str:
    """Return the outcome of a ruled game, or `adjournment`."""
    if game["adjourned"]:
        return str(Report.Kind.ADJOURNMENT)
    return [game["winner"], game["draw"], game["termination"]]


def _return_game(row: Values, outcomes: Mapping[int, list[Any] | str]) -> list[Any]:
    game = row["return_game_id"]
    return [] if game is None else [game, outcomes.get(game)]


def _build_round(
    document: TrfFile, number: int, reason: str, at: datetime, *, is_paired: bool
) -> Round:
    is_complete = number <= document.crosstable.completed
    this_round = Round(number=number, starts_on=round_date(document.header, number))
    if is_paired:
        this_round.state, this_round.published_at = Round.State.PUBLISHED, at
        this_round.version, this_round.system, this_round.reason = 1, IMPORTED, reason
    if is_complete:
        this_round.state, this_round.completed_at = Round.State.COMPLETE, at
    return this_round
