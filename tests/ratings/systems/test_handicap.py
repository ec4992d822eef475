import pytest

from ratings.systems.handicap import PRIOR, BadHandicap, has_table, parse_handicap

V1 = PRIOR


@pytest.mark.parametrize(
    ("handicap", "swap", "rings", "points"),
    [
        ("", True, 10, 0),
        ("", False, 10, 40),
        ("", False, 4, 40),  # the first move is not scaled
        ("second 1 stones", False, 10, -110),
        ("second 3 stones", False, 10, -280),
        ("second 1 stone", False, 6, -288),  # 110 x 275/105 = 288.09
        ("second 2 stones", False, 4, -1073),  # 195 x 275/50 = 1072.5
        ("first 2 points", True, 10, 18),
        ("second 2 points", True, 10, -18),
        ("second 2 points", False, 10, 22),  # and the first move
        ("first 1 points", True, 8, 11),  # 9 x 50/40 = 11.25
        ("first 1 point", True, 4, 23),  # 9 x 50/20 = 22.5
        ("second 1 points", True, 4, -23),
    ],
)
def test_the_value_of_a_handicap_to_the_first_seat(handicap, swap, rings, points):
    parsed = parse_handicap(handicap) if handicap else None
    assert V1.part(parsed, swap=swap, rings=rings) == points * 1000


@pytest.mark.parametrize(
    "text",
    [
        "", "3 stones", "second three stones", "second 0 stones", "second -1 points",
        "second 11 stones", "first 51 points", "first 1 stones", "both 2 points",
        "second  2 points", "second 2 komi", "second 99999999999999999999 points",
        "second ２ points", "second 2 points\n",
    ],
)  # fmt: skip
def test_an_invalid_handicap_is_rejected(text):
    with pytest.raises(BadHandicap):
        parse_handicap(text)


def test_str_is_the_inverse_of_parse_handicap():
    for text in ("second 3 stones", "first 2 points"):
        assert str(parse_handicap(text)) == text


def test_stones_exclude_the_pie_rule():
    with pytest.raises(BadHandicap, match="do not go together"):
        V1.part(parse_handicap("second 2 stones"), swap=True)


@pytest.mark.parametrize(
    ("game", "board", "handicap", "expected"),
    [
        ("hex", "11", "", True),
        ("hex", "11", "second 1 stones", False),
        ("star-star", "10", "second 1 stones", True),
        ("star-star", "7", "second 1 stones", False),
        ("star-y", "10", "second 1 stones", True),
        ("star-y", "10", "second 1 points", False),
        ("poly-y", "6x9", "second 1 stones", False),
        ("star", "5x6", "first 1 points", False),
    ],
)
def test_only_the_ring_mesh_games_have_a_table(game, board, handicap, expected):
    assert has_table(game, board, parse_handicap(handicap) if handicap else None) is expected
