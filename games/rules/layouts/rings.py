"""The layout of the ring mesh: a regular pentagon or nonagon, the A arm up, sectors clockwise.

Cell (s, r, k) lies at (r - k) x the ray of its sector + k x the next ray, so ring r is a regular
polygon of radius r and every sector a lattice. A cell is the hexagon between the centres of the
triangles that it forms with its neighbours, including imaginary ones beyond the rim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.rules.boards.mesh import CENTRE, STAR_SECTORS, neighbour_places
from games.rules.layouts.geometry import Point, Polygon, centroid, outlines, regular, towards
from games.rules.layouts.layout import UNIT, Border, Face, Label, Layout, Tone

_FRAME = 1.06
_RING_LABEL_DISTANCE = 1.62
_SMALLER = (4, 6)
"""The rings of the beginner and the junior board, which have heavy outlines on larger ones."""


@dataclass(frozen=True, slots=True)
class RingPlane:
    """The points of a ring mesh, on the board and beyond its rim."""

    letters: str
    rings: int

    @property
    def turn(self) -> float:
        """The direction of the first ray, in degrees clockwise from straight up."""
        return -360 * self.letters.index("A") / len(self.letters)

    def ray(self, sector: float) -> Point:
        """Return the unit vector of a ray; a half points between two rays."""
        return towards(self.turn + 360 * sector / len(self.letters))

    def point(self, sector: int, ring: float, offset: float) -> Point:
        """Return where (s, r, k) lies; offset -1 is in the previous sector."""
        if offset < 0:
            sector, offset = sector - 1, ring + offset
        return UNIT * ((ring - offset) * self.ray(sector) + offset * self.ray(sector + 1))

    def around(self, s: int, r: int, k: int) -> tuple[Point, ...]:
        """Return the points of the six neighbours, counterclockwise on the page."""
        return tuple(self.point(s, ring, offset) for ring, offset in neighbour_places(r, k))

    def corners(self, s: int, r: int, k: int) -> Polygon:
        """Return the corners of a cell, clockwise on the page."""
        centre, around = self.point(s, r, k), self.around(s, r, k)
        return tuple(
            centroid((centre, first, second))
            for first, second in zip(around, around[-1:] + around[:-1], strict=True)
        )[::-1]

    def outside(self, s: int, k: int) -> Polygon:
        """Return the corners of a rim cell that no other cell shares, clockwise on the page."""
        return self.corners(s, self.rings, k)[2:5] if k else self.corners(s, self.rings, 0)[1:5]


def ring_layout(
    names: Sequence[str],
    *,
    with_peries: bool = False,
    with_corners: bool = False,
    bridge: bool = False,
) -> Layout:
    """Return the layout of a ring mesh with these cells, with its peries or only its corners."""
    sectors = [name[0] for name in names if name[1:] == "10"]
    letters = STAR_SECTORS if "*" in sectors else "".join(sectors)
    places = {name: _place(name, letters) for name in names if name != CENTRE}
    plane = RingPlane(letters, max(ring for _, ring, _ in places.values()))
    faces = {
        name: Face(plane.point(*place), plane.corners(*place), _tone(place))
        for name, place in places.items()
    }
    centre = tuple(
        centroid((0j, UNIT * plane.ray(s), UNIT * plane.ray(s + 1))) for s in range(len(letters))
    )
    if CENTRE in names:
        faces[CENTRE] = Face(0j, centre, Tone.SHADED)
    step = abs(plane.ray(0) - plane.ray(1))
    return Layout(
        faces={name: faces[name] for name in names},
        ground=tuple(UNIT * (plane.rings + _FRAME) * plane.ray(s) for s in range(len(letters))),
        stone=UNIT * 0.4 * min(1.0, step),
        borders=_borders(plane, places, with_peries=with_peries, with_corners=with_corners),
        bridge=_star(plane) if bridge else (),
        smaller=tuple(
            loop
            for rings in _SMALLER
            if letters == STAR_SECTORS and rings < plane.rings
            for loop in outlines(
                faces[name].outline for name, (_, ring, _) in places.items() if ring <= rings
            )[:1]
        ),
        labels=tuple(
            Label(letter, UNIT * (plane.rings + _RING_LABEL_DISTANCE) * plane.ray(s), 20.0)
            for s, letter in enumerate(letters)
        ),
    )


def _place(name: str, letters: str) -> tuple[int, int, int]:
    return letters.index(name[0]), int(name[1]) or 10, int(name[2])


def _tone(place: tuple[int, int, int]) -> Tone:
    return Tone.PLAIN if place[2] else Tone.SHADED


def _star(plane: RingPlane) -> Polygon:
    """Return the five-pointed star of the bridge, with a point towards each of its neighbours."""
    points = regular(0j, UNIT * 0.46, 5, plane.turn)
    notches = regular(0j, UNIT * 0.19, 5, plane.turn + 36)
    return tuple(point for pair in zip(points, notches, strict=True) for point in pair)


def _borders(
    plane: RingPlane,
    places: Mapping[str, tuple[int, int, int]],
    *,
    with_peries: bool,
    with_corners: bool,
) -> tuple[Border, ...]:
    """Return the areas between rim cells and the frame that have an owner.

    They are the peries, with a quark at each corner; or the corners, without quarks.
    """
    frame = plane.rings + _FRAME
    share = frame / plane.rings
    borders = []
    for name, (s, r, k) in places.items():
        if r == plane.rings and (with_peries or (with_corners and not k)):
            start, end = (plane.point(s, frame, (k + half) * share) for half in (-0.5, 0.5))
            corner = () if k else (plane.point(s, frame, 0),)
            outline = (start, *corner, end, *plane.outside(s, k)[::-1])
            borders.append(Border(outline, (name,), weight=2 if with_peries and not k else 1))
    return tuple(borders)
