"""Which picture belongs to which game: one line a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules.diagram.curved import curved_layout
from games.rules.diagram.hexagons import (
    hexagon_layout,
    peg_layout,
    rhombus_layout,
    triangle_layout,
)
from games.rules.diagram.layout import Layout
from games.rules.diagram.rings import ring_layout

Plan = Callable[[Sequence[str], Sequence[str]], Layout]
"""Gives the layout for the names of the cells and the options that are on."""


def _bridged(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return ring_layout(names, with_peries=True, bridge=True)


def _nobridge(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return ring_layout(names, with_peries=True, bridge=False)


def _rings(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return ring_layout(names, with_peries=False, bridge=False)


def _star(names: Sequence[str], options: Sequence[str]) -> Layout:
    return hexagon_layout(names, with_border=True, corners="two-point-corners" not in options)


def _y(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return curved_layout(names) if len(names) == 93 else triangle_layout(names)


def _hex(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return rhombus_layout(names)


def _havannah(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return hexagon_layout(names, with_border=False)


def _twixt(names: Sequence[str], _options: Sequence[str]) -> Layout:
    return peg_layout(names)


@dataclass(frozen=True, slots=True)
class Picture:
    """How a game is drawn; `chains` says whether stones that hang together mean something."""

    plan: Plan
    chains: bool = True


PICTURES: dict[str, Picture] = {
    "star-star": Picture(_bridged),
    "nobridge-star-star": Picture(_nobridge),
    "double-star-star": Picture(_bridged),
    "star-y": Picture(_rings),
    "poly-y": Picture(_rings),
    "star": Picture(_star),
    "y": Picture(_y),
    "hex": Picture(_hex),
    "havannah": Picture(_havannah),
    "twixt": Picture(_twixt, chains=False),
    "penta-line": Picture(_rings, chains=False),
    "penta-hex": Picture(_rings),
    "queens": Picture(_rings, chains=False),
    "supply-line": Picture(_rings, chains=False),
    "ring": Picture(_rings, chains=False),
    "mini": Picture(_rings, chains=False),
}


@lru_cache(maxsize=32)
def layout_of(game: str, names: tuple[str, ...], options: tuple[str, ...]) -> Layout:
    """Return the layout of a game's board with these cells; the same object each time."""
    return PICTURES[game].plan(names, options)
