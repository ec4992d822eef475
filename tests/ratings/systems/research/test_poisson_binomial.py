"""Exact probabilities of numbers of successes in trials of different probabilities."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.research.poisson_binomial import at_most, distribution


@given(st.lists(st.integers(0, 1000), max_size=7))
def test_the_distribution_is_the_sum_over_all_sequences_of_results(thousandths: list[int]) -> None:
    chances = [Fraction(number, 1000) for number in thousandths]
    exact = [Fraction(0)] * (len(chances) + 1)
    for results in product([0, 1], repeat=len(chances)):
        exact[sum(results)] += prod(
            (chance if won else 1 - chance for chance, won in zip(chances, results, strict=True)),
            start=Fraction(1),
        )
    found = distribution([float(chance) for chance in chances]).tolist()
    assert found == pytest.approx([float(number) for number in exact], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("trials", "chance", "successes"), [(10, 0.5, 3), (40, 0.25, 0), (60, 0.9, 31), (300, 0.5, 40)]
)
def test_equal_probabilities_give_the_binomial_distribution(
    trials: int, chance: float, successes: int
) -> None:
    exact = sum(
        comb(trials, count) * Fraction(chance) ** count * Fraction(1 - chance) ** (trials - count)
        for count in range(successes + 1)
    )
    assert at_most(successes, [chance] * trials) == pytest.approx(float(exact), rel=1e-11)
