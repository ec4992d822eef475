"""Propose a casual game: search the opponent and select the game, then its conditions."""

from typing import Any, Final

from rest_framework.request import Request

from games.core.accounts.views import unrestricted_account
from games.core.errors import unknown_key
from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.models import Account
from games.queries import players_by_name
from games.rules.registry import FIRST_GAME, GAMES
from games.rules.seat import Seat
from ratings.casual.serializers import ProposalSerializer
from ratings.casual.views import CasualGameList
from ratings.models import Pool

MOST_OPPONENTS: Final = 20
"""Opponents that the page lists."""
LONGEST: Final = 80
"""Characters of a name to search for."""
PROPOSAL_FIELDS: Final = ("seat", "handicap", "main_minutes", "increment_seconds", "rated")


class ProposePage(PageView):
    template = "tournament/propose.html"
    actions = {"propose": PageAction(CasualGameList, done="", serializer=ProposalSerializer)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the search and, if it has found players, the form of the proposal."""
        account = unrestricted_account(request)
        text = request.query_params.get("q", "").replace("\0", "").strip()[:LONGEST]
        code = request.query_params.get("game", FIRST_GAME)
        games = {code: rules for code, rules in GAMES.items() if rules.players == len(Seat)}
        if code not in games:
            raise unknown_key("game", code, list(games))
        typed = self.form.typed
        return {
            "q": text,
            "games": games.values(),
            "rules": games[code],
            "player": getattr(account, "player", None),
            "opponents": self.find_opponents(text, account),
            "chosen": typed.get("opponent", ""),
            "chosen_board": typed.get("board", games[code].boards[-1]),
            "chosen_options": typed.get("options[]", ()),
            "pools": [pool for pool in Pool.objects.order_by("name") if code in pool.casual_games],
            "chosen_pool": typed.get("pool", ""),
            "fields": form_fields(ProposalSerializer(), PROPOSAL_FIELDS, state=self.form),
        }

    def find_opponents(self, text: str, account: Account) -> list[Any]:
        """Return the players with an account whose name contains a text; none without a text."""
        if not text:
            return []
        found = players_by_name(text).filter(account__email__isnull=False)
        return list(found.exclude(account=account).order_by("folded_name", "pk")[:MOST_OPPONENTS])

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the proposed game."""
        return f"/games/{content['id']}/reports"
