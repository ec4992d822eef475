"""The number of successes in independent trials of different probabilities, exactly.

The distribution is the convolution of those of the trials. All terms are positive, so that small
probabilities are as precise as large ones.
"""

from collections.abc import Iterable
from math import fsum

import numpy as np

from ratings.systems.prediction_scores import Numbers


def distribution(probabilities: Iterable[float]) -> Numbers:
    """Return the probability of each number of successes, from zero to the number of trials."""
    numbers: Numbers = np.ones(1)
    for probability in probabilities:
        numbers = np.convolve(numbers, [1 - probability, probability])
    return numbers


def at_most(successes: int, probabilities: Iterable[float]) -> float:
    """Return the probability of so many successes or fewer."""
    return min(fsum(distribution(probabilities)[: successes + 1]), 1.0)


def at_least(successes: int, probabilities: Iterable[float]) -> float:
    """Return the probability of so many successes or more."""
    return min(fsum(distribution(probabilities)[successes:]), 1.0)
