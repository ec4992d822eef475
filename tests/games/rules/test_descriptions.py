"""Turns and cells in words."""

import pytest

from games.rules.descriptions.cells import ABOUT_CELLS, describe_cells
from games.rules.descriptions.scores import describe_alternative, describe_counts, describe_standing
from games.rules.descriptions.turns import describe_turn
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.samples import find_sample
from games.rules.seat import Seat
from tests.games.rules.random_games import random_game


def positions(game, board, turns, **tags):
    """Return the positions of a game, from the start to that after the last turn."""
    found = [GAMES[game].start(read_conditions({"Game": game, "Board": board, **tags}))]
    for turn in turns.split():
        found.append(found[-1].play(turn))
    return found


def last_turn(game, board, turns, **tags):
    *_, before, after = positions(game, board, turns, **tags)
    return describe_turn(before, turns.split()[-1], after)


@pytest.mark.parametrize(
    ("game", "board", "turns", "sentence"),
    [
        ("star-star", "4", "S20", "S20: a new chain."),
        ("star-star", "4", "S40", "S40: a new chain, 1 edge cell, now a spark."),
        (
            "star-star",
            "4",
            "S40 T40 S41",
            "S41: extends a chain to 2 stones, 2 edge cells, now a star of 2 peries.",
        ),
        (
            "star-star",
            "4",
            "S40 T40 S41 A40 S42",
            "S42: extends a chain to 3 stones, 3 edge cells, a star of 3 peries.",
        ),
        (
            "star-star",
            "4",
            "*41 A40 *31 A41 *32 A42 *43",
            "*43: extends a chain to 4 stones, 2 edge cells, now a star of 3 peries.",
        ),
        (
            "star-star",
            "4",
            "S40 T40 S42 A40 S41",
            "S41: joins two chains, now 3 stones, 3 edge cells, now a star of 3 peries.",
        ),
        ("star-star", "4", "S10 T40 A10", "A10: extends a chain to 2 stones."),
        ("star-star", "4", "S40 swap", "swap: the second player takes over the first stone."),
        (
            "double-star-star",
            "4",
            "S40 A20,T40",
            "A20,T40: A20 a new chain, T40 a new chain, 1 edge cell, now a spark.",
        ),
        ("star", "2x3", "A1 pass", "pass: second places no stone."),
        ("star", "2x3", "A1", "A1: a new chain, 3 border hexes, now a star of 1 point."),
        ("hex", "3", "a1 b1 a2", "a2: extends a chain to 2 stones, 2 sides."),
        (
            "hex",
            "3",
            "a1 b1 a2 b2 a3",
            "a3: extends a chain to 3 stones, 3 sides, a winning shape, first wins.",
        ),
        ("star-y", "4", "S40", "S40: a new chain, 2 sides (*–S, S–T)."),
        ("star-y", "4", "C", "C: a new chain."),
        (
            "poly-y",
            "4",
            "S40 A20 S41 *20 S42 R20 S43 T20 T40",
            "T40: extends a chain to 5 stones, 3 sides (*–S, S–T, T–A), 2 corners owned.",
        ),
        ("havannah", "3", "a1", "a1: a new chain, 1 corner."),
        ("havannah", "3", "a2", "a2: a new chain, 1 side."),
        ("twixt", "5", "b1 a3 c3", "c3: extends a chain to 2 stones, 1 border."),
        (
            "twixt",
            "6",
            "b2 a3 e5 a4 c4",
            "c4: joins two chains, now 3 stones.",
        ),
        ("penta-line", "10", "S01-S71", "S01-S71: moves along a row."),
        (
            "penta-hex",
            "10",
            "*00-*90",
            "*00-*90: moves along a row, in a group of 1 stone.",
        ),
        ("queens", "10", "A74", "A74: stone 1, 229 free cells left."),
        ("mini", "10", "T21-S32", "T21-S32: jumps, T20 and T21 empty, 15 stones left."),
    ],
)
def test_a_turn_in_words(game, board, turns, sentence):
    assert last_turn(game, board, turns) == sentence


SURROUNDED = '[Game "star-star"]\n[Board "4"]\n\n*41 A40 *31 A41 *32 A42 *43 A43 '
HANDICAP = '[Game "star-star"]\n[Board "4"]\n[Handicap "second 3 points"]\n\n'


