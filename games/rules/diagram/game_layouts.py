"""The layout of each game's board."""

from __future__ import annotations

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
from games.rules.star import TWO_POINT_CORNERS

GAMES_WITHOUT_CHAINS = {"twixt", "penta-line", "queens", "supply-line", "ring", "mini"}
"""The games in which connected stones have no meaning."""


@lru_cache(maxsize=32)
def layout_of(game: str, names: tuple[str, ...], options: tuple[str, ...]) -> Layout:
    """Return the layout of a game's board with these cells; the same object each time."""
    match game:
        case "star-star" | "double-star-star":
            return ring_layout(names, with_peries=True, bridge=True)
        case "nobridge-star-star":
            return ring_layout(names, with_peries=True)
        case "poly-y":
            return ring_layout(names, with_corners=True)
        case "star-y" | "penta-line" | "penta-hex":
            return ring_layout(names)
        case "queens" | "supply-line" | "ring" | "mini":
            return ring_layout(names)
        case "star":
            return hexagon_layout(
                names, with_border=True, with_corners=TWO_POINT_CORNERS not in options
            )
        case "y":
            return curved_layout(names) if len(names) == 93 else triangle_layout(names)
        case "hex":
            return rhombus_layout(names)
        case "havannah":
            return hexagon_layout(names)
        case "twixt":
            return peg_layout(names)
    raise ValueError(f"the game {game} has no layout")
