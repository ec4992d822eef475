"""Play an event on: pair each remaining round, draw its results, and rank the players at the end.

The rounds are paired by the real engine. If a round has no legal pairing, the fewest rules give way
that allow one, as an organiser would permit it (`relaxations`); a round that cannot be paired even
so is not held. Adjourned games count as draws in pairings, as in the event itself, and get a random
result at the end.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from games.rules.seat import Seat
from tournament.pairing.errors import NoLegalPairing, PairingError
from tournament.pairing.relaxations import TooManyPlayers, propose
from tournament.pairing.request import Pair, PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem
from tournament.pairing.systems.round_robin import WITHDRAWN, strike
from tournament.simulation.event import FinishedEvent, OpenPairing, RandomGame, SimulatedEvent
from tournament.simulation.strengths import KindPair, Strengths
from tournament.standings.crosstable import Crosstable, Kind, PlayerId, RoundResult, combine_games
from tournament.standings.table import rank_groups


class RandomGames:
    """Draws the results of games from the strengths of the players; `played` has all of them."""

    def __init__(self, strengths: Strengths, random: Random):
        self.strengths = strengths
        self.random = random
        self.played: list[RandomGame] = []

    def play(self, pairing: OpenPairing) -> list[KindPair]:
        """Return the results of the games of a pairing; only those that are missing are drawn.

        In the return game the seats are exchanged, but a handicap helps the same player.
        """
        first, second = pairing.pair
        strengths = self.strengths
        kinds = []
        for index, known in enumerate(pairing.games):
            if known is not None:
                kinds.append(known)
                continue
            part = pairing.part - (2 * strengths.first_seat if index else 0)
            drawn = strengths.random_game(self.random, pairing.pair, part)
            kinds.append(drawn)
            game = RandomGame(first, second, part, drawn)
            self.played.append(RandomGame(second, first, -part, drawn[::-1]) if index else game)
        return kinds


ABSENCE_RESULTS = {
    (True, False): (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    (False, True): (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    (True, True): (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
}
"""The results of a pair on a board of a schedule, by who of the two is absent."""

Row = dict[PlayerId, RoundResult]
"""The results of a round by player; players without one have `ABSENT`."""


def play_on(event: SimulatedEvent, random: Random) -> FinishedEvent:
    """Simulate the remaining rounds once; the same state of `random` gives the same event.

    Raises NoLegalPairing or PairingRequestError for a schedule that cannot be continued.
    """
    page = PAIRING_SYSTEMS[event.system]
    games = RandomGames(event.strengths.drawn(random), random)
    standings = event.crosstable
    pairing = (event.paired_by or standings).for_pairing()
    is_same = event.paired_by is None and pairing is standings
    first_boards = dict(event.first_boards)
    start = standings.completed + 1
    paired = standings.completed
    for number in range(start, standings.rounds + 1):
        row = _open_row(event, number, games)
        if row is None:
            request = request_round(event, pairing, number)
            pairings = _pair(page, request)
            if pairings is None:
                break
            if pairings.pairs:
                first_boards.setdefault(number, frozenset(pairings.pairs[0]))
            row = _play_round(event, page, request, pairings, games)
        paired = number
        pairing = pairing.with_round(row)
        standings = pairing if is_same else standings.with_round(row)
    standings = _finish_adjourned(standings, games)
    standings = _with_progress(event, page, standings, pairing, first_boards)
    if WITHDRAWN in page.options:
        standings = strike(standings, event.withdrawn, event.options)
    groups = [list(group) for group in rank_groups(standings, event.tiebreaks)]
    for group in groups:
        if len(group) > 1:
            random.shuffle(group)
    order = tuple(number for group in groups for number in group)
    return FinishedEvent(standings, order, paired, tuple(games.played))


def request_round(event: SimulatedEvent, table: Crosstable, number: int) -> PairingRequest:
    """Return the request to pair a round after the results of a crosstable."""
    return PairingRequest(
        crosstable=table,
        round=number,
        absent=event.withdrawn,
        options=event.options,
        balance_seats=event.balance_seats,
        codes=event.tiebreaks,
        draws_lots=True,
    )


def _pair(page: PairingSystem, request: PairingRequest) -> Pairings | None:
    """Pair a round, with as few broken rules as necessary; None if even that is impossible."""
    try:
        return page.pair(request)
    except NoLegalPairing:
        if page.has_schedule:
            raise
    try:
        proposal = propose(request, has_criterion_c3=page.has_criterion_c3)
        return page.pair(proposal.request)
    except (NoLegalPairing, TooManyPlayers):
        return None


def _open_row(event: SimulatedEvent, number: int, games: RandomGames) -> Row | None:
    """Return the results of a round that is paired already; None if it is not."""
    open_round = event.open_rounds.get(number)
    if open_round is None:
        return None
    row = dict(open_round.results)
    for pairing in open_round.pairings:
        _set_results(row, pairing.pair, games.play(pairing))
    return row


def _play_round(
    event: SimulatedEvent,
    page: PairingSystem,
    request: PairingRequest,
    pairings: Pairings,
    games: RandomGames,
) -> Row:
    """Return random results of a round that was just paired."""
    withdrawn = event.withdrawn
    row = {number: RoundResult(Kind.ZERO_BYE) for number in withdrawn}
    row |= {number: RoundResult(kind) for number, kind in pairings.byes}
    if pairings.bye is not None:
        row[pairings.bye] = RoundResult(Kind.PAIRING_BYE)
    strengths = event.strengths
    handicap_ratings: Mapping[PlayerId, int] = {}
    if strengths.catalogue is not None:
        handicap_ratings = _handicap_ratings(page, request)
    missing = (None,) * request.crosstable.games_per_pairing
    for pair in pairings.pairs:
        if pair[0] in withdrawn or pair[1] in withdrawn:
            kinds = ABSENCE_RESULTS[pair[0] in withdrawn, pair[1] in withdrawn]
            _set_results(row, pair, [kinds] * len(missing))
            continue
        seated, part = strengths.seat_by_handicap(pair, handicap_ratings)
        _set_results(row, seated, games.play(OpenPairing(seated, part, missing)))
    return row


def _handicap_ratings(page: PairingSystem, request: PairingRequest) -> Mapping[PlayerId, int]:
    """Return the ratings by which handicaps are given: those of the system, or the seed ratings."""
    if page.handicap_ratings is not None:
        return page.handicap_ratings(request)
    return {player.number: player.rating for player in request.crosstable.players}


def _set_results(row: Row, pair: Pair, games: Sequence[KindPair]) -> None:
    first, second = pair
    if len(games) == 1:
        ((own, other),) = games
        row[first] = _result(own, second, Seat.FIRST)
        row[second] = _result(other, first, Seat.SECOND)
        return
    own_games, other_games = zip(*games, strict=True)
    row[first] = RoundResult(
        combine_games(own_games, other_games), second, Seat.FIRST, games=own_games
    )
    row[second] = RoundResult(
        combine_games(other_games, own_games), first, Seat.SECOND, games=other_games
    )


@lru_cache(maxsize=2**16)
def _result(kind: Kind, opponent: PlayerId, seat: Seat) -> RoundResult:
    """Return the result of one game; cached, because thousands of simulations need the same."""
    return RoundResult(kind, opponent, seat)


def _finish_adjourned(table: Crosstable, games: RandomGames) -> Crosstable:
    """Return the crosstable with random results of the adjourned games."""
    rows: dict[int, Row] = {}
    missing: tuple[None, ...] = (None,) * table.games_per_pairing
    for number, pair in _adjourned(table):
        pairing = OpenPairing(pair, games.strengths.first_seat, missing)
        _set_results(rows.setdefault(number, {}), pair, games.play(pairing))
    if not rows:
        return table
    players = tuple(
        replace(
            player,
            results=tuple(
                rows.get(number, {}).get(player.number, result) if result.adjourned else result
                for number, result in enumerate(player.results, start=1)
            ),
        )
        for player in table.players
    )
    return replace(table, players=players)


def _adjourned(table: Crosstable) -> Iterable[tuple[int, Pair]]:
    """Return the round and the players, by seat, of each pairing with an adjourned game."""
    return [
        (number, (player.number, result.opponent))
        for player in table.players
        for number, result in enumerate(player.results, start=1)
        if result.adjourned and result.seat is Seat.FIRST and result.opponent is not None
    ]


def _with_progress(
    event: SimulatedEvent,
    page: PairingSystem,
    standings: Crosstable,
    pairing: Crosstable,
    first_boards: Mapping[int, frozenset[PlayerId]],
) -> Crosstable:
    """Add how far each player got in the bracket of a knockout."""
    if page.find_progress is None:
        return standings
    try:
        progress = page.find_progress(pairing, event.options, event.tiebreaks, first_boards)
    except PairingError:
        return standings
    players = (replace(p, progress=progress.get(p.number)) for p in standings.players)
    return replace(standings, players=tuple(players))
