"""Random games as cases of a test."""

import functools
from collections.abc import Callable

import pytest


def seeds(quick: range, many: range) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with a few seeds, and with many more as one case of the long tests.

    As single cases, these would be half of all collected tests.
    """
    long = pytest.param(many, id=f"{many[0]}-{many[-1]}", marks=pytest.mark.long)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @pytest.mark.parametrize("seed", [*quick, long])
        @functools.wraps(test)
        def run(seed: int | range, **arguments: str) -> None:
            for number in (seed,) if isinstance(seed, int) else seed:
                test(seed=number, **arguments)

        return run

    return decorate
