"""Cases of tests: a table of them in one test, and those that cost more than each proves."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings

ParameterSet = type(pytest.param())
LENGTH_OF_VALUES = 200
"""Characters that are shown of the values of a case."""


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


def each_case(
    names: str | Sequence[str],
    table: Iterable[Any],
    *,
    ids: Iterable[str] | None = None,
    undone: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each case of a table, as a single test.

    It is written as `pytest.mark.parametrize`, which runs a test for each case, and takes longer
    for it than a tiny case. All cases run; the error is that of the case that fails, or a group of
    the errors, each with the values of its case. Cases marked `long` are a second test, with this
    mark. The cases share the fixtures of the test, so it must not change these; the rows that a
    case writes are undone after it if you say `undone`.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    cases = [_parameters(case, of_one_name=len(names) == 1) for case in table]
    if ids is not None:
        cases = [case._replace(id=name) for case, name in zip(cases, ids, strict=True)]
    assert cases, "a table without cases"
    long = [case for case in cases if _is_long(case)]
    quick = [case for case in cases if not _is_long(case)]
    parts = [
        pytest.param(part, id=name, marks=marks)
        for name, part, marks in (("quick", quick, ()), ("long", long, pytest.mark.long))
        if part
    ]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*self: object, **arguments: Any) -> None:
            failed = []
            for case in arguments.pop(names[0]) if long else cases:
                try:
                    with _undo() if undone else nullcontext():
                        test(*self, **arguments, **dict(zip(names, case.values, strict=True)))
                except pytest.skip.Exception as skipped:
                    failed.append(AssertionError(f"a single case cannot be skipped: {skipped}"))
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {case.id or _shown(names, case.values)}")
                    failed.append(error)
            if len(failed) == 1:
                raise failed[0]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} cases", failed)

        signature = inspect.signature(test)
        run.__signature__ = signature.replace(
            parameters=[
                parameter
                for name, parameter in signature.parameters.items()
                if name not in names or (long and name == names[0])
            ]
        )
        return pytest.mark.parametrize(names[0], parts)(run) if long else run

    return decorate


@contextmanager
def _undo() -> Iterator[None]:
    """Undo the changes of a case in the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _parameters(case: Any, *, of_one_name: bool) -> Any:
    if isinstance(case, ParameterSet):
        assert {mark.name for mark in case.marks} <= {"long"}, "a case of a table can only be long"
        return case
    return pytest.param(*((case,) if of_one_name else case))


def _is_long(case: Any) -> bool:
    return any(mark.name == "long" for mark in case.marks)


def _shown(names: Sequence[str], values: Sequence[object]) -> str:
    return ", ".join(
        f"{name}={repr(value)[:LENGTH_OF_VALUES]}"
        for name, value in zip(names, values, strict=True)
    )
