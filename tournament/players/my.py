"""My games and events: what an account has to report, to answer and to decide."""

from typing import Any, Final

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games import queries
from games.core.accounts.views import unrestricted_account
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.models import Claim, Game
from tournament.players.queries import decidable_claims
from tournament.players.views import ClaimActionView
from tournament.queries.accounts import directed_events, played_events

MOST_OWN_ROWS: Final = 50
"""Games of each group, and events, that the page lists."""
GAME_GROUPS: Final = {
    "proposed": (Game.State.PROPOSED,),
    "to_report": (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED),
    "finished": (Game.State.CONFIRMED, Game.State.ANNULLED),
}
CLAIM: Final = ("claim_id",)


class MyPage(PageView):
    template = "tournament/my.html"
    actions = {
        "accept-claim": PageAction(
            ClaimActionView,
            done=gettext_noop("The claim is accepted."),
            options={"action_name": "accept"},
            parameters=CLAIM,
        ),
        "refuse-claim": PageAction(
            ClaimActionView,
            done=gettext_noop("The claim is refused."),
            options={"action_name": "refuse"},
            parameters=CLAIM,
        ),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the games of the account by state, its events and claims, and those to decide."""
        account = unrestricted_account(request)
        claims = decidable_claims(account).filter(state=Claim.State.OPEN)
        rows = queries.own_game_rows(account)
        games = {
            name: [
                queries.game_as_json(row)
                for row in rows.filter(state__in=states).order_by("-pk")[:MOST_OWN_ROWS]
            ]
            for name, states in GAME_GROUPS.items()
        }
        return games | {
            "player": getattr(account, "player", None),
            "played": played_events(account)[:MOST_OWN_ROWS],
            "directed": directed_events(account)[:MOST_OWN_ROWS],
            "own_claims": account.claims.exclude(state=Claim.State.ACCEPTED)
            .select_related("player")
            .order_by("-pk")[:MOST_OWN_ROWS],
            "claims": claims.select_related("player", "account").order_by("pk")[:MOST_OWN_ROWS],
        }
