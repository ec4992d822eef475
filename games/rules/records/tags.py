"""The conditions of a game from the tags of its record.

`Game` and `Board` are required. `Options` are words, `Swap` is yes or no, `Handicap` is
`second 3 stones`, `second S60 A60 T60` (stones on these cells, at most a third of the board),
`first 2 points`, or stones and points, `second 3 stones, 2 points`. `Advice` names the seat that is
advised, `Setup` is `first: S91 S92; second: S98 S99` if the game allows another start. Other tags
have no meaning for the rules and are not read here.

Cells have one order: the usual ones in theirs, then the others as the board numbers them. If they
are the usual ones of their number, the handicap is that number of stones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from games.rules.conditions import Conditions, Handicap, Setup
from games.rules.errors import BadConditions, Code, UnknownBoard, UnknownGame
from games.rules.families.placement import MOST_USUAL_STONES, handicap_cells
from games.rules.game import GameRules
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text

MEANINGFUL = ("Game", "Board", "Options", "Swap", "Handicap", "Advice", "Setup")
MOST_HANDICAP_STONES = MOST_USUAL_STONES
MOST_HANDICAP_POINTS = 9_999

_SETUP = re.compile(r"first:([^:;]*);[ \t]*second:([^:;]*)")
_TAG_WORD = re.compile(r"[^ \t]+")


def read_conditions(tags: Mapping[str, str]) -> Conditions:
    """Return the conditions that a record's tags state, with defaults filled in.

    Raise BadConditions (or its subclasses UnknownGame and UnknownBoard) for the first tag, in
    their order, that is wrong by itself, then for tags that conflict.
    """
    return _read(tuple((name, tags[name]) for name in tags if name in MEANINGFUL))


@lru_cache(maxsize=128)
def _read(items: tuple[tuple[str, str], ...]) -> Conditions:
    tags = dict(items)
    if "Game" not in tags:
        raise UnknownGame(Text("a record needs the tag Game"))
    rules = find_game(tags["Game"])

    board: str | None = None
    options: tuple[str, ...] = ()
    swap: bool | None = None
    handicap: Handicap | None = None
    advice: Seat | None = None
    setup: Setup | None = None
    for name, value in items:
        match name:
            case "Board":
                board = rules.canonical_board(value)
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
        raise UnknownBoard(
            Text(
                "a record needs the tag Board; %(game)s takes %(form)s",
                game=rules.code,
                form=Text(rules.board_form),
            ),
            rules.boards,
        )
    with_stones = handicap is not None and bool(handicap.stones)
    if with_stones and swap:
        raise _conflict(Text("handicap stones and swap cannot be combined"))
    if handicap and isinstance(handicap.stones, int) and handicap.stones:
        _require_usual_cells(rules, board)
    conditions = Conditions(
        game=rules.code,
        board=board,
        options=options,
        swap=rules.swaps and not with_stones if swap is None else swap,
        handicap=handicap,
        advice=advice,
        setup=rules.parse_setup(setup) if rules.parse_setup else None,
    )
    return _with_cells(rules, conditions)


def _require_usual_cells(rules: GameRules, board: str) -> None:
    if not rules.has_handicap_cells(board):
        raise _conflict(
            Text(
                "board %(board)s has no usual cells for handicap stones; name the cells, as in "
                "'second A30 B30'",
                board=board,
            )
        )


def _read_options(rules: GameRules, value: str) -> tuple[str, ...]:
    options = _TAG_WORD.findall(value)
    for option in options:
        if option not in rules.options:
            known = ", ".join(rules.options) or Text("none")
            raise _bad_tag(
                "Options",
                Text(
                    "%(game)s has no option %(word)s; options: %(names)s",
                    game=rules.code,
                    word=f"{option!r:.60}",
                    names=known,
                ),
                rules.options,
            )
    return tuple(option for option in rules.options if option in options)


def _read_swap(rules: GameRules, value: str) -> bool:
    if value not in ("yes", "no"):
        raise _bad_tag("Swap", Text("Swap is yes or no, not %(word)s", word=f"{value!r:.60}"))
    if value == "yes" and not rules.swaps:
        raise _bad_tag("Swap", Text("%(game)s is played without swap", game=rules.code))
    return value == "yes"


def _read_handicap(rules: GameRules, value: str) -> Handicap:
    handicap = Handicap.parse(value)
    if handicap is None:
        raise _conflict(
            Text(
                "%(word)s is no handicap; write second 3 stones, second and the names of the cells,"
                " first 2 points, or second 3 stones, 2 points",
                word=f"{value!r:.60}",
            )
        )
    for kind in handicap.kinds:
        if kind not in rules.handicaps:
            raise _conflict(
                Text("%(game)s is played without handicap %(kind)s", game=rules.code, kind=kind)
            )
    if handicap.stones and handicap.seat is Seat.FIRST:
        raise _conflict(Text("handicap stones belong to the second seat; the other moves first"))
    if isinstance(handicap.stones, int) and handicap.stones > MOST_HANDICAP_STONES:
        raise _conflict(
            Text(
                "there are at most %(most)s handicap stones on the usual cells; for more, write "
                "second and the names of the cells",
                most=MOST_HANDICAP_STONES,
            )
        )
    if handicap.points > MOST_HANDICAP_POINTS:
        raise _conflict(
            Text("there are at most %(most)s handicap points", most=MOST_HANDICAP_POINTS)
        )
    return handicap


def _with_cells(rules: GameRules, conditions: Conditions) -> Conditions:
    """Return the conditions with the named cells of handicap stones in their order."""
    handicap = conditions.handicap
    if handicap is None or isinstance(handicap.stones, int):
        return conditions
    cells, names = handicap.stones, rules.start(replace(conditions, handicap=None)).board.names
    for cell in cells:
        if cell not in names:
            raise _conflict(
                Text("%(cell)s is not a cell of board %(board)s", cell=cell, board=conditions.board)
            )
    for cell in cells:
        if cells.count(cell) > 1:
            raise _conflict(Text("%(cell)s is named twice", cell=cell))
    if len(cells) > len(names) // 3:
        raise _conflict(
            Text(
                "%(count)s handicap stones are more than a third of the board; at most %(most)s "
                "can be named",
                count=len(cells),
                most=len(names) // 3,
            )
        )
    has_usual = rules.has_handicap_cells(conditions.board)
    usual = handicap_cells(int(conditions.board), MOST_HANDICAP_STONES) if has_usual else ()
    ordered = tuple(cell for cell in dict.fromkeys((*usual, *names)) if cell in cells)
    stones = len(cells) if ordered == usual[: len(cells)] else ordered
    conditions = replace(conditions, handicap=replace(handicap, stones=stones))
    if rules.start(conditions).is_over:
        raise _conflict(Text("these handicap stones win the game before it begins"))
    return conditions


def _read_advice(value: str) -> Seat:
    if value not in tuple(Seat):
        raise _bad_tag(
            "Advice",
            Text("Advice is first or second (who is advised), not %(word)s", word=f"{value!r:.60}"),
        )
    return Seat(value)


def _read_setup(rules: GameRules, value: str) -> Setup:
    if rules.parse_setup is None:
        raise _bad_tag("Setup", Text("%(game)s has only one start", game=rules.code))
    sides = _SETUP.fullmatch(value)
    if sides is None:
        form = "first: S91 S92; second: S98 S99"
        raise _bad_tag(
            "Setup",
            Text("a set-up is written '%(form)s', not %(word)s", form=form, word=f"{value!r:.60}"),
        )
    first, second = (tuple(sorted(_TAG_WORD.findall(side.upper()))) for side in sides.groups())
    return first, second


def _bad_tag(tag: str, detail: str, valid: tuple[str, ...] | None = None) -> BadConditions:
    return BadConditions(detail, Code.BAD_TAG, tag=tag, valid=valid)


def _conflict(detail: str) -> BadConditions:
    return BadConditions(detail, Code.HANDICAP_CONFLICT, tag="Handicap")
