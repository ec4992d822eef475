"""Who plays whom: pairing systems as functions of a request.

`PAIRING_SYSTEMS` is the whole list an organiser can choose from. The FIDE Dutch system of
2026-02-01 will stand here as `dutch`, in a module of that name; nothing else has to change for it.
"""

from tournament.pairing.by_hand import Violation, ViolationCode, check_by_hand
from tournament.pairing.errors import NoLegalPairing, PairingError, PairingRequestError
from tournament.pairing.monrad import pair_monrad
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
    "NoLegalPairing",
    "Note",
    "NoteCode",
    "Pair",
    "PairingError",
    "PairingRequest",
    "PairingRequestError",
    "PairingSystem",
    "Pairings",
    "Violation",
    "ViolationCode",
    "check_by_hand",
]

PAIRING_SYSTEMS: dict[str, PairingSystem] = {
    "monrad": pair_monrad,
}
