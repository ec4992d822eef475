from fractions import Fraction

import pytest

from tournament.standings.errors import PointSystemError
from tournament.standings.points import CLASSIC, PointSystem, format_decimal


def test_the_default_is_the_classic_system_in_half_points() -> None:
    assert PointSystem.from_points() == CLASSIC
    assert [CLASSIC.format_units(units) for units in (0, 1, 2, 5)] == ["0", "0.5", "1", "2.5"]


def test_other_results_follow_from_win_and_draw() -> None:
    system = PointSystem.from_points(win=3, draw=1, pairing_bye=1)
    assert (system.unit, system.win, system.draw, system.loss) == (2, 6, 2, 0)
    assert (system.forfeit_win, system.full_bye, system.half_bye, system.zero_bye) == (6, 6, 2, 0)
    assert system.pairing_bye == 2


def test_quarter_points_need_a_smaller_unit() -> None:
    system = PointSystem.from_points(pairing_bye=Fraction(3, 4))
    assert (system.unit, system.win, system.pairing_bye) == (4, 4, 3)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ({"win": 1, "draw": 1}, "two draws"),
        ({"win": 0, "draw": 0}, "a win must be worth more"),
        ({"draw": -1}, "draw is worth -1"),
        ({"win": 5000}, "win is worth 5000"),
        ({"loss": 1, "win": 3, "draw": 2, "forfeit_loss": 2}, "a forfeit loss"),
        ({"pairing_bye": 2}, "an unplayed round"),
        ({"half_bye": 0, "zero_bye": Fraction(1, 2)}, "a half-point bye must"),
        ({"forfeit": 1}, "unknown result: forfeit"),
        ({"draw": Fraction(1, 1009)}, "at most 1000 units"),
    ],
)
def test_contradictory_systems_are_rejected(points: dict[str, Fraction], message: str) -> None:
    with pytest.raises(PointSystemError, match=message):
        PointSystem.from_points(**points)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "0.333333"),
        (Fraction(2, 3), "0.666667"),
        (Fraction(-7, 4), "-1.75"),
        (Fraction(12, 4), "3"),
        (Fraction(1, 10**9), "0"),
        (Fraction(-1, 10**9), "0"),
        (Fraction(1999999999, 10**9), "2"),
        (1647, "1647"),
    ],
)
def test_decimals_have_at_most_six_places(value: Fraction | int, text: str) -> None:
    assert format_decimal(value) == text
