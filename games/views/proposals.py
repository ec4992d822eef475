"""The other player accepts or declines a proposed game; the proposer cancels it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.requests import maybe_dry_run
from games.core.views import ApiView
from games.http.members import require_no_members
from games.play.lookup import get_visible_game
from games.play.proposals import answer_proposal
from games.play.serializers import GameWithActionsSerializer
from games.views.actions import require_game_action
from games.views.games import load_game


class AnswerProposal(ApiView):
    action_name = ""

    @extend_schema(request=None, responses=GameWithActionsSerializer)
    def post(self, request: Request, game_id: int) -> Response:
        """Accept or decline a proposed game, or cancel one's own proposal.

        An accepted game is public and can be reported; the two players have then agreed that it is
        rated, if it is.
        """
        require_no_members(request.data)
        game = get_visible_game(request, game_id)
        account = require_game_action(request, game, self.action_name)
        with maybe_dry_run(request):
            answer_proposal(game, self.action_name, by=account)
            body = load_game(request, game_id)
        return Response(body)
