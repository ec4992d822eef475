"""What a diagram shows: a position, and what is known of how it came about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.rules import find_game
from games.rules.boards.board import Board
from games.rules.boards.chains import cells_of
from games.rules.conditions import Conditions
from games.rules.diagram.boards import PICTURES, layout_of
from games.rules.diagram.findings import Findings, find
from games.rules.diagram.layout import Layout
from games.rules.errors import IllegalMove
from games.rules.game import GameRules
from games.rules.movement import Movement
from games.rules.placement import Placement
from games.rules.position import Outcome, Position
from games.rules.records.notation import ENDINGS
from games.rules.records.record import Record
from games.rules.records.replay import walk
from games.rules.records.streams import judge
from games.rules.records.verdict import Verdict
from games.rules.solitaire import Solitaire

_MOVEMENT = re.compile(r"([*\w]+)[->]([*\w]+)")
"""A stone that moves or is put elsewhere, as turns write it: `S91-S93`, `T60>A05`."""


class PlyOutOfRange(ValueError):
    """A ply that the record does not have; `plies` is how many it has."""

    def __init__(self, ply: int, plies: int) -> None:
        super().__init__(f"ply {ply} is not in this record; valid are 0 to {plies}")
        self.plies = plies


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position with its layout.

    - `turns` led to it; `plies` is how many the whole record has.
    - `outcome` is what the position proves; where the record ends here, what all of it proves.
    - `placed_at` is the ply of every stone that was placed or moved, by cell; `arrived` are the
      cells that the last turn filled, `trails` whence and whither it moved stones.
    - `players` are names, the first seat's first, "" where there is none.
    """

    conditions: Conditions
    position: Position
    layout: Layout
    findings: Findings
    outcome: Outcome | Verdict
    turns: tuple[str, ...] = ()
    plies: int = 0
    placed_at: Mapping[str, int] = field(default_factory=dict)
    arrived: tuple[str, ...] = ()
    trails: tuple[tuple[str, str], ...] = ()
    players: tuple[str, str] = ("", "")

    @property
    def rules(self) -> GameRules:
        """The game."""
        return find_game(self.conditions.game)

    @property
    def has_chains(self) -> bool:
        """Whether stones that hang together mean something in this game."""
        return PICTURES[self.conditions.game].chains

    @property
    def board(self) -> Board:
        """The cells by number."""
        return self.position.board

    def named(self, cells: int) -> list[str]:
        """Return the names of a set of cells, by number."""
        names = self.board.names
        return [names[cell] for cell in cells_of(cells)]

    @property
    def stones(self) -> tuple[list[str], list[str]]:
        """The names of the cells with stones, by seat."""
        first, second = stones_of(self.position)
        return self.named(first), self.named(second)


def stones_of(position: Position) -> tuple[int, int]:
    """Return the cells with stones by seat; raises TypeError where nothing stands on cells."""
    match position:
        case Placement() | Movement():
            return position.first, position.second
        case Solitaire():
            return position.stones, 0
    raise TypeError(f"{type(position).__name__} has no stones to draw")


def scene_of_board(conditions: Conditions) -> Scene:
    """Return the board before the first turn, with the stones of a handicap or a set-up."""
    return _scene(conditions, find_game(conditions.game).start(conditions))


def scene_of_record(
    record: Record, ply: int | None = None, players: tuple[str, str] | None = None
) -> Scene:
    """Return a record's position after so many plies; after all by default.

    `players` default to those of the record's tags. Raises PlyOutOfRange, and the RecordError of
    a turn up to there that is illegal.
    """
    moves = record.moves
    ended = bool(moves) and moves[-1] in ENDINGS
    turns = moves[:-1] if ended else moves
    if ply is None:
        ply = len(turns)
    if not 0 <= ply <= len(turns):
        raise PlyOutOfRange(ply, len(turns))
    verdict = judge(record) if ply == len(turns) else None
    return _scene(
        record.terms,
        find_game(record.game).start(record.terms),
        turns[:ply],
        plies=len(turns),
        verdict=verdict if verdict and verdict.valid else None,
        players=players or (record.tags.get("First", ""), record.tags.get("Second", "")),
    )


def _scene(
    conditions: Conditions,
    position: Position,
    turns: Sequence[str] = (),
    *,
    plies: int = 0,
    verdict: Verdict | None = None,
    players: tuple[str, str] = ("", ""),
) -> Scene:
    start = position
    names = position.board.names
    index = {name: cell for cell, name in enumerate(names)}
    placed_at: dict[int, int] = {}
    arrived = 0
    trails: list[tuple[str, str]] = []
    for ply, turn in enumerate(turns, 1):
        before = _filled(position)
        try:
            position = position.play(turn)
        except IllegalMove:
            walk(start, turns)  # which refuses it too, and says where
            raise
        trails = _MOVEMENT.findall(turn)
        arrived = _filled(position) & ~before
        for _, target in trails:
            arrived |= 1 << index[target]
        placed_at.update(dict.fromkeys(cells_of(arrived), ply))
    standing = _filled(position)
    return Scene(
        conditions=conditions,
        position=position,
        layout=layout_of(conditions.game, names, conditions.options),
        findings=find(position, arrived),
        outcome=verdict or position.outcome(),
        turns=tuple(turns),
        plies=plies,
        placed_at={names[cell]: ply for cell, ply in placed_at.items() if standing >> cell & 1},
        arrived=tuple(names[cell] for cell in cells_of(arrived)),
        trails=tuple(trails),
        players=players,
    )


def _filled(position: Position) -> int:
    first, second = stones_of(position)
    return first | second
