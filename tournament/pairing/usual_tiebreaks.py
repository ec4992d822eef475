"""The tie-breaks of an event that names none, by its pairing system."""

from collections.abc import Sequence
from typing import Final

from games.rules.text import Text
from tournament.pairing.systems import PAIRING_SYSTEMS

SWISS: Final = ("PTS", "BH/C1", "BH", "SB")
ROUND_ROBIN: Final = ("PTS", "DE", "SB", "WIN")
KNOCKOUT: Final = ("STAGE", "LOST", "PTS")
GROUPS: Final = ("STAGE", "LOST", "PTS", "DE", "SB", "WIN")
MCMAHON: Final = ("MMS", "PTS", "BH", "SB")
SCORES: Final = ("PTS", "MMS", "GPTS", "STAGE")
"""What a ranking begins with, so that no player is ahead of one with better results."""


def usual_tiebreaks(system_code: str) -> tuple[str, ...]:
    """Return the tie-breaks for a pairing system; those of a Swiss for an unknown one."""
    system = PAIRING_SYSTEMS.get(system_code)
    if system and system.is_round_robin:
        return ROUND_ROBIN
    if system and system.rank_groups:
        return GROUPS
    if system and system.find_progress:
        return KNOCKOUT
    return MCMAHON if system and system.starting_scores else SWISS


def ranking_without_points(codes: Sequence[str]) -> Text | None:
    """Return what to bear in mind if a ranking does not begin with points; None if it does."""
    if not codes or codes[0].partition("/")[0] in SCORES:
        return None
    return Text(
        "the ranking begins with %(code)s, not with points, so that a player with fewer points"
        " can be ahead of one with more; usually PTS is the first",
        code=codes[0],
    )
