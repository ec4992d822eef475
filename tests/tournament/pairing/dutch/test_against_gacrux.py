"""Random tournaments of every kind, paired round by round as gacrux pairs them.

Two readings differ, both only between topscorers with absolute preferences: gacrux compares colour
differences with their signs (5.2.2) and counts C10 only where they are equal. Rounds in which that
can matter are left out, as are those after a round without a game, which it takes for not begun.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from tests.tournament.pairing.dutch.conftest import Paired
from tournament.pairing.random_tournament import Conditions, random_rounds
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.seat_preferences import Strength
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.points import CLASSIC, PointSystem
from tournament.trf import TrfFile

POINTS = [
    CLASSIC,
    CLASSIC,
    PointSystem.from_points(win=3, draw=1),
    PointSystem.from_points(pairing_bye=Fraction(1, 2)),
    PointSystem.from_points(win=3, draw=1, pairing_bye=1),
]


SIZES = [8, 9, 10, 11, 13, 20, 26, 31, 44, 60, 81, 120]


def conditions_of(seed: int, most: int) -> Conditions:
    random = Random(seed)
    players = random.choice([size for size in SIZES if size <= most])
    return Conditions(
        players=players,
        rounds=random.choice([5, 7, 9, 11]) if players > 12 else 5,
        seed=seed,
        byes=random.choice([0, 0, 0.02, 0.1]),
        withdrawals=random.choice([0, 0, 0.02]),
        late=random.choice([0, 0, 0.05]),
        forfeits=random.choice([0, 0, 0.05, 0.15]),
        draws=random.choice([0.1, 0.3, 0.6]),
        forbidden=random.choice([0, 0, players // 3]),
        points=random.choice(POINTS),
        has_baku=random.random() < 0.25,
    )


def is_read_otherwise(document: TrfFile, field: Field) -> bool:
    table = document.crosstable
    last = [player.results[-1] for player in table.players if player.results]
    if last and not any(result.is_played for result in last):
        return True
    absolute = [one for one in field.seat_preferences if one.strength is Strength.ABSOLUTE]
    widths = {(one.seat, one.difference) for one in absolute}
    return bool(field.topscorers) and len(widths) > len({seat for seat, _ in widths})


def compare(seed: int, most: int, gacrux: Callable[[TrfFile], Paired]) -> int:
    compared = 0
    for document, pairings in random_rounds(conditions_of(seed, most)):
        if document.crosstable.completed == document.crosstable.rounds:
            break
        if is_read_otherwise(document, field_of(request_next_round(document))):
            continue
        ours = set(pairings.pairs) if pairings else set()
        if pairings and pairings.bye:
            ours.add((pairings.bye, 0))
        assert ours == gacrux(document), f"seed {seed}, after {document.crosstable.completed}"
        compared += 1
    return compared


@pytest.mark.parametrize("seed", range(12))
def test_a_random_tournament(seed: int, gacrux: Callable[[TrfFile], Paired]) -> None:
    assert compare(seed, 26, gacrux)


@pytest.mark.long
def test_three_hundred_random_tournaments(gacrux: Callable[[TrfFile], Paired]) -> None:
    assert sum(compare(seed, 120, gacrux) for seed in range(100, 400)) > 1500
