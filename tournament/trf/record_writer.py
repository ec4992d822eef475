"""Writing what is set about an event: rounds, the seat drawn, points, its type, tie-breaks."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from games.rules.seat import Seat
from tournament.standings.points import PointSystem
from tournament.trf.columns import clean, points_text
from tournament.trf.point_readers import POINTS_BB, POINTS_XXS
from tournament.trf.trf_file import TrfFile

POINTS_26 = {
    "W": "win",
    "D": "draw",
    "L": "loss",
    "A": "zero_bye",
    "P": "pairing_bye",
}


def settings_16(document: TrfFile) -> Iterator[str]:
    """Give the lines of TRF16, and those of TRF26 where it has none."""
    crosstable = document.crosstable
    yield f"XXR {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"XXC {'white1' if crosstable.initial_seat is Seat.FIRST else 'black1'}"
    points = crosstable.points
    covered = {}
    if points != PointSystem.from_points():
        for code, (name,) in POINTS_BB.items():
            covered[name] = _worth(points, name)
            yield f"{code} {points_text(covered[name])}"
    yield from _other_points(points, covered)
    yield from _type_and_tiebreaks(document.system, document.tiebreaks)


def settings_26(document: TrfFile) -> Iterator[str]:
    """Give the lines of TRF26."""
    crosstable = document.crosstable
    yield f"142 {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"152 {'W' if crosstable.initial_seat is Seat.FIRST else 'B'}"
    points = crosstable.points
    covered = {}
    if points != PointSystem.from_points():
        covered = {name: _worth(points, name) for name in POINTS_26.values()}
        entries = (f"{letter}{points_text(covered[name])}" for letter, name in POINTS_26.items())
        yield "162  " + "    ".join(entries)
        covered["forfeit_loss"] = covered["zero_bye"]
    yield from _other_points(points, covered)
    system = document.system or ("CUSTOM_ROUNDROBIN" if crosstable.round_robin else "")
    yield from _type_and_tiebreaks(system, document.tiebreaks)


def _type_and_tiebreaks(system: str, tiebreaks: Iterable[str]) -> Iterator[str]:
    if system:
        yield f"192 {line_text(system)}"
    if tiebreaks:
        yield f"212 {line_text(','.join(tiebreaks))}"


def _other_points(points: PointSystem, covered: dict[str, Fraction]) -> Iterator[str]:
    told = PointSystem.from_points(**covered)
    entries = [
        f"{code}={points_text(_worth(points, name)).strip()}"
        for code, (name,) in POINTS_XXS.items()
        if _worth(points, name) != _worth(told, name)
    ]
    if entries:
        yield f"XXS {' '.join(entries)}"


def _worth(points: PointSystem, name: str) -> Fraction:
    return Fraction(getattr(points, name), points.unit)


def line_text(text: str) -> str:
    """Make text fit a line of the header."""
    return clean(text, 200)
