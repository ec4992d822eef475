"""Outcomes at every ply of random games equal those found from the stones alone."""

import random

import pytest

from games.rules.families.placement import Placement
from games.rules.outcome import Outcome, Termination
from games.rules.position import PASS, SWAP
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES, find_game
from games.rules.seat import Seat
from tests.games.rules.reference import movement
from tests.games.rules.reference.referee import (
    SCORES,
    GoalGame,
    judge_solitaire,
    leader,
    score_board,
)
from tests.games.rules.reference.scores import extremes
from tests.games.rules.seeds import seeds

BOARDS = {
    "star-star": ("4", "6", "10"),
    "nobridge-star-star": ("4", "6", "10"),
    "double-star-star": ("4", "6", "10"),
    "star": ("2x3", "3x3", "3x4", "5x6"),
    "star-y": ("4", "10"),
    "poly-y": ("4", "8", "4x9"),
    "y": ("5", "9", "93"),
    "hex": ("3", "8", "7x4"),
    "havannah": ("3", "4"),
    "twixt": ("5", "8"),
}
GAMES_AND_BOARDS = [(game, board) for game, boards in BOARDS.items() for board in boards]
QUICK, MANY = range(1), range(1, 100)


def random_start(game, board, chance):
    """Return the start of a game, with an option, stones, points, both or no handicap."""
    tags = {"Game": game, "Board": board}
    kind = chance.choice(["none", "points", "stones", "cells"])
    if kind == "points" and game in SCORES:
        tags["Handicap"] = f"{chance.choice(['first', 'second'])} {chance.choice([1, 7])} points"
    if kind == "stones" and game != "star" and "x9" not in board and (
        game in (*SCORES, "star-y", "poly-y")
    ):  # fmt: skip
        tags["Handicap"] = f"second {chance.randint(1, 10)} stones"
    if kind == "cells" and game != "star" and "x9" not in board and (
        game in (*SCORES, "star-y", "poly-y")
    ):  # fmt: skip
        cells = find_game(game).start(read_conditions(tags)).board.names
        named = " ".join(chance.sample(cells, chance.randint(1, len(cells) // 5)))
        points = chance.choice(["", ", 3 points"]) if game in SCORES else ""
        tags["Handicap"] = f"second {named}{points}"
    if game == "star" and chance.random() < 0.5:
        tags["Options"] = "two-point-corners"
    return find_game(game).start(read_conditions(tags))


def random_turn(position, chance):
    """Return a turn, often a swap where it is legal, seldom a pass."""
    if getattr(position, "may_swap", False) and chance.random() < 0.4:
        return SWAP
    turn = position.random_move(chance)
    if turn == PASS and chance.random() < 0.8:
        turn = next(position.legal_moves())
    return turn


def names(position, seat):
    """Return the cells of a seat's stones."""
    stones = position.stones(seat)
    return {name for name, bit in position.board.bits.items() if stones & bit}


def plain_score_outcome(position, plain):
    """Return the outcome of a scoring game from its two sets of stones."""
    first, second = (names(position, seat) for seat in Seat)
    low, high = extremes(plain, first, second)
    points = position.conditions.points_for_first
    proved = {
        "bounds": ((low[0], high[0]), (high[1], low[1])),
        "detail": {"first": plain.detail(first, second), "second": plain.detail(second, first)},
    }
    if getattr(position, "passes", 0) == 2:
        termination, score = Termination.PASSES, plain.scores(first, second)
    elif low == high:
        is_full = len(first | second) == len(plain.graph)
        termination, score = (Termination.FULL if is_full else Termination.DECIDED), low
    else:
        ends = {leader(one + points, other - points) for one, other in (low, high)}
        certain = ends.pop() if len(ends) == 1 else None
        return Outcome(**proved, winner_decided=certain and Seat(certain))
    return Outcome.from_score(
        termination, (score[0] + points, score[1] - points), proved["bounds"], proved["detail"]
    )


def plain_goal_outcome(verdict):
    """Return the outcome of a goal game or of a solitaire from its plain verdict."""
    return Outcome(
        termination=verdict["termination"] and Termination(verdict["termination"]),
        winner=verdict["winner"] and Seat(verdict["winner"]),
        draw=verdict.get("draw", False),
        detail=verdict["detail"],
    )


def test_every_placement_game_is_tested():
    placed = {
        code
        for code, rules in GAMES.items()
        if isinstance(rules.start(read_conditions({"Game": code, "Board": rules.boards[0]})),
                      Placement)
    }  # fmt: skip

    assert placed == {*BOARDS}


@seeds(QUICK, MANY)
@pytest.mark.parametrize(
    ("game", "board"), [case for case in GAMES_AND_BOARDS if case[0] in SCORES]
)
def test_outcomes_of_scoring_games(game, board, seed):
    chance = random.Random(f"{game}{board}{seed}")
    position = random_start(game, board, chance)
    plain = score_board(game, board, position.conditions.options)
    # The plain recomputation is slow on large boards; there the outcome is compared at some plies.
    share = 1 if len(plain.graph) < 110 else 0.1
    while not position.is_over:
        position = position.play(random_turn(position, chance))
        outcome = position.outcome()
        if position.is_over or chance.random() < share:
            expected = plain_score_outcome(position, plain)
            assert outcome.termination is expected.termination
            assert outcome == expected == position.outcome()


@seeds(QUICK, MANY)
@pytest.mark.parametrize(
    ("game", "board"), [case for case in GAMES_AND_BOARDS if case[0] not in SCORES]
)
def test_outcomes_of_goal_games(game, board, seed):
    chance = random.Random(f"{game}{board}{seed}")
    position = random_start(game, board, chance)
    handicap = position.conditions.handicap
    plain = GoalGame(game, board, stones=handicap.stones if handicap else 0)
    while not position.is_over:
        turn = random_turn(position, chance)
        position = position.play(turn)
        plain.play(turn)
        assert position.outcome() == plain_goal_outcome(plain.verdict())


@seeds(QUICK, MANY)
@pytest.mark.parametrize("game", ["penta-line", "penta-hex"])
def test_outcomes_of_movement_games(game, seed):
    chance = random.Random(f"{game}{seed}")
    position = find_game(game).start(read_conditions({"Game": game, "Board": "10"}))
    while position.plies < 12 and not position.is_over:
        position = position.play(position.random_move(chance))
        has_goal = [
            movement.has_five(names(position, seat))
            if game == "penta-line"
            else len(movement.pentahexes(names(position, seat))) >= 5
            for seat in Seat
        ]
        mover = position.to_move.other
        expected = Outcome()
        if any(has_goal):
            expected = Outcome(termination=Termination.GOAL, winner=mover)
        assert position.outcome() == expected


@seeds(QUICK, MANY)
@pytest.mark.parametrize("game", ["queens", "supply-line", "ring", "mini"])
def test_outcomes_of_solitaires(game, seed):
    chance = random.Random(f"{game}{seed}")
    position = find_game(game).start(read_conditions({"Game": game, "Board": "10"}))
    turns = []
    while not position.is_over:
        turns.append(position.random_move(chance))
        position = position.play(turns[-1])
        if len(turns) % 10 == 0 or position.is_over:
            assert position.outcome() == plain_goal_outcome(judge_solitaire(game, turns))
