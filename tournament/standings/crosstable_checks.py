"""Check that the players of a crosstable have results that do not contradict each other."""

from collections.abc import Mapping

from games.rules.seat import Seat
from games.rules.text import Text
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
        raise CrosstableError(Text("two players have this number"), repeated)
    if list(by_number) != sorted(by_number):
        raise CrosstableError("the players are not in the order of their numbers")
    for player in players:
        if player.number < 1:
            raise CrosstableError(Text("pairing numbers start at 1"), player.number)
        if len(player.results) > rounds:
            raise CrosstableError(
                Text(
                    "has %(count)s results, the event has %(rounds)s rounds",
                    count=len(player.results),
                    rounds=rounds,
                ),
                player.number,
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
        detail = Text("opponent %(number)s is not a player of the event", number=result.opponent)
    elif opponent is player:
        detail = Text("a player cannot be their own opponent")
    elif opposite.opponent != player.number:
        other = (
            Text("no opponent")
            if opposite.opponent is None
            else Text("opponent %(number)s", number=opposite.opponent)
        )
        detail = Text(
            "has opponent %(number)s, who has %(detail)s", number=opponent.number, detail=other
        )
    elif opposite.kind not in OPPOSITES[result.kind]:
        detail = Text(
            "has a %(kind)s against a %(kind2)s of player %(number)s",
            kind=result.kind,
            kind2=opposite.kind,
            number=opponent.number,
        )
    elif opposite.adjourned is not result.adjourned:
        names = [
            Text("no result") if side.adjourned else Text("a %(kind)s", kind=side.kind)
            for side in (result, opposite)
        ]
        detail = Text(
            "has %(kind)s against %(kind2)s of player %(number)s",
            kind=names[0],
            kind2=names[1],
            number=opponent.number,
        )
    elif (result.seat and result.seat.other) != opposite.seat:
        detail = Text(
            "has the seat %(seat)s, player %(number)s has the seat %(seat2)s",
            seat=result.seat,
            number=opponent.number,
            seat2=opposite.seat,
        )
    elif len(result.games) != games:
        detail = Text(
            "has %(count)s games against player %(number)s, not %(games)s",
            count=len(result.games),
            number=opponent.number,
            games=games,
        )
    elif games and not _has_these_games(result, opposite):
        detail = Text(
            "the games do not give a %(kind)s against player %(number)s",
            kind=result.kind,
            number=opponent.number,
        )
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
