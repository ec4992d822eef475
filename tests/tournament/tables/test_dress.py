"""What tables of pages show beside the text of a cell."""

import pytest

from tournament.core.dress import coloured, medal, with_arrow, with_rating


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("12f1", "win"), ("3s+", "win"), ("12f1:1=", "win"), ("1", "win"), ("3f1(0.5)", "win"),
        ("12s0", "loss"), ("3f-", "loss"), ("4-0", "loss"), ("0", "loss"),
        ("3s=", ""), ("U", ""), ("5f?", ""), ("", ""), ("1 0", ""), ("*", ""),
    ],
)  # fmt: skip
def test_a_single_result_has_the_colour_of_who_won(cell: str, kind: str) -> None:
    dressed = coloured(0, lambda *_: "")({"cells": [cell]}, cell)
    assert dressed == (f'<span class="{kind}">{cell}</span>' if kind else cell)


def test_the_opponent_of_a_result_is_its_tooltip() -> None:
    dress = coloured(0, lambda *_: 'Ann "A" Smith')
    assert dress({"cells": ["3s="]}, "3s=") == (
        '<span class="" title="Ann &quot;A&quot; Smith">3s=</span>'
    )


def test_medals_arrows_countries_and_ratings() -> None:
    country = '<abbr class="country" title="Poland">POL</abbr> Ada'
    arrow = with_arrow({4: 3, 5: 1, 6: 2})

    assert [medal({"rank": rank}, "x") for rank in (1, 3, 4, None)] == [
        '<span class="medal rank-1">x</span>', '<span class="medal rank-3">x</span>', "x", "x",
    ]  # fmt: skip
    for number, kind, sign in ((4, "up", "▲"), (5, "down", "▼")):
        words = f'<span class="hidden"> {kind} </span><span aria-hidden="true">{sign}</span>1'
        record = {"player": {"country": "POL"}, "number": number, "rank": 2}
        assert arrow(record, "Ada") == f'{country} <span class="{kind}">{words}</span>'
    for number in (6, 7):
        record = {"player": {"country": None}, "number": number, "rank": 2}
        assert arrow(record, "Ada") == "Ada"
    seats = {"first": {"id": 1}, "second": None}
    assert with_rating({1: 2012}, "first")(seats, "Ada") == 'Ada <span class="quiet">2012</span>'
    assert with_rating({1: 2012}, "second")(seats, "bye") == "bye"
