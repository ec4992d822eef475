"""Propose a casual game, at the address of the list of games; import many from their records."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from games.core.actions import Action, Call
from games.core.errors import unknown_value
from games.core.permissions import require_account
from games.core.preconditions import Target
from games.core.uploads.tasks import import_responses
from games.core.uploads.views import TEXT_FILE, TEXT_PARAMETERS, ImportAction
from games.core.views import endpoint
from games.models import Game
from games.models.streams import POOL_STREAM
from games.play import types
from games.play.states import game_target
from games.play.views import GameList, load_game
from ratings.casual.imports import CASUAL_GAMES
from ratings.casual.serializers import ImportedGames, ProposalSerializer
from ratings.casual.services import propose_casual_game
from ratings.core.pools import pool_codes

RECORD = """[Game "star-star"]
[Board "4"]
[First "Ada"]
[FirstCountry "POR"]
[Second "Ben"]
[SecondCountry "CAN"]
[Date "2026.05.01"]

S10 T10 agreed 11-10
"""


class ProposeGame(Action):
    """Propose a casual game to another player, as the player of one's own account.

    Only the two players see it until the other accepts it; an unanswered one expires. A rated
    game names its pool. The officers of the pool, else site staff, rule on a dispute. The list
    of games with `player` and one's own id contains one's own games and proposals.
    """

    name = "propose_game"
    permission = "game.propose"
    body = ProposalSerializer
    example = {
        "opponent_id": 42,
        "ruleset": "star-star",
        "board_size": "10",
        "seat": "first",
        "rated": False,
    }
    status = 201
    made = ("id", "url", "page_url")
    location = "games/{id}"

    def perform(self, call: Call, prepared: None) -> types.Game:
        game = propose_casual_game(**call.body, by=call.account)
        return load_game(call, game.pk).body

    def made_target(self, call: Call, content: Any) -> Target:
        return game_target(Game.objects.get(pk=content["id"]))


class CasualGameList(GameList):
    post = endpoint(ProposeGame)


RATING_POOL_PARAMETER = OpenApiParameter(
    "pool", str, description="the code of the pool that rates the games; without it, none is rated"
)


class ImportGames(ImportAction):
    """Import casual games from their records, all or none; for officers of the pool, and staff.

    The tags `First` and `Second` name the players: known ones are found as in `players/import`,
    also by `FirstCountry` and `FirstClub`, the others are registered. An ambiguous name is
    refused with the `candidates`; `FirstId`, an id or `new`, resolves it. `Date` is the day of
    the game. Each record must prove its result. A rated game takes effect on its day, whatever
    the policy of the pool and the daily limit of two players; `[Rated "no"]` excludes one. A
    record that a game of the two players on this day has already creates none. On another day it
    is another game, and `same_record` names the earlier one, as such games are rare.
    """

    name = "import_games"
    importer = CASUAL_GAMES
    parameters = [RATING_POOL_PARAMETER, *TEXT_PARAMETERS]
    request = TEXT_FILE
    responses = import_responses(ImportedGames)
    is_shown = True
    examples = [OpenApiExample("a record", RECORD, media_type="text/plain", request_only=True)]

    def stream_of(self, call: Call, found: None) -> str:
        code = call.query.get("pool", "")
        return f"{POOL_STREAM}{code}" if code else ""

    def check(self, call: Call, found: None) -> None:
        """Require the role in the pool, if one rates the games."""
        require_account(call, self.permission, stream=self.stream_of(call, found))
        code = call.query.get("pool", "")
        if code and code not in (codes := pool_codes()):
            raise unknown_value("pool", code, codes)
