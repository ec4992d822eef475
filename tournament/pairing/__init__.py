"""Who plays whom: pairing systems as functions of a request.

`PAIRING_SYSTEMS` is the whole list an organiser can choose from.
"""

from tournament.pairing.by_hand import Violation, ViolationCode, check_by_hand
from tournament.pairing.dutch import pair_dutch
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
    "dutch": pair_dutch,
    "monrad": pair_monrad,
}
