"""Who plays whom: pairing systems as functions of a request.

`SYSTEMS` is the whole list an organiser can choose from, `PAIRING_SYSTEMS` their functions alone.
"""

from tournament.pairing.by_hand import Violation, ViolationCode, check_by_hand
from tournament.pairing.errors import NoLegalPairing, OptionError, PairingError, PairingRequestError
from tournament.pairing.registry import SYSTEMS, System
from tournament.pairing.request import (
    Note,
    NoteCode,
    Pair,
    PairingRequest,
    Pairings,
    PairingSystem,
)

__all__ = [
    "PAIRING_SYSTEMS",
    "SYSTEMS",
    "NoLegalPairing",
    "Note",
    "NoteCode",
    "OptionError",
    "Pair",
    "PairingError",
    "PairingRequest",
    "PairingRequestError",
    "PairingSystem",
    "Pairings",
    "System",
    "Violation",
    "ViolationCode",
    "check_by_hand",
]

PAIRING_SYSTEMS: dict[str, PairingSystem] = {code: system.pair for code, system in SYSTEMS.items()}
