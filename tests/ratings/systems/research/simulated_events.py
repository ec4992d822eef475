"""Simulated events of players whose strength is known, with handicaps whose values are known.

The first third of the events consists of even games, after which ratings are near strengths. In the
others, players receive the handicap that their rating calls for by table v1. The engine rates
each event, also by table v1, whatever the true values are.
"""

from random import Random

from games.rules.conditions import Conditions
from games.rules.records.handicaps import with_handicap
from games.rules.seat import Seat
from ratings.systems.elo import LOSS, MILLI, WIN, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.handicap import PRIOR, HandicapTable, amounts_of_conditions, part_of_conditions
from ratings.systems.recommendation import Catalogue, CatalogueKind
from ratings.systems.research.calibration import CalibrationGame

GAME, BOARD = "star-star", "10"
EVEN = Conditions(game=GAME, board=BOARD)
DECAY = Elo(k0=100, n0=10, kmin=12)
KINDS = {
    kind: Catalogue(game=GAME, board=BOARD, swap=True, kinds=(kind,), version="v1", values=PRIOR)
    for kind in CatalogueKind
}


def simulate(
    seed: int,
    table: HandicapTable,
    *,
    players: int = 60,
    events: int = 60,
    share: float = 0.6,
    spread: int = 200,
    elo: Elo = DECAY,
) -> list[CalibrationGame]:
    """Return the games of the events after the first third, which are without handicaps.

    `share` is how many of the games have a handicap, `spread` the standard deviation of strengths.
    """
    random = Random(seed)
    strengths = [random.gauss(1500, spread) for _ in range(players)]
    states = {player: PlayerState(elo.start * MILLI, 0) for player in range(players)}
    found = []
    for event in range(events):
        rated = []
        for _ in range(3):
            order = random.sample(range(players), players)
            for first, second in zip(order[::2], order[1::2], strict=True):
                conditions = EVEN
                if event >= events // 3 and random.random() < share:
                    first, second, conditions = _give_handicap(random, states, first, second)
                handicap, swap = conditions.handicap, conditions.swap
                amounts = amounts_of_conditions(PRIOR, GAME, BOARD, handicap, swap=swap)
                part = part_of_conditions(PRIOR, GAME, BOARD, handicap, swap=swap)
                values = (table.first_move, table.first_stone, table.further_stone, table.point)
                value = sum(map(float.__mul__, map(float, amounts), map(float, values)))
                edge = strengths[first] - strengths[second] + value
                score = WIN if random.random() < 1 / (1 + 10 ** (-edge / 400)) else LOSS
                rated.append(RatedGame(first, second, score, part))
                if event >= events // 3:
                    (rating, games), (opponent, opponent_games) = states[first], states[second]
                    k = elo.k(games), elo.k(opponent_games)
                    found.append(
                        CalibrationGame(first, second, rating, opponent, *k, amounts, score)
                    )
        states |= rate_batch(states, rated, elo).states()
    return found


def _give_handicap(
    random: Random, states: dict[int, PlayerState], first: int, second: int
) -> tuple[int, int, Conditions]:
    """Return the players in the seats of the handicap for their ratings, and the conditions."""
    difference = (states[first].rating - states[second].rating) // MILLI
    weaker, stronger = (second, first) if difference >= 0 else (first, second)
    found = random.choice([*KINDS.values()]).recommend(abs(difference), Seat.SECOND)
    seats = (weaker, stronger) if found.seat is Seat.FIRST else (stronger, weaker)
    return *seats, with_handicap(EVEN, found.handicap)
