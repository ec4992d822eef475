"""The type of a tournament as reports tell it: in words (092) and coded (192), and our systems.

The codes are those of FIDE's table of tournament types for TRF26. An edition that the table names
by another year of the same text is the same system; what is not played here is told by name.
"""

import re
from dataclasses import dataclass

from tournament.pairing.systems.round_robin import cycles_held
from tournament.standings.crosstable import Crosstable

OF_SYSTEM = {
    "dutch": "FIDE_DUTCH_2026",
    "dutch-baku": "FIDE_DUTCH_2026_BAKU",
    "monrad": "CUSTOM_SWISS",
    "mcmahon": "CUSTOM_SWISS",
    "knockout": "CUSTOM_KNOCKOUT",
}
ROUND_ROBINS = {1: "FIDE_ROUNDROBIN", 2: "FIDE_DOUBLEROUNDROBIN"}
"""By the number of cycles. Only the double one is the table's with more than one: in the others
the seats change with each cycle, and so do the last two rounds of each but the last."""

OF_CODE = {
    "FIDE_DUTCH": "dutch",
    "FIDE_DUTCH_2025": "dutch",
    "FIDE_DUTCH_2026": "dutch",
    "FIDE_DUTCH_BAKU": "dutch-baku",
    "FIDE_DUTCH_2025_BAKU": "dutch-baku",
    "FIDE_DUTCH_2026_BAKU": "dutch-baku",
    "BERGER_ROUNDROBIN": "round-robin",
    "BERGER_ROUNDROBIN_G1": "round-robin",
    "FIDE_ROUNDROBIN": "round-robin",
    "FIDE_DOUBLEROUNDROBIN": "round-robin",
    "CUSTOM_ROUNDROBIN": "round-robin",
    "CUSTOM_KNOCKOUT": "knockout",
}
NEAREST = {
    "FIDE_DUTCH_2017": "dutch",
    "FIDE_DUTCH_2017_BAKU": "dutch-baku",
    "BERGER_DOUBLEROUNDROBIN": "round-robin",
}
"""What is played here otherwise: another edition, or another order of the rounds."""
OF_WORDS = {
    "GROUPSANDKNOCKOUT": "groups-knockout",
    "KNOCKOUT": "knockout",
    "ROUNDROBIN": "round-robin",
    "MCMAHON": "mcmahon",
    "MONRAD": "monrad",
    "BAKU": "dutch-baku",
}
"""Capital letters found in record 092, the first that is there."""
DEFAULT = "dutch"


@dataclass(frozen=True, slots=True)
class ReportedType:
    """The system of ours that a report means, and what is to be said of it, if anything."""

    system: str
    remark: str = ""


def type_code(system: str, table: Crosstable, cycles: int | None = None) -> str:
    """Give record 192 for a system; empty where the table of codes has none.

    `cycles` are those of a round robin, where they are set; else as many as the rounds hold.
    """
    if system != "round-robin":
        return OF_SYSTEM.get(system, "")
    held = cycles or cycles_held(len(table.players), table.rounds, {})
    return ROUND_ROBINS.get(held, "CUSTOM_ROUNDROBIN")


def read_type(code: str, words: str) -> ReportedType:
    """Find the system that records 192 and 092 mean; the Dutch one where they tell nothing."""
    code = code.strip().upper()
    letters = re.sub(r"[^A-Z]", "", words.upper())
    by_words = next((name for word, name in OF_WORDS.items() if word in letters), DEFAULT)
    if code in OF_CODE:
        return ReportedType(OF_CODE[code])
    if not code or (code == "CUSTOM_SWISS" and by_words in ("monrad", "mcmahon")):
        return ReportedType(by_words)
    nearest = NEAREST.get(code) or ("round-robin" if "ROUNDROBIN" in code else by_words)
    return ReportedType(nearest, f"the type {code[:40]}, which is not played here: {nearest} is")
