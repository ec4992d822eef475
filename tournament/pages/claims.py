"""Claim a player: an account states that it is this player, and somebody who knows them decides."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.views import unrestricted_account
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.models import Claim
from tournament.core.lookup import player_seen
from tournament.players.views import ClaimList


class ClaimPage(PageView):
    template = "tournament/claim.html"
    actions = {
        "claim": PageAction(
            ClaimList,
            done=gettext_noop("Your claim is sent. An organiser of this player's events decides."),
        )
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Claim the player that the form names, as the API does."""
        return super().post(request)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the player, and the claim of the account if there is an open one."""
        account = unrestricted_account(request)
        player = player_seen(self.kwargs["player_id"])
        claims = account.claims.filter(player=player, state=Claim.State.OPEN)
        own = getattr(account, "player", None)
        return {"player": player, "is_claimed": claims.exists(), "own_player": own}
