"""Baku acceleration by the tables of C.04.7."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.pairing.events import event
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import (
    accelerate,
    late_entries,
    size_of_group_a,
    virtual_points,
)
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.standings.points import CLASSIC, PointSystem


def after_one_round(rows: list[str]) -> Crosstable:
    """Return players after one round: U had the bye, . was absent."""
    byes = {"U": Kind.PAIRING_BYE, ".": Kind.ZERO_BYE}
    return Crosstable(
        players=tuple(
            Competitor(number=number, results=(RoundResult(byes[letter]),))
            for number, letter in enumerate(rows, start=1)
        ),
        rounds=9,
    )


@pytest.mark.parametrize(
    ("players", "size"), [(1, 2), (4, 2), (5, 4), (8, 4), (9, 6), (161, 82), (162, 82), (164, 82)]
)
def test_group_a_is_the_upper_half_with_an_even_size(players: int, size: int) -> None:
    assert size_of_group_a(players) == size


@pytest.mark.parametrize(
    ("rounds", "points", "virtual"),
    [
        (9, CLASSIC, "1 1 1 0.5 0.5"),
        (7, CLASSIC, "1 1 0.5 0.5"),
        (5, CLASSIC, "1 1 0.5"),
        (1, CLASSIC, "1"),
        (6, PointSystem.from_points(win=3, draw=1), "3 3 1.5"),
        (4, PointSystem.from_points(win=Fraction(3, 2), draw=Fraction(1, 2)), "1.5 0.5"),
    ],
)
def test_virtual_points_round_by_round(rounds: int, points: PointSystem, virtual: str) -> None:
    texts = [points.format_units(units) for units in virtual_points(rounds, points)]
    assert " ".join(texts) == virtual


def test_group_a_has_virtual_points() -> None:
    table = event(".\n" * 9, rounds=9)
    accelerated = [n for n, player in accelerate(table).by_number.items() if player.virtual]
    assert accelerated == [1, 2, 3, 4, 5, 6]
    late = accelerate(table, boundary=4)
    assert [n for n, player in late.by_number.items() if player.virtual] == [1, 2, 3, 4]


def test_group_a_is_paired_within_itself() -> None:
    table = accelerate(event(".\n" * 8, rounds=9))
    pairings = PAIRING_SYSTEMS["dutch"].pair(PairingRequest(crosstable=table, round=1))
    assert pairings.pairs == ((1, 3), (4, 2), (5, 7), (8, 6))


@pytest.mark.parametrize(
    ("absent", "boundary", "late"),
    [
        ("", None, ""),
        ("", 5, None),
        ("", 4, None),
        ("9", 4, "9"),
        ("8 9", 4, "8"),
        ("1", 5, "1"),
        ("1 2", 6, ""),
        ("1 9", 4, "9"),
        ("4", 4, None),
    ],
)
def test_late_entries_are_deduced_from_the_boundary(
    absent: str, boundary: int | None, late: str | None
) -> None:
    rows = ["." if str(number) in absent.split() else "U" for number in range(1, 10)]
    table = accelerate(after_one_round(rows), boundary=boundary)
    found = late_entries(table)
    assert found == (None if late is None else frozenset(map(int, late.split())))


def test_no_late_entries_are_deduced_from_other_virtual_points() -> None:
    table = after_one_round(["U"] * 9)
    assert late_entries(table) is None
    longer = accelerate(replace(table, rounds=9))
    assert late_entries(replace(longer, rounds=5)) is None
    gap = tuple(replace(p, virtual=() if p.number == 2 else p.virtual) for p in longer.players)
    assert late_entries(replace(longer, players=gap)) is None
