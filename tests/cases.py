"""Cases of parametrised tests that cost more than each of them proves."""

from collections.abc import Iterable
from typing import Any

import pytest


def every_second_long(cases: Iterable[Any]) -> list[Any]:
    """Return the cases; every second one runs in `make test-long` only."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        if number % 2
        else case
        for number, case in enumerate(cases)
    ]
