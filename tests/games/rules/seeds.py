"""Random games as cases of a test."""

import functools
from collections.abc import Callable

import pytest


def seeds(quick: range, many: range) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with a few seeds as one case, and with many more as one of the long tests.

    As single cases, these would be half of all collected tests. A failure shows its seed, because
    that is an argument of the test.
    """
    cases = [
        pytest.param(numbers, id=f"{numbers[0]}-{numbers[-1]}", marks=marks)
        for numbers, marks in ((quick, ()), (many, pytest.mark.long))
    ]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @pytest.mark.parametrize("seed", cases)
        @functools.wraps(test)
        def run(seed: range, **arguments: str) -> None:
            for number in seed:
                test(seed=number, **arguments)

        return run

    return decorate