@pytest.mark.parametrize(
    ("record", "words"),
    [
        pytest.param(
            find_sample("star-star"),
            [
                "13 peries + 6 for 3 stars fewer = 19",
                "17 peries + 1 quark peri − 6 for 3 stars more = 12",
                "Alternative score of first: 13 − 18 + 12 (REWARD) = +7",
            ],
            id="proved",
        ),
        pytest.param(
            find_sample("star"),
            ["18 border hexes − 6 for 3 stars = 12", "19 border hexes − 6 for 3 stars = 13", ""],
            id="proved in Star",
        ),
        pytest.param(
            Record.parse(SURROUNDED + "*"),
            [
                "3 to 17 possible; counted so far: 3 peries, 0 quarks, 1 star",
                "4 to 18 possible; counted so far: 4 peries, 1 quark, 1 star",
                "Alternative score of first, counted so far: 3 − 4 + 0 (REWARD) = −1;"
                " from −15 to +13 on a full board",
            ],
            id="open",
        ),
        pytest.param(
            Record.parse(SURROUNDED + "agreed 10-11"),
            [
                "agreed; counted so far: 3 peries, 0 quarks, 1 star",
                "agreed; counted so far: 4 peries, 1 quark, 1 star",
                "Alternative score of first: −1, agreed; counted so far: 3 − 4 + 0 (REWARD) = −1",
            ],
            id="agreed",
        ),
        pytest.param(
            Record.parse(SURROUNDED + "resign"),
            [
                "counted so far: 3 peries, 0 quarks, 1 star",
                "counted so far: 4 peries, 1 quark, 1 star",
                "",
            ],
            id="resigned",
        ),
        pytest.param(
            Record.parse(HANDICAP + "S40 *"),
            [
                "−1 to 16 possible; counted so far: nothing",
                "5 to 22 possible; counted so far: nothing",
                "Alternative score of first, counted so far: 0 − 0 + 0 (REWARD) − 6 (handicap)"
                " = −6; from −23 to +11 on a full board",
            ],
            id="with a handicap",
        ),
        pytest.param(Record.parse('[Game "hex"]\n[Board "3"]\n\na1 *'), ["", "", ""], id="none"),
    ],
)
def test_a_score_in_words(record, words):
    outcome, points = record.replay().outcome, record.conditions.points_for_first
    seats = (
        (describe_standing(outcome, seat), describe_counts(outcome, seat, points)) for seat in Seat
    )

    assert [
        *("; ".join(part for part in parts if part) for parts in seats),
        describe_alternative(outcome, points),
    ] == words


def test_the_label_of_a_cell_states_its_chain():
    position = positions("star-star", "4", "S40 T30 S41 *10 S20 A10")[-1]
    labels = describe_cells(position)

    assert {name: label for name, label in labels.items() if label != name} == {
        "S40": "S40, first, chain of 2, 2 edge cells, star of 2 peries",
        "S41": "S41, first, chain of 2, 2 edge cells, star of 2 peries",
        "S20": "S20, first, single stone",
        "T30": "T30, second, single stone",
        "*10": "*10, second, chain of 2",
        "A10": "A10, second, chain of 2",
    }


@pytest.mark.parametrize(
    ("question", "cell", "answer"),
    [
        (
            "neighbours",
            "S40",
            "Neighbours of S40: S30; *43; S41, first, chain of 2, 2 edge cells, star of 2 peries.",
        ),
        ("chain", "S41", "Chain of 2, 2 edge cells, star of 2 peries: S40 S41."),
        ("chain", "T40", "T40 is empty."),
        ("edges", "S41", "The chain of S41: 2 edge cells: S40 S41."),
        ("edges", "T20", "The chain of T20 touches no edge."),
        ("edges", "T40", "T40 has no chain."),
        ("bounds", "T40", "Points on a full board: first 2 to 19, second 2 to 19."),
    ],
)
def test_questions_about_a_cell(question, cell, answer):
    position = positions("star-star", "4", "S40 T20 S41")[-1]

    assert ABOUT_CELLS[question](position, position.board.index[cell]) == answer


def test_the_score_at_the_end_is_stated_with_its_sums():
    sample = find_sample("star")
    position = positions("star", "4x5", " ".join(sample.moves))[-1]

    assert ABOUT_CELLS["bounds"](position, 0) == (
        "The score is 12-13. First: 18 border hexes − 6 for 3 stars = 12."
        " Second: 19 border hexes − 6 for 3 stars = 13."
    )


@pytest.mark.parametrize("code", GAMES)
def test_every_game_has_words_for_every_turn(code):
    rules = GAMES[code]
    conditions = read_conditions({"Game": code, "Board": rules.boards[0]})
    turns, after = random_game(rules, conditions, 3, most_plies=40)
    position = rules.start(conditions)

    for turn in turns:
        following = position.play(turn)
        sentence = describe_turn(position, turn, following)
        assert sentence.startswith(f"{turn}: ")
        assert sentence.endswith(".")
        position = following
    for question in ABOUT_CELLS.values():
        assert question(position, 0).endswith(".")
    assert position == after[-1]
