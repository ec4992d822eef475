"""Cases of parametrised tests that cost more than each of them proves."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings


def every_second_long(cases: Iterable[Any]) -> list[Any]:
    """Return the cases; every second one runs in `make test-long` only."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        if number % 2
        else case
        for number, case in enumerate(cases)
    ]


def in_turn(values: Sequence[Any], number: int) -> Sequence[Any]:
    """Return every third of the values, others for the next number; in `make test-long`, all."""
    is_long = settings.get_current_profile_name() == "long"
    return values if is_long else values[number % 3 :: 3]
