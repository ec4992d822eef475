"""What reports call a system, there and back."""

import pytest

from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_types import TrfType, read_trf_type, write_trf_type
from tournament.standings.crosstable import Competitor, Crosstable


def table(players: int, rounds: int) -> Crosstable:
    numbers = range(1, players + 1)
    return Crosstable(players=tuple(Competitor(number=n) for n in numbers), rounds=rounds)


@pytest.mark.parametrize(
    ("system", "rounds", "code"),
    [
        ("dutch", 5, "FIDE_DUTCH_2026"),
        ("dutch-baku", 5, "FIDE_DUTCH_2026_BAKU"),
        ("monrad", 5, "CUSTOM_SWISS"),
        ("mcmahon", 5, "CUSTOM_SWISS"),
        ("round-robin", 5, "FIDE_ROUNDROBIN"),
        ("round-robin", 10, "FIDE_DOUBLEROUNDROBIN"),
        ("round-robin", 15, "CUSTOM_ROUNDROBIN"),
        ("knockout", 3, "CUSTOM_KNOCKOUT"),
        ("groups-knockout", 5, ""),
    ],
)
def test_a_system_and_its_code(system: str, rounds: int, code: str) -> None:
    assert write_trf_type(system, table(6, rounds)) == code
    words = f"Individual: {PAIRING_SYSTEMS[system].trf_type}"
    assert read_trf_type(code, words) == TrfType(system)
    if system != "dutch-baku":  # told by its virtual points alone where there is no code
        assert read_trf_type("", words) == TrfType(system)


@pytest.mark.parametrize(
    ("code", "words", "system", "remark"),
    [
        ("", "", "dutch", ""),
        ("", "Standard Swiss Dutch", "dutch", ""),
        ("", "swiss (baku)", "dutch-baku", ""),
        ("", "Double Round Robin", "round-robin", ""),
        ("", "ROUND-ROBIN", "round-robin", ""),
        ("fide_dutch_baku ", "Individual: Round-Robin", "dutch-baku", ""),
        ("FIDE_DUTCH_2025", "", "dutch", ""),
        ("FIDE_DUTCH_2017", "", "dutch", "FIDE_DUTCH_2017"),
        ("FIDE_DUBOV", "Swiss-System", "dutch", "FIDE_DUBOV"),
        ("FIDE_TEAM_ROUNDROBIN", "", "round-robin", "FIDE_TEAM_ROUNDROBIN"),
        ("CUSTOM_SWISS", "Swiss-System", "dutch", "CUSTOM_SWISS"),
        ("WHAT", "Monrad", "monrad", "WHAT"),
    ],
)
def test_what_others_write(code: str, words: str, system: str, remark: str) -> None:
    found = read_trf_type(code, words)
    assert found.system == system
    assert remark in found.remark
    assert bool(found.remark) == bool(remark)
