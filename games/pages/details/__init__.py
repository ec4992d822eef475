"""The texts of the source that say what is wrong, as patterns: a name for each value.

They are in a file for what they are about. `tests/games/pages/test_details.py` finds the texts in
the source, and says which pattern is missing here, or is of no text any more.
"""

from typing import Final

from games.pages.details.accounts import ACCOUNTS
from games.pages.details.bundles import BUNDLES
from games.pages.details.composed import COMPOSED
from games.pages.details.entries import ENTRIES
from games.pages.details.events import EVENTS
from games.pages.details.files import FILES
from games.pages.details.games import GAMES
from games.pages.details.handicaps import HANDICAPS
from games.pages.details.left_out import LEFT_OUT
from games.pages.details.moves import MOVES
from games.pages.details.plans import PLANS
from games.pages.details.players import PLAYERS
from games.pages.details.ratings import RATINGS
from games.pages.details.records import RECORDS
from games.pages.details.requests import REQUESTS
from games.pages.details.results import RESULTS
from games.pages.details.rounds import ROUNDS
from games.pages.details.service import SERVICE
from games.pages.details.standings import STANDINGS
from games.pages.details.steps import STEPS
from games.pages.details.systems import SYSTEMS
from games.pages.details.trf import TRF
from games.pages.details.webhooks import WEBHOOKS

PATTERNS: Final = (
    *ACCOUNTS,
    *BUNDLES,
    *COMPOSED,
    *ENTRIES,
    *EVENTS,
    *FILES,
    *GAMES,
    *HANDICAPS,
    *LEFT_OUT,
    *MOVES,
    *PLANS,
    *PLAYERS,
    *RATINGS,
    *RECORDS,
    *REQUESTS,
    *RESULTS,
    *ROUNDS,
    *SERVICE,
    *STANDINGS,
    *STEPS,
    *SYSTEMS,
    *TRF,
    *WEBHOOKS,
)
