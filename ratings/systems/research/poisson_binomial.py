"""The number of successes in independent trials of different probabilities, exactly.

The distribution is the convolution of those of the trials. All terms are positive, so that small
probabilities are as precise as large ones. Probabilities are rows, one for each trial; if a row has
several, each column is a case of its own.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers: TypeAlias = NDArray[np.float64]


def distribution(probabilities: ArrayLike, most: int | None = None) -> Numbers:
    """Return the probability of each number of successes, from zero to `most`, or to all."""
    chances = np.asarray(probabilities, np.float64)
    most = len(chances) if most is None else most
    numbers = np.zeros((most + 1, *chances.shape[1:]))
    numbers[0] = 1
    for chance in chances:
        success = numbers[:-1] * chance
        numbers *= 1 - chance
        numbers[1:] += success
    return numbers


def at_most(successes: int, probabilities: ArrayLike) -> Numbers:
    """Return the probability of so many successes or fewer."""
    tail: Numbers = np.minimum(distribution(probabilities, successes).sum(axis=0), 1)
    return tail
