"""Tests whose cases are those of a table (`tests/cases.py`)."""

import pytest

from games.models import Player
from tests.cases import each_case


def is_even(number):
    assert number % 2 == 0


def test_the_error_of_a_table_names_every_case_that_failed():
    is_even_in_each = each_case("number", [2, 3, pytest.param(5, id="five")])(is_even)

    with pytest.raises(ExceptionGroup, match="2 cases") as caught:
        is_even_in_each()

    assert [error.__notes__ for error in caught.value.exceptions] == [
        ["in the case number=3"],
        ["in the case five"],
    ]


def test_cases_that_are_long_are_a_second_test():
    is_even_in_each = each_case("number", [2, pytest.param(3, marks=pytest.mark.long)])(is_even)
    (mark,) = is_even_in_each.pytestmark
    quick, long = mark.args[1]

    assert [mark.name for mark in long.marks] == ["long"]
    is_even_in_each(number=quick.values[0])
    with pytest.raises(AssertionError):
        is_even_in_each(number=long.values[0])


@pytest.mark.django_db
def test_what_a_case_writes_is_undone_for_the_next_one():
    def write(name):
        Player.objects.create(name=name)
        assert Player.objects.count() == 1
        assert name != "Cleo", "refused"

    with pytest.raises(AssertionError, match="refused"):
        each_case("name", ["Ada", "Cleo", "Ben"], undone=True)(write)()

    assert not Player.objects.exists()


@pytest.mark.parametrize("outcome", [pytest.fail, pytest.skip])
def test_a_case_that_is_skipped_fails_as_one_that_fails(outcome):
    with pytest.raises((AssertionError, pytest.fail.Exception), match="no such board"):
        each_case("reason", ["no such board"])(lambda reason: outcome(reason))()
