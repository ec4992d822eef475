"""Examples for hints and errors, of the game and the board that a reader has before them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from games.rules.conditions import Conditions
from games.rules.position import PASS, SWAP, Position
from games.rules.records.claims import possible_results
from games.rules.registry import find_game

CONSIDERED_TURNS = 60
"""Turns of which the last one is the example: not a corner, which comes first."""


def example_turn(position: Position) -> str:
    """Return a legal turn that is no pass and no swap; "" without one."""
    turns = (turn for turn in position.legal_moves() if turn not in (PASS, SWAP))
    return next(iter([*islice(turns, CONSIDERED_TURNS)][::-1]), "")


def example_turns(conditions: Conditions) -> str:
    """Return the first turns of a game in the form of a record, with a swap if it is possible."""
    rules = find_game(conditions.game)
    position = rules.start(conditions)
    turns: list[str] = []
    for _ in range(3):
        turn = SWAP if turns and position.is_legal(SWAP) else example_turn(position)
        turns.append(turn)
        position = position.play(turn)
    return (
        f"1. {turns[0]} {turns[1]} 2. {turns[2]}"
        if rules.players > 1
        else f"1. {turns[0]} 2. {turns[1]} 3. {turns[2]}"
    )


def example_result(conditions: Conditions) -> str:
    """Return a result on which the players can agree: a narrow score, or a win; "" if none."""
    rules = find_game(conditions.game)
    if rules.players == 1:
        return ""
    results: Sequence[str] = possible_results(rules, conditions)
    wins = [result for result in results if _is_won(result)]
    return wins[-1] if wins else ""


def _is_won(result: str) -> bool:
    """Return True if the first seat wins by a result with two whole numbers."""
    first, dash, second = result.partition("-")
    return bool(dash) and first.isdigit() and second.isdigit() and int(first) > int(second)
