"""What a diagram highlights in a position: stars, what they own, a winning shape."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """Sets of cells; `groups`, `owned` and `links` by seat, the first seat's first.

    - `groups` are stars or pentahexes, as `kind` states.
    - `owned` are border cells that score for the seat, in Poly-Y the cells of its corners;
      `guarded` are cells where no stone may be placed.
    - `winning` are the chains that won; `links` connect pegs, each pair of cells once.
    """

    kind: str = "star"
    groups: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    owned: tuple[int, int] = (0, 0)
    guarded: int = 0
    winning: tuple[int, ...] = ()
    links: tuple[tuple[tuple[int, int], ...], ...] = ((), ())

    @property
    def hatched(self) -> int:
        """The cells that are hatched."""
        return self.owned[0] | self.owned[1] | self.guarded
