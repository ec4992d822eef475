"""Check that the players of a crosstable have results that do not contradict each other."""

from collections.abc import Mapping

from games.rules.seat import Seat
from tournament.standings.errors import CrosstableError
from tournament.standings.results import (
    ABSENT,
    OPPOSITES,
    Competitor,
    Kind,
    PlayerId,
    RoundResult,
    combine_games,
)

OTHER_SEAT = {Seat.FIRST: Seat.SECOND, Seat.SECOND: Seat.FIRST, None: None}


def check_players(
    players: tuple[Competitor, ...],
    by_number: Mapping[PlayerId, Competitor],
    rounds: int,
    games_per_pairing: int,
) -> None:
    """Raise CrosstableError with player and round for results that contradict each other."""
    games = games_per_pairing if games_per_pairing > 1 else 0
    if len(by_number) != len(players):
        numbers = [player.number for player in players]
        repeated = next(number for number in numbers if numbers.count(number) > 1)
        raise CrosstableError("two players have this number", repeated)
    for player in players:
        if player.number < 1:
            raise CrosstableError("pairing numbers start at 1", player.number)
        if len(player.results) > rounds:
            raise CrosstableError(
                f"has {len(player.results)} results, the event has {rounds} rounds", player.number
            )
        number = player.number
        for index, result in enumerate(player.results):
            if result.opponent is None:
                continue
            opponent = by_number.get(result.opponent)
            if opponent is None or opponent is player or index >= len(opponent.results):
                _check_pairing(player, index, result, by_number, games)
                continue
            opposite = opponent.results[index]
            if (
                opposite.opponent != number
                or opposite.kind not in OPPOSITES[result.kind]
                or opposite.adjourned is not result.adjourned
                or OTHER_SEAT[result.seat] is not opposite.seat
                or len(result.games) != games
                or (games and not _has_these_games(result, opposite))
            ):
                _check_pairing(player, index, result, by_number, games)


def _check_pairing(
    player: Competitor,
    index: int,
    result: RoundResult,
    by_number: Mapping[PlayerId, Competitor],
    games: int,
) -> None:
    opponent = by_number.get(result.opponent or 0)
    opposite = opponent.result(index + 1) if opponent else ABSENT
    detail = ""
    if opponent is None:
        detail = f"opponent {result.opponent} is not a player of the event"
    elif opponent is player:
        detail = "a player cannot be their own opponent"
    elif opposite.opponent != player.number:
        other = "no opponent" if opposite.opponent is None else f"opponent {opposite.opponent}"
        detail = f"has opponent {opponent.number}, who has {other}"
    elif opposite.kind not in OPPOSITES[result.kind]:
        detail = f"has a {result.kind} against a {opposite.kind} of player {opponent.number}"
    elif opposite.adjourned is not result.adjourned:
        names = ["no result" if side.adjourned else f"a {side.kind}" for side in (result, opposite)]
        detail = f"has {names[0]} against {names[1]} of player {opponent.number}"
    elif (result.seat and result.seat.other) != opposite.seat:
        detail = (
            f"has the seat {result.seat}, player {opponent.number} has the seat {opposite.seat}"
        )
    elif len(result.games) != games:
        detail = f"has {len(result.games)} games against player {opponent.number}, not {games}"
    elif games and not _has_these_games(result, opposite):
        detail = f"the games do not give a {result.kind} against player {opponent.number}"
    if detail:
        raise CrosstableError(detail, player.number, index + 1)


def _has_these_games(result: RoundResult, opposite: RoundResult) -> bool:
    """Return True if the games of both sides agree and give the result of the pairing."""
    if len(result.games) != len(opposite.games):
        return False
    expected = combine_games(result.games, opposite.games)
    # An arbiter may award half a point of a pairing that both players lost.
    is_half = (result.kind, expected) == (Kind.DRAW, Kind.LOSS)
    pairs = zip(result.games, opposite.games, strict=True)
    return (result.kind is expected or is_half) and all(b in OPPOSITES[a] for a, b in pairs)
