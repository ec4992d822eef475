"""Random tournaments, paired round by round and compared with gacrux.

gacrux reads two rules differently, both for topscorers with absolute preferences: it compares
colour differences with their signs (5.2.2) and counts C10 only if they are equal. The test skips
rounds in which that can matter.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.tournament.pairing.dutch.conftest import Paired
from tests.tournament.pairing.dutch.random_positions import pair_or_none
from tests.tournament.pairing.random_histories import random_clubs, random_conditions
from tournament.pairing.random_tournament import random_rounds
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.seat_preferences import Strength
from tournament.pairing.trf_rounds import request_next_round
from tournament.trf import ForbiddenGroup, TrfFile


def is_read_differently(field: Field) -> bool:
    """Return True if gacrux may pair the round differently."""
    absolute = [p for p in field.seat_preferences if p.strength is Strength.ABSOLUTE]
    widths = {(preference.seat, preference.difference) for preference in absolute}
    return bool(field.topscorers) and len(widths) > len({seat for seat, _ in widths})


def compare(
    seed: int, most: int, gacrux: Callable[[TrfFile], Paired], *, has_clubs: bool = False
) -> int:
    compared = 0
    conditions = random_conditions(seed, most)
    for trf, pairings in random_rounds(conditions):
        if trf.crosstable.completed == trf.crosstable.rounds:
            break
        if is_read_differently(field_of(request_next_round(trf))):
            continue
        if has_clubs:
            clubs = random_clubs(seed, conditions.players)
            groups = (ForbiddenGroup(club, 1, conditions.rounds) for club in clubs)
            trf = replace(trf, forbidden=(*trf.forbidden, *groups))
            pairings = pair_or_none(request_next_round(trf))
        pairs = set(pairings.pairs) if pairings else set()
        if pairings and pairings.bye:
            pairs.add((pairings.bye, 0))
        assert pairs == gacrux(trf), f"seed {seed}, after {trf.crosstable.completed}"
        compared += 1
    return compared


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))]
)
def test_a_random_tournament(seed: int, gacrux: Callable[[TrfFile], Paired]) -> None:
    assert compare(seed, 26, gacrux)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 60))]
)
def test_a_random_tournament_of_clubs(seed: int, gacrux: Callable[[TrfFile], Paired]) -> None:
    assert compare(seed, 44, gacrux, has_clubs=True)


@pytest.mark.long
def test_hundreds_of_random_tournaments(gacrux: Callable[[TrfFile], Paired]) -> None:
    assert sum(compare(seed, 26, gacrux) for seed in range(6, 12)) > 20
    assert sum(compare(seed, 120, gacrux) for seed in range(100, 400)) > 1500
