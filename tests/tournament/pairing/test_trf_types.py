"""The type of a tournament in a TRF file, written and read."""

import pytest

from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_types import TrfType, named_systems, read_trf_type, write_trf_type
from tournament.standings.crosstable import Competitor, Crosstable


def table(players: int, rounds: int) -> Crosstable:
    numbers = range(1, players + 1)
    return Crosstable(players=tuple(Competitor(number=n) for n in numbers), rounds=rounds)


@pytest.mark.parametrize(
    ("system", "rounds", "code"),
    [
        ("dutch", 5, "FIDE_DUTCH"),
        ("dutch-baku", 5, "FIDE_DUTCH_BAKU"),
        ("monrad", 5, "CUSTOM_SWISS"),
        ("mcmahon", 5, "CUSTOM_SWISS"),
        ("round-robin", 5, "FIDE_ROUNDROBIN"),
        ("round-robin", 10, "FIDE_DOUBLEROUNDROBIN"),
        ("round-robin", 15, "CUSTOM_ROUNDROBIN"),
        ("knockout", 3, "CUSTOM_KNOCKOUT"),
        ("groups-knockout", 5, ""),
    ],
)
def test_the_code_of_each_system(system: str, rounds: int, code: str) -> None:
    assert write_trf_type(system, table(6, rounds)) == code
    text = f"Individual: {PAIRING_SYSTEMS[system].trf_type}"
    assert read_trf_type(code, text) == TrfType(system)
    if system != "dutch-baku":  # without a code, only virtual points say it
        assert read_trf_type("", text) == TrfType(system)


@pytest.mark.parametrize(
    ("code", "text", "system", "remark"),
    [
        ("", "", "dutch", ""),
        ("", "Standard Swiss Dutch", "dutch", ""),
        ("", "swiss (baku)", "dutch-baku", ""),
        ("", "ROUND-ROBIN", "round-robin", ""),
        ("fide_dutch_baku ", "Individual: Round-Robin", "dutch-baku", ""),
        ("FIDE_DUTCH_2026", "", "dutch", ""),
        ("FIDE_DUTCH_2026_BAKU", "", "dutch-baku", ""),
        ("FIDE_DUTCH_2017_BAKU", "", "dutch-baku", "FIDE_DUTCH_2017_BAKU, the edition of 2017"),
        ("FIDE_BAKU_2026", "", "dutch-baku", ""),
        ("FIDE_DUTCH_2017", "", "dutch", "FIDE_DUTCH_2017"),
        ("FIDE_DUBOV", "Swiss-System", "dutch", "FIDE_DUBOV"),
        ("FIDE_TEAM_ROUNDROBIN", "", "round-robin", "FIDE_TEAM_ROUNDROBIN"),
        ("CUSTOM_SWISS", "Swiss-System", "dutch", "CUSTOM_SWISS"),
        ("WHAT", "Monrad", "monrad", "WHAT"),
    ],
)
def test_codes_and_texts_of_other_programs(code: str, text: str, system: str, remark: str) -> None:
    found = read_trf_type(code, text)
    assert found.system == system
    assert remark in found.remark
    assert bool(found.remark) == bool(remark)


@pytest.mark.parametrize(
    ("code", "text", "systems"),
    [
        ("", "Individual: Swiss-System", None),
        ("44", "Individual: Swiss-System", None),
        ("", "Swiss Dutch", "dutch"),
        ("", "Swiss-System (Monrad)", "monrad"),
        ("", "Swiss Dubov", ""),
        ("", "Team: Round-Robin", ""),
        ("FIDE_DUTCH_2025_BAKU", "Individual: Swiss-System", "dutch-baku"),
        ("fide_baku", "", "dutch-baku"),
        ("FIDE_2026", "", ""),
        ("FIDE_DUBOV_BAKU", "", ""),
        ("FIDE_BURSTEIN", "Swiss Dutch", ""),
        ("FIDE_TEAM_BAKU", "", ""),
        ("CUSTOM_SWISS", "", "monrad mcmahon"),
        ("CUSTOM_SWISS", "Swiss-System (McMahon)", "mcmahon"),
    ],
)
def test_the_systems_that_a_file_names(code: str, text: str, systems: str | None) -> None:
    named = named_systems(code, text)
    assert bool(named.text) == (systems is not None)
    assert " ".join(named.systems) == (systems or "")
