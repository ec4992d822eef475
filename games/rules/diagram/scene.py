"""What a diagram shows: a position, and the turns that led to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from games.rules.boards.board import Board
from games.rules.boards.chains import cells_of
from games.rules.conditions import Conditions
from games.rules.errors import IllegalMove
from games.rules.families.placement import Placement
from games.rules.game import GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.geometry import Segment
from games.rules.layouts.layout import Layout
from games.rules.outcome import Outcome
from games.rules.position import Position
from games.rules.records.claims import without_ending
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.verdict import Verdict
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text

_MOVEMENT = re.compile(r"([*\w]+)[->]([*\w]+)")
"""A stone that moves or is relocated, as turns write it: `S91-S93`, `T60>A05`."""


class PlyOutOfRange(ValueError):
    """A ply that the record does not have; `plies` is the number of its plies."""

    def __init__(self, ply: int, plies: int) -> None:
        super().__init__(
            Text("ply %(ply)s is not in this record; valid are 0 to %(last)s", ply=ply, last=plies)
        )
        self.plies = plies


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A position with its layout.

    - `turns` led to it, the last of them from `before`; `plies` is the number of turns of the whole
      record.
    - `outcome` is what the position proves, and at the end of the record what the whole record
      proves; `claim` is its unproven result token.
    - `lit` are cells that a lesson speaks of.
    - `placed_at` is the ply at which each stone was placed or moved, by cell; `arrived` are the
      cells that the last turn filled, `trails` the starts and targets of the stones it moved.
    - `players` are names, the first seat's first, "" if unknown.
    """

    conditions: Conditions
    position: Position
    layout: Layout
    highlights: Highlights
    outcome: Outcome
    claim: str | None = None
    turns: tuple[str, ...] = ()
    plies: int = 0
    placed_at: Mapping[str, int] = field(default_factory=dict)
    arrived: tuple[str, ...] = ()
    trails: tuple[tuple[str, str], ...] = ()
    players: tuple[str, str] = ("", "")
    before: Position | None = None
    lit: tuple[str, ...] = ()

    @property
    def rules(self) -> GameRules:
        """The game."""
        return find_game(self.conditions.game)

    @property
    def has_chains(self) -> bool:
        """True if connected stones have a meaning in this game."""
        return self.rules.has_chains

    @property
    def board(self) -> Board:
        """The cells by number."""
        return self.position.board

    def names_of(self, cells: int) -> list[str]:
        """Return the names of a set of cells, by number."""
        names = self.board.names
        return [names[cell] for cell in cells_of(cells)]

    def links(self) -> Iterator[Segment]:
        """Yield the links between pegs, of both seats."""
        faces, names = self.layout.faces, self.board.names
        for links in self.highlights.links:
            yield from ((faces[names[a]].centre, faces[names[b]].centre) for a, b in links)

    @property
    def stones(self) -> tuple[list[str], list[str]]:
        """The names of the cells with stones, by seat."""
        return self.names_of(self.position.first), self.names_of(self.position.second)

    @cached_property
    def filled_names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The same names, for look-ups."""
        first, second = self.stones
        return frozenset(first), frozenset(second)

    @property
    def seats(self) -> list[Seat]:
        """The seats of the game; a solitaire has one."""
        return list(Seat)[: self.rules.players]


def scene_of_board(conditions: Conditions) -> Scene:
    """Return the board before the first turn, with the stones of a handicap or a set-up."""
    return _scene(conditions)


def scene_of_position(conditions: Conditions, position: Position, last: int) -> Scene:
    """Return a position that no turns led to; the stones `last` count as the last ones."""
    return Scene(
        conditions=conditions,
        position=position,
        layout=_layout_of(conditions.game, position.board.names, conditions.options),
        highlights=position.highlights(last),
        outcome=position.outcome(),
    )


@lru_cache(maxsize=32)
def _layout_of(game: str, names: tuple[str, ...], options: tuple[str, ...]) -> Layout:
    """Return the layout of a game's board with these cells; the same object each time."""
    return find_game(game).layout(names, options)


def scene_of_record(
    record: Record, ply: int | None = None, players: tuple[str, str] | None = None
) -> Scene:
    """Return the position of a record after `ply` plies, by default after all.

    `players` default to those of the record's tags. Raise PlyOutOfRange, or the RecordError of an
    illegal turn up to that ply.
    """
    turns = without_ending(record.moves)
    if ply is None:
        ply = len(turns)
    if not 0 <= ply <= len(turns):
        raise PlyOutOfRange(ply, len(turns))
    return _scene(
        record.conditions,
        turns[:ply],
        plies=len(turns),
        verdict=judge(record) if ply == len(turns) else None,
        players=players or (record.tags.get("First", ""), record.tags.get("Second", "")),
    )


def _scene(
    conditions: Conditions,
    turns: Sequence[str] = (),
    *,
    plies: int = 0,
    verdict: Verdict | None = None,
    players: tuple[str, str] = ("", ""),
) -> Scene:
    start = position = find_game(conditions.game).start(conditions)
    previous: Position | None = None
    names, index = position.board.names, position.board.index
    placed_at: dict[int, int] = {}
    arrived = 0
    trails: list[tuple[str, str]] = []
    for ply, turn in enumerate(turns, 1):
        previous = position
        try:
            position = position.play(turn)
        except IllegalMove:
            play_turns(start, turns)  # raises the same error with its place
            raise
        trails = [] if isinstance(position, Placement) else _MOVEMENT.findall(turn)
        arrived = position.filled & ~previous.filled
        for _, target in trails:
            arrived |= 1 << index[target]
        placed_at.update(dict.fromkeys(cells_of(arrived), ply))
    if verdict is None or not verdict.is_valid:
        verdict = Verdict(outcome=position.outcome())
    return Scene(
        conditions=conditions,
        position=position,
        layout=_layout_of(conditions.game, names, conditions.options),
        highlights=position.highlights(arrived),
        outcome=verdict.outcome,
        claim=verdict.claim,
        turns=tuple(turns),
        plies=plies,
        placed_at={
            names[cell]: ply for cell, ply in placed_at.items() if position.filled >> cell & 1
        },
        arrived=tuple(names[cell] for cell in cells_of(arrived)),
        trails=tuple(trails),
        players=players,
        before=previous,
    )
