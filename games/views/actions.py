"""The allowed actions of a game, in its page and in refusals."""

from typing import Any

from rest_framework.request import Request

from games.core.actions import Action, Call
from games.core.permissions import find_refusals
from games.core.preconditions import Target
from games.core.requests import Caller, current_account
from games.http.actions import list_actions_in_refusals
from games.models import Account, Game
from games.play.actions import GAME_ACTIONS, GAME_PERMISSIONS, game_actions
from games.play.lookup import get_visible_game, require_in_game
from games.views.targets import game_target


class ActionInGame(Action):
    """A write to a game; `game_action` is one of its actions, which has the permission.

    `prepare` and `perform` get the game. `If-Match` is about its last report.
    """

    game_action = ""

    def __init__(self) -> None:
        """Take the permission from the action of the game."""
        if self.game_action:
            self.permission = GAME_ACTIONS[self.game_action].permission

    def find(self, call: Call) -> Game:
        """Return the game if the caller may see it; raise NotFound."""
        return get_visible_game(call, call.address["game_id"])

    def check(self, call: Call, found: Game) -> None:
        """Require the permission, which the players of the game may have."""
        require_in_game(call, found, self.permission)

    def allowed_actions(self, call: Call, found: Game) -> list[dict[str, Any]]:
        """Return the allowed actions of the game."""
        return allowed_game_actions(call, found)

    def target(self, call: Call, found: Game) -> Target:
        """Return the game."""
        return game_target(found)


def allowed_game_actions(caller: Caller, game: Game) -> list[dict[str, Any]]:
    """Return the level of each action of a game for the caller, as it is now."""
    user, token = current_account(caller)
    seats = game.seats_of(user)
    refusals = find_refusals(user, token, GAME_PERMISSIONS, stream=game.role_stream, seats=seats)
    game.refresh_from_db(fields=["state", "adjourned", "closed", "void"])
    return game_actions(game, refusals, seats)


def require_game_action(request: Request, game: Game, action: str) -> Account:
    """Return the account if it may do the action; raises 401 or 403.

    A refusal lists the allowed actions of the game.
    """
    list_actions_in_refusals(request, lambda: allowed_game_actions(request, game))
    return require_in_game(request, game, GAME_ACTIONS[action].permission)
