"""Handicaps as records state them: stones on usual and on other cells, points, and both."""

import pytest

from games.rules.conditions import Conditions
from games.rules.errors import BadConditions
from games.rules.records.handicaps import (
    exchange_seats,
    is_bound_to_seat,
    most_points,
    require_overcomable,
    with_handicap,
)
from games.rules.records.record import Record
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.seat import Seat

USUAL = "S60 A60 *60 T60 R60 S30 A30 *30 T30 R30"
TWELVE = f"{USUAL} S61 S62"


def conditions_of(handicap: str, game: str = "star-star", board: str = "10") -> Conditions:
    return read_conditions({"Game": game, "Board": board, "Handicap": handicap})


@pytest.mark.parametrize(
    ("written", "text", "json"),
    [
        ("second 3 stones", "second 3 stones", {"seat": "second", "stones": 3}),
        ("first 2 points", "first 2 points", {"seat": "first", "points": 2}),
        (
            "second S60 A60 T60",
            "second S60 A60 T60",
            {"seat": "second", "stones": ["S60", "A60", "T60"]},
        ),
        ("second T60 s60 A60", "second S60 A60 T60", {"stones": ["S60", "A60", "T60"]}),
        ("second *60 S60 A60", "second 3 stones", {"stones": 3}),
        ("second S20 T60 S10", "second T60 S10 S20", {"stones": ["T60", "S10", "S20"]}),
        (f"second {TWELVE}", f"second {TWELVE}", {"stones": TWELVE.split()}),
        (
            "second 3 stones, 2 points",
            "second 3 stones, 2 points",
            {"seat": "second", "stones": 3, "points": 2},
        ),
        ("second 1 stone, 1 point", "second 1 stones, 1 points", {"stones": 1, "points": 1}),
        (
            "second T60 S60, 2 points",
            "second S60 T60, 2 points",
            {"stones": ["S60", "T60"], "points": 2},
        ),
    ],
)
def test_a_handicap_is_read_from_text_and_json(
    written: str, text: str, json: dict[str, object]
) -> None:
    conditions = conditions_of(written)
    record = Record(conditions=conditions, moves=("S10", "T10"))

    assert str(conditions.handicap) == text
    assert conditions.as_json()["handicap"] == {"seat": "second"} | json
    assert Record.from_json(record.as_json()) == Record.parse(str(record)) == record
    assert judge(record.as_json()).digest == judge(str(record)).digest


@pytest.mark.parametrize("game", ["star-star", "double-star-star", "star-y", "poly-y"])
@pytest.mark.parametrize(("board", "cells"), [("4", "A10 S20 S30"), ("10", TWELVE)])
def test_the_stones_stand_on_the_named_cells_and_the_other_side_moves(
    game: str, board: str, cells: str
) -> None:
    start = GAMES[game].start(conditions_of(f"second {cells}", game, board))

    found = {name for name, bit in start.board.bits.items() if start.second & bit}
    assert (found, start.first, start.to_move) == ({*cells.split()}, 0, Seat.FIRST)
    tags = f'[Game "{game}"]\n[Board "{board}"]\n[Handicap "second {cells}"]'
    assert judge(f"{tags}\n\n{cells.split()[-1]}").errors[0].code == "occupied"


def test_a_board_without_usual_cells_has_stones_on_named_ones() -> None:
    conditions = conditions_of("second D30 A60 C", "poly-y", "6x9")
    start = GAMES["poly-y"].start(conditions)
    found = {name for name, bit in start.board.bits.items() if start.second & bit}
    assert (found, start.to_move) == ({"A60", "D30", "C"}, Seat.FIRST)
    assert judge(Record(conditions=conditions, moves=("A10",)).as_json()).errors == ()

    for stones, detail in (
        ("3 stones", "board 6x9 has no usual cells for handicap stones; name the cells"),
        ("S60 A60", "S60 is not a cell of board 6x9"),
        (" ".join(sorted(start.board.bits)[:64]), "more than a third of the board; at most 63"),
    ):
        with pytest.raises(BadConditions, match=detail):
            conditions_of(f"second {stones}", "poly-y", "6x9")


