"""What pages say about a position and its handicap, and the addresses of positions."""

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from games.play.boards import (
    BoundsBar,
    bar_of,
    describe_least,
    handicap_in_words,
    opening_query,
    parse_ply,
    requested_replay,
    score_in_words,
    view_board,
)
from games.rules.conditions import Conditions
from games.rules.diagram.scene import scene_of_record
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from tests.events import FIRST_WINS


def conditions(**tags: str) -> Conditions:
    return read_conditions({"Game": "star-star", "Board": "4", **tags})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, ""),
        ("first move", "first move"),
        ("second 3 stones", "second: 3 stones"),
        ("first 1 point", "first: 1 point"),
        ("second S40 T40, 2 points", "second: 2 stones (S40 T40), 2 points"),
        ("an old text", "an old text"),
    ],
)
def test_a_handicap_in_words(text: str | None, words: str) -> None:
    assert handicap_in_words(text) == words


def test_a_score_with_a_handicap_says_what_was_counted_on_the_board() -> None:
    assert score_in_words("12-9", 0) == "12–9"
    assert score_in_words("12-9", 2) == "10–11 on the board, 12–9 with the handicap"
    assert score_in_words("12-9", -2) == "14–7 on the board, 12–9 with the handicap"


def test_the_counts_that_win_are_said_where_a_handicap_has_points() -> None:
    assert describe_least(conditions()) == ""
    least = "%s points on the board win for the first, %s for the second"
    assert describe_least(conditions(Handicap="first 2 points")) == least % (9, 13)
    assert describe_least(conditions(Handicap="second 2 points")) == least % (13, 9)


@pytest.mark.parametrize(
    ("found", "turns", "query"),
    [
        (conditions(), (), "ruleset=star-star&board_size=4"),
        (conditions(), ("S10", "T10"), "ruleset=star-star&board_size=4&moves=S10+T10"),
        (conditions(Swap="no"), (), "ruleset=star-star&board_size=4&swap=no"),
        (
            conditions(Handicap="second S40 T40"),
            (),
            "ruleset=star-star&board_size=4&handicap_cells=S40+T40",
        ),
        (
            read_conditions({"Game": "star", "Board": "5x6", "Options": "two-point-corners"}),
            (),
            "ruleset=star&board_size=5x6&options=two-point-corners",
        ),
    ],
)
def test_the_address_of_an_opening_has_what_is_not_usual(
    found: Conditions, turns: tuple[str, ...], query: str
) -> None:
    assert opening_query(found, turns) == query


@pytest.mark.parametrize(
    ("text", "ply"),
    [("", None), ("0", 0), ("999999", 999_999), ("1000000", -1), ("-1", -1), ("١", -1)],
)
def test_a_ply_in_an_address(text: str, ply: int | None) -> None:
    assert parse_ply(text) == ply


def test_the_bar_of_the_points_that_are_certain() -> None:
    bar = bar_of(((3, 9), (5, 18)))
    assert bar == BoundsBar(first=3, second=5, total=14)
    assert (bar.second_from, bar.open) == (9, 6)
    assert bar_of(((-2, 0), (1, 4))) == BoundsBar(0, 1, 1)
    assert bar_of(((0, 0), (-3, 0))) == BoundsBar(0, 0, 1)


RECORD = Record.parse(FIRST_WINS)


@pytest.mark.parametrize(
    ("ply", "links"),
    [
        (0, ("", "", "/g/1", "/g/2")),
        (1, ("/g/0", "/g/0", "/g/2", "/g/2")),
        (2, ("/g/0", "/g/1", "", "")),
    ],
)
def test_a_replay_leads_to_the_other_positions(ply: int, links: tuple[str, ...]) -> None:
    request = Request(APIRequestFactory().get("/g"))
    replay = requested_replay(request, RECORD, scene_of_record(RECORD, ply), "/g")
    assert (replay.first, replay.previous, replay.following, replay.last) == links
    assert [(step.ply, step.turn, step.address) for step in replay.steps] == [
        (1, "S10", "/g/1"), (2, "T10", "/g/2"),
    ]  # fmt: skip
    assert (replay.action, replay.about) == ("/g", f"/g/{ply}/about?")


@pytest.mark.parametrize(
    ("query", "names", "expected"),
    [
        ("", False, "/g/1"),
        ("?names=1", False, "/g/1?names=1"),
        ("?numbers=1&names=1", False, "/g/1?names=1&numbers=1"),
        ("", True, "/g/1?names=1"),
    ],
)
def test_a_replay_keeps_what_the_board_shows(query: str, names: bool, expected: str) -> None:
    request = Request(APIRequestFactory().get(f"/g{query}"))
    replay = requested_replay(request, RECORD, scene_of_record(RECORD, 2), "/g", names=names)
    assert replay.previous == expected
    assert (replay.names, replay.numbers) == ("names" in expected, "numbers" in expected)


def test_a_position_says_who_is_to_move_and_at_the_end_the_result() -> None:
    views = [view_board(scene_of_record(RECORD, ply)) for ply in (0, 1, 2)]
    assert [[line.is_to_move for line in view.seats] for view in views] == [
        [True, False], [False, True], [False, False],
    ]  # fmt: skip
    assert [bool(view.result) for view in views] == [False, False, True]
    assert [line.score for line in views[2].seats] == [11, 10]
    assert [line.score for line in views[1].seats] == [None, None]
