"""The tie-breaks of an event that names none, by its pairing system."""

from typing import Final

from tournament.pairing.systems import PAIRING_SYSTEMS

SWISS: Final = ("PTS", "BH/C1", "BH", "SB")
ROUND_ROBIN: Final = ("PTS", "DE", "SB", "WIN")
KNOCKOUT: Final = ("STAGE", "LOST", "PTS")
GROUPS: Final = ("STAGE", "LOST", "PTS", "DE", "SB", "WIN")
MCMAHON: Final = ("MMS", "PTS", "BH", "SB")


def usual_tiebreaks(system_code: str) -> tuple[str, ...]:
    """Return the tie-breaks for a pairing system; those of a Swiss for an unknown one."""
    system = PAIRING_SYSTEMS.get(system_code)
    if system and system.is_round_robin:
        return ROUND_ROBIN
    if system and system.find_ties:
        return GROUPS
    if system and system.find_progress:
        return KNOCKOUT
    return MCMAHON if system and system.starting_scores else SWISS
