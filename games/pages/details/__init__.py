"""The texts of the source that say what is wrong, as patterns: a name for each value.

They are in a file for what they are about. `tests/games/pages/test_details.py` finds the texts in
the source, and says which pattern is missing here, or is of no text any more.
"""

from typing import Final

from games.pages.details.accounts import ACCOUNT_DETAILS
from games.pages.details.bundles import BUNDLES
from games.pages.details.composed import COMPOSED
from games.pages.details.entries import ENTRY_DETAILS
from games.pages.details.events import EVENTS
from games.pages.details.files import FILE_DETAILS
from games.pages.details.games import GAME_DETAILS
from games.pages.details.handicaps import HANDICAPS
from games.pages.details.left_out import LEFT_OUT
from games.pages.details.moves import MOVES
from games.pages.details.plans import PLANS
from games.pages.details.players import PLAYER_DETAILS
from games.pages.details.ratings import RATINGS
from games.pages.details.records import RECORD_DETAILS
from games.pages.details.requests import REQUESTS
from games.pages.details.results import RESULT_DETAILS
from games.pages.details.rounds import ROUND_DETAILS
from games.pages.details.service import SERVICE
from games.pages.details.standings import STANDINGS_DETAILS
from games.pages.details.steps import STEP_DETAILS
from games.pages.details.systems import SYSTEM_DETAILS
from games.pages.details.trf import TRF_DETAILS
from games.pages.details.webhooks import WEBHOOKS

PATTERNS: Final = (
    *ACCOUNT_DETAILS,
    *BUNDLES,
    *COMPOSED,
    *ENTRY_DETAILS,
    *EVENTS,
    *FILE_DETAILS,
    *GAME_DETAILS,
    *HANDICAPS,
    *LEFT_OUT,
    *MOVES,
    *PLANS,
    *PLAYER_DETAILS,
    *RATINGS,
    *RECORD_DETAILS,
    *REQUESTS,
    *RESULT_DETAILS,
    *ROUND_DETAILS,
    *SERVICE,
    *STANDINGS_DETAILS,
    *STEP_DETAILS,
    *SYSTEM_DETAILS,
    *TRF_DETAILS,
    *WEBHOOKS,
)
