"""The type of a tournament in a TRF file, as text (092) and as a code (192), and our systems.

The codes are those of FIDE's table of tournament types for TRF26. Editions of the same text under
another year mean the same system. A code without a year means the rules in force at the date of the
event: it is written, because other programs do not know the years that are younger than they are.
"""

import re
from dataclasses import dataclass

from games.rules.text import Text
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.round_robin import count_cycles
from tournament.standings.crosstable import Crosstable

ROUND_ROBIN_CODES = {1: "FIDE_ROUNDROBIN", 2: "FIDE_DOUBLEROUNDROBIN"}
"""By the number of cycles. The table has no code for more cycles: here seats change with each
cycle, and so does the order of the last two rounds of each cycle but the last."""

TRF_TYPES = {
    "BERGER_ROUNDROBIN": "round-robin",
    "BERGER_ROUNDROBIN_G1": "round-robin",
    "FIDE_ROUNDROBIN": "round-robin",
    "FIDE_DOUBLEROUNDROBIN": "round-robin",
    "CUSTOM_ROUNDROBIN": "round-robin",
    "CUSTOM_KNOCKOUT": "knockout",
}
"""The system of each code but those of the Dutch system, see `_system_of_code`, and those that
several systems have."""

DUTCH_PARTS = {"FIDE", "DUTCH", "BAKU", "2025", "2026"}
"""The parts of a code of the Dutch system in its current edition, as in `FIDE_BAKU`."""

OLD_EDITION = "2017"
"""The part of a code of the Dutch system in the edition before, as in `FIDE_DUTCH_2017_BAKU`."""

NEAREST_SYSTEMS = {"BERGER_DOUBLEROUNDROBIN": "round-robin"}
"""Codes of another order of the rounds, with the nearest system."""

UNSUPPORTED = re.compile(r"\b(?:BURSTEIN|DOUBLE[- ]SWISS|DUBOV|LIM|TEAMS?)\b", re.IGNORECASE)
"""Words of record 092 that name a system which is not supported."""

DEFAULT_SYSTEM = "dutch"


@dataclass(frozen=True, slots=True)
class TrfType:
    """The pairing system that a TRF file means, and a remark if it is not exactly the same."""

    system: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class NamedSystems:
    """The text of a TRF file that names its type, and the systems that the text can mean.

    The text is empty if the file names no system; there are no systems if none is supported.
    """

    text: str = ""
    systems: tuple[str, ...] = ()


def write_trf_type(system: str, table: Crosstable, cycles: int | None = None) -> str:
    """Return record 192 for a system; empty if FIDE's table has no code for it.

    `cycles` are those of a round robin; if None, as many as the rounds hold.
    """
    if not PAIRING_SYSTEMS[system].is_round_robin:
        return PAIRING_SYSTEMS[system].trf_code
    cycles = cycles or count_cycles(len(table.players), table.rounds, {})
    return ROUND_ROBIN_CODES.get(cycles, "CUSTOM_ROUNDROBIN")


def read_trf_type(code: str, text: str) -> TrfType:
    """Return the system that records 192 and 092 mean; the Dutch system if they are empty."""
    code = code.strip().upper()
    by_word = _system_of_text(text) or DEFAULT_SYSTEM
    system = _system_of_code(code)
    if system:
        return TrfType(system, remark_on_edition(code))
    if code in ("", PAIRING_SYSTEMS[by_word].trf_code):
        return TrfType(by_word)
    nearest = NEAREST_SYSTEMS.get(code) or ("round-robin" if "ROUNDROBIN" in code else by_word)
    return TrfType(
        nearest,
        Text(
            "the tournament type %(code)s, which is not supported; %(system)s replaces it",
            code=code[:40],
            system=nearest,
        ),
    )


def named_systems(code: str, text: str) -> NamedSystems:
    """Return the systems that record 192, or else record 092, names."""
    code = code.strip().upper()
    by_word = _system_of_text(text)
    if re.search("[A-Z]", code):
        system = _system_of_code(code)
        same_code = tuple(key for key, found in PAIRING_SYSTEMS.items() if found.trf_code == code)
        systems = (system,) if system else same_code
        return NamedSystems(code[:40], (by_word,) if by_word in systems else systems)
    if unsupported := UNSUPPORTED.search(text):
        return NamedSystems(unsupported.group())
    return NamedSystems(text[:40], (by_word,)) if by_word else NamedSystems()


def _system_of_code(code: str) -> str:
    """Return the system of a code in capitals; empty if the code means none exactly."""
    parts = {*code.split("_")} - {OLD_EDITION}
    if code.startswith("FIDE_") and DUTCH_PARTS.issuperset(parts) and {"DUTCH", "BAKU"} & parts:
        return "dutch-baku" if "BAKU" in parts else "dutch"
    return TRF_TYPES.get(code, "")


def remark_on_edition(code: str) -> str:
    """Return what a code says that is not so here, the edition of 2017; empty for other codes."""
    code = code.strip().upper()
    if OLD_EDITION not in code.split("_"):
        return ""
    return Text(
        "the tournament type %(code)s, the edition of 2017; the rounds are paired by that of 2026",
        code=code[:40],
    )


def _system_of_text(text: str) -> str:
    letters = re.sub(r"[^A-Z]", "", text.upper())
    later_first = reversed(PAIRING_SYSTEMS.items())
    return next((code for code, system in later_first if system.trf_word in letters), "")
