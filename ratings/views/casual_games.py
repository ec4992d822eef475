"""Propose a casual game, at the address of the list of games; import many from their records."""

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.parsers import FileParser, TextBytesParser
from games.http.request import is_dry_run, maybe_dry_run, require_account, validated_body
from games.http.views import ApiView
from games.imports.responses import IMPORT_PARAMETERS, import_response
from games.imports.uploads import SentFile
from games.models.games import POOL_STREAM
from games.serializers.games import GameWithActionsSerializer
from games.serializers.tasks import import_responses
from games.views.games import GameList, load_game
from ratings.imports import CASUAL_GAMES
from ratings.serializers.casual_games import ImportedGamesSerializer, ProposalSerializer
from ratings.services.casual_games import find_named_pool, propose_casual_game

RECORD = """[Game "star-star"]
[Board "4"]
[First "Ada"]
[FirstCountry "POR"]
[Second "Ben"]
[SecondCountry "CAN"]
[Date "2026.05.01"]

S10 T10 agreed 11-10
"""


class CasualGameList(GameList):
    @extend_schema(
        operation_id="propose_game",
        request=ProposalSerializer,
        responses={201: GameWithActionsSerializer},
    )
    def post(self, request: Request) -> Response:
        """Propose a casual game to another player, as the player of one's own account.

        Only the two players see it until the other accepts it; an unanswered one expires. A rated
        game names its pool. The officers of the pool, else site staff, rule on a dispute. The list
        of games with `player` and one's own id contains one's own games and proposals.
        """
        account = require_account(request, "game.propose")
        content = validated_body(ProposalSerializer, request)
        with maybe_dry_run(request):
            game = propose_casual_game(**content, by=account)
            body = load_game(request, game.pk)
        headers = {"Location": f"/api/v1/games/{game.pk}"}
        return Response(body, status=201, headers=headers)


RATING_POOL_PARAMETER = OpenApiParameter(
    "pool", str, description="the code of the pool that rates the games; without it, none is rated"
)


class ImportGames(ApiView):
    throttle_scope = "import"
    write_parameters = (*ApiView.write_parameters, "pool")

    parser_classes = [TextBytesParser, FileParser]

    @extend_schema(
        operation_id="import_games",
        parameters=[RATING_POOL_PARAMETER, *IMPORT_PARAMETERS],
        request={"text/plain": bytes, "application/octet-stream": bytes},
        responses=import_responses(ImportedGamesSerializer),
        examples=[
            OpenApiExample("a record", RECORD, media_type="text/plain", request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Import casual games from their records, all or none; for officers of the pool, and staff.

        The tags `First` and `Second` name the players: known ones are found as in `players/import`,
        also by `FirstCountry` and `FirstClub`, the others are registered. An ambiguous name is
        refused with the `candidates`; `FirstId`, an id or `new`, resolves it. `Date` is the day of
        the game. Each record must prove its result. A rated game takes effect on its day, whatever
        the policy of the pool and the daily limit of two players; `[Rated "no"]` excludes one. A
        record that a game of the two players has already creates none.
        """
        code = request.query_params.get("pool", "")
        stream = f"{POOL_STREAM}{code}" if code else ""
        account = require_account(request, CASUAL_GAMES.action, stream=stream)
        find_named_pool(code)
        sent = SentFile(
            content=request.data if isinstance(request.data, bytes) else b"",
            by=account,
            stream=stream,
            parameters={"pool": code},
            dry_run=is_dry_run(request),
        )
        return import_response(request, CASUAL_GAMES, sent)
