"""The values of columns that were hyphenated words until version 0.3."""

from typing import Final

from games.models.columns import hyphenated
from games.models.games import FORMER_TERMINATIONS
from tournament.pairing.findings import FindingCode
from tournament.standings.results import Kind

RESULTS: Final = hyphenated(*Kind)
FINDINGS: Final = hyphenated(*FindingCode)
COUNTED: Final = RESULTS | FORMER_TERMINATIONS
"""Of the results and byes that a correction has changed."""
TIES: Final = hyphenated("play_off")
HANDICAP_KINDS: Final = {"first move": "first_move"}
SYSTEMS: Final = hyphenated("by_hand")
SCOPES: Final = {"standings+pairings": "standings_pairings"}
