"""Reading the conditions of a game from the tags of its record.

`Game` and `Board` must be there. `Options` are words, `Swap` is yes or no, `Handicap` is
`second 3 stones` or `first 2 points`, `Advice` names the seat that is advised, `Setup` is
`first: S91 S92; second: S98 S99` where the game allows another start. Every other tag is the
record's own business and never looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from games.rules import find_game
from games.rules.conditions import Conditions, Handicap, HandicapKind, Setup
from games.rules.errors import BadConditions, Code, UnknownBoard, UnknownGame
from games.rules.game import GameRules
from games.rules.seat import Seat

MEANINGFUL = ("Game", "Board", "Options", "Swap", "Handicap", "Advice", "Setup")
MOST_HANDICAP_STONES = 10

_HANDICAP = re.compile(r"(first|second) ([1-9][0-9]{0,3}) (stones|points)")
_SETUP = re.compile(r"first:([^:;]*);\s*second:([^:;]*)")


def read_conditions(tags: Mapping[str, str]) -> Conditions:
    """Return the conditions that a record's tags state, defaults filled in.

    Raises BadConditions (UnknownGame and UnknownBoard among them) for the first tag that is
    wrong by itself, in the order in which they stand, then for tags that do not go together.
    """
    return _read(tuple((name, tags[name]) for name in tags if name in MEANINGFUL))


@lru_cache(maxsize=128)
def _read(stated: tuple[tuple[str, str], ...]) -> Conditions:
    tags = dict(stated)
    if "Game" not in tags:
        raise UnknownGame("a record needs the tag Game")
    rules = find_game(tags["Game"])

    board: str | None = None
    options: tuple[str, ...] = ()
    swap: bool | None = None
    handicap: Handicap | None = None
    advice: Seat | None = None
    setup: Setup | None = None
    for name, value in stated:
        match name:
            case "Board":
                board = _read_board(rules, value)
            case "Options":
                options = _read_options(rules, value)
            case "Swap":
                swap = _read_swap(rules, value)
            case "Handicap":
                handicap = _read_handicap(rules, value)
            case "Advice":
                advice = _read_advice(value)
            case "Setup":
                setup = _read_setup(rules, value)

    if board is None:
        raise UnknownBoard(f"a record needs the tag Board; {rules.code} takes {rules.board_form}")
    with_stones = handicap is not None and handicap.kind is HandicapKind.STONES
    if with_stones:
        _check_stones(rules, board, swap=swap)
    return Conditions(
        game=rules.code,
        board=board,
        options=options,
        swap=rules.swaps and not with_stones if swap is None else swap,
        handicap=handicap,
        advice=advice,
        setup=rules.read_setup(setup) if rules.read_setup else None,
    )


def _read_board(rules: GameRules, value: str) -> str:
    board = rules.read_board(value)
    if board is None:
        raise UnknownBoard(f"{rules.code} has no board {value!r:.60}; it takes {rules.board_form}")
    return board


def _read_options(rules: GameRules, value: str) -> tuple[str, ...]:
    options = value.split()
    for option in options:
        if option not in rules.options:
            known = ", ".join(rules.options) or "none"
            raise BadConditions(
                f"{rules.code} has no option {option!r:.60}; options: {known}",
                Code.BAD_TAG,
                tag="Options",
            )
    return tuple(option for option in rules.options if option in options)


def _read_swap(rules: GameRules, value: str) -> bool:
    if value not in ("yes", "no"):
        raise BadConditions(f"Swap is yes or no, not {value!r:.60}", Code.BAD_TAG, tag="Swap")
    if value == "yes" and not rules.swaps:
        raise BadConditions(f"{rules.code} is played without swap", Code.BAD_TAG, tag="Swap")
    return value == "yes"


def _read_handicap(rules: GameRules, value: str) -> Handicap:
    stated = _HANDICAP.fullmatch(value)
    if stated is None:
        raise _conflict(
            f"a handicap is written like 'second 3 stones' or 'first 2 points', not {value!r:.60}"
        )
    handicap = Handicap(Seat(stated[1]), HandicapKind(stated[3]), int(stated[2]))
    if handicap.kind not in rules.handicaps:
        raise _conflict(f"{rules.code} is played without handicap {handicap.kind}")
    if handicap.kind is HandicapKind.STONES:
        if handicap.seat is Seat.FIRST:
            raise _conflict("handicap stones are the second seat's; the other seat moves first")
        if handicap.number > MOST_HANDICAP_STONES:
            raise _conflict(f"there are places for {MOST_HANDICAP_STONES} handicap stones")
    return handicap


def _check_stones(rules: GameRules, board: str, *, swap: bool | None) -> None:
    if swap:
        raise _conflict("handicap stones and swap do not go together")
    if not rules.handicap_stones(board):
        raise _conflict(f"board {board} has no places for handicap stones")


def _conflict(detail: str) -> BadConditions:
    return BadConditions(detail, Code.HANDICAP_CONFLICT, tag="Handicap")


def _read_advice(value: str) -> Seat:
    if value not in tuple(Seat):
        raise BadConditions(
            f"Advice is first or second, who is advised, not {value!r:.60}",
            Code.BAD_TAG,
            tag="Advice",
        )
    return Seat(value)


def _read_setup(rules: GameRules, value: str) -> Setup:
    if rules.read_setup is None:
        raise BadConditions(f"{rules.code} has one start only", Code.BAD_TAG, tag="Setup")
    stated = _SETUP.fullmatch(value)
    if stated is None:
        raise BadConditions(
            f"a set-up is written 'first: S91 S92; second: S98 S99', not {value!r:.60}",
            Code.BAD_TAG,
            tag="Setup",
        )
    first, second = (tuple(sorted(side.upper().split())) for side in stated.groups())
    return first, second
