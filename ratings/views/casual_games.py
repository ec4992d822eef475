"""Propose a casual game, at the address of the list of games."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.request import maybe_dry_run, require_account, validated_body
from games.serializers.games import GameWithActionsSerializer
from games.views.games import GameList, load_game
from ratings.serializers.casual_games import ProposalSerializer
from ratings.services.casual_games import propose_casual_game


class CasualGameList(GameList):
    @extend_schema(
        operation_id="propose_game",
        request=ProposalSerializer,
        responses={201: GameWithActionsSerializer},
    )
    def post(self, request: Request) -> Response:
        """Propose a casual game to another player, as the player of one's own account.

        Only the two players see it until the other accepts it; an unanswered one expires. A rated
        game names its pool. The officers of the pool, else site staff, rule on a dispute.
        """
        account = require_account(request, "game.propose")
        content = validated_body(ProposalSerializer, request)
        with maybe_dry_run(request):
            game = propose_casual_game(**content, by=account)
            body = load_game(request, game.pk)
        headers = {"Location": f"/api/v1/games/{game.pk}"}
        return Response(body, status=201, headers=headers)