@pytest.mark.parametrize(
    ("handicap", "detail"),
    [
        ("second S60 Q99", "Q99 is not a cell of board 10"),
        ("second S60 C", "C is not a cell of board 10"),
        ("second S60 T60 S60", "S60 is named twice"),
        ("first S60", "handicap stones belong to the second seat; the other moves first"),
        ("first 3 stones, 2 points", "handicap stones belong to the second seat"),
        ("second 11 stones", "at most 10 handicap stones on the usual cells; for more, write"),
        ("second 3 stones, 10000 points", "there are at most 9999 handicap points"),
        ("second 3 stones 2 points", "is no handicap; write second 3 stones"),
        ("second 2 points, 3 stones", "is no handicap; write second 3 stones"),
        ("second 3 stones, ", "is no handicap; write second 3 stones"),
        ("second 3 stones, 0 points", "is no handicap; write second 3 stones"),
        ("second S60, T60", "is no handicap; write second 3 stones"),
        ("second S60  T60", "is no handicap; write second 3 stones"),
        ("second S60\x00", "is no handicap; write second 3 stones"),
        ("second ", "is no handicap; write second 3 stones"),
    ],
)
def test_a_wrong_handicap_is_refused_with_its_fault(handicap: str, detail: str) -> None:
    with pytest.raises(BadConditions, match=detail) as caught:
        conditions_of(handicap)
    assert (caught.value.code, caught.value.tag) == ("handicap_conflict", "Handicap")


@pytest.mark.parametrize(
    "handicap",
    [
        {"seat": "second", "stones": []},
        {"seat": "second", "stones": [3]},
        {"seat": "second", "stones": [["S60"]]},
        {"seat": "second", "stones": ["3 stones"]},
        {"seat": "second", "stones": "S60"},
        {"seat": "second", "stones": True, "points": 2},
        {"seat": "second", "stones": 3, "points": 2.0},
        {"seat": "second", "stones": 3, "points": ["S60"]},
        {"seat": "second", "stones": 3, "points": 2, "more": 1},
        {"stones": 3, "points": 2},
        {"seat": "second", "stones": ["S60"] * 10_001},
    ],
)
def test_a_wrong_handicap_in_json_is_refused(handicap: object) -> None:
    verdict = judge({"game": "star-star", "board": "10", "handicap": handicap})
    assert [error.code for error in verdict.errors] in (["handicap_conflict"], ["unreadable"])


@pytest.mark.parametrize(
    ("game", "board", "most"),
    [("star-star", "10", 91), ("nobridge-star-star", "4", 17), ("star-y", "4", 17)],
)
def test_stones_are_named_on_a_third_of_the_board_at_most(game: str, board: str, most: int) -> None:
    even = read_conditions({"Game": game, "Board": board})
    names = GAMES[game].start(even).board.names
    assert conditions_of(f"second {' '.join(names[:most])}", game, board).handicap_stones == most
    with pytest.raises(BadConditions, match=f"a third of the board; at most {most} can be named"):
        conditions_of(f"second {' '.join(names[: most + 1])}", game, board)


def test_points_need_a_score_and_stones_exclude_the_pie_rule() -> None:
    with pytest.raises(BadConditions, match="star-y is played without handicap points"):
        conditions_of("second S60 T60, 2 points", "star-y")
    for handicap in ("second S60 T60", "second 3 stones, 2 points"):
        assert not conditions_of(handicap).swap
        with pytest.raises(BadConditions, match="cannot be combined"):
            read_conditions(
                {"Game": "star-star", "Board": "10", "Swap": "yes", "Handicap": handicap}
            )


def test_stones_that_win_the_game_are_refused() -> None:
    mesh = GAMES["star-y"].start(read_conditions({"Game": "star-y", "Board": "4"})).board
    rim = [mesh.names[cell] for cell in range(len(mesh.names)) if mesh.rim_cells >> cell & 1]
    with pytest.raises(BadConditions, match="win the game before it begins"):
        conditions_of(f"second {' '.join(rim[:17])}", "star-y", "4")


@pytest.mark.parametrize(
    ("handicap", "is_bound"),
    [
        ("", False), ("first 2 points", False), ("second 1 points", False), ("first move", True),
        ("second 3 stones", True), ("second S60 T60", True), ("second 3 stones, 2 points", True),
    ],
)  # fmt: skip
def test_stones_belong_to_a_seat_and_points_do_not(handicap: str, is_bound: bool) -> None:
    assert is_bound_to_seat(handicap) is is_bound
    even = read_conditions({"Game": "star-star", "Board": "10"})
    given = with_handicap(even, handicap)
    assert given.swap is not is_bound
    if handicap and not is_bound:
        assert exchange_seats(exchange_seats(handicap)) == handicap


def test_points_beside_stones_are_applied_up_to_what_can_be_won() -> None:
    stones = conditions_of("second 3 stones", board="4")
    most = most_points(stones, Seat.SECOND)
    require_overcomable(conditions_of(f"second 3 stones, {most} points", board="4"))
    with pytest.raises(BadConditions, match=f"at most {most} can be given"):
        require_overcomable(conditions_of(f"second 3 stones, {most + 1} points", board="4"))
