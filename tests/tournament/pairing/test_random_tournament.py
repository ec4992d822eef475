"""Random tournaments: results by the Elo table, draws that fall with the rating difference."""

from random import Random

import pytest

from tournament.pairing.random_tournament import RandomConditions, random_kinds, random_tournament
from tournament.standings.crosstable import Kind

GAMES = 20_000


@pytest.mark.parametrize(
    ("difference", "draws", "score", "draw_rate"),
    [
        (0, 0.3, 0.5, 0.3),
        (100, 0.3, 0.64, 0.216),
        (-200, 0.3, 0.24, 0.144),
        (400, 1.0, 0.909, 0.182),
        (5000, 0.3, 1.0, 0.0),
    ],
)
def test_results_follow_the_elo_table(
    difference: int, draws: float, score: float, draw_rate: float
) -> None:
    random = Random(1)
    kinds = [random_kinds(random, difference, draws)[0] for _ in range(GAMES)]
    wins, drawn = kinds.count(Kind.WIN), kinds.count(Kind.DRAW)
    assert (wins + drawn / 2) / GAMES == pytest.approx(score, abs=0.01)
    assert drawn / GAMES == pytest.approx(draw_rate, abs=0.01)


def test_the_players_can_have_given_ratings() -> None:
    conditions = RandomConditions(players=4, rounds=2, seed=1, ratings=(2000, 2000, 1500, 900))
    players = random_tournament(conditions).crosstable.players
    assert [player.rating for player in players] == [2000, 2000, 1500, 900]
    with pytest.raises(ValueError, match="2 ratings for 4 players"):
        RandomConditions(players=4, rounds=2, seed=1, ratings=(2000, 1500))
