"""The allowed actions of a game, in its page and in refusals."""

from typing import Any

from rest_framework.request import Request

from games.accounts.permissions import find_refusals
from games.http.actions import list_actions_in_refusals
from games.http.request import current_account, require_in_game
from games.models import Account, Game
from games.services.actions import GAME_ACTIONS, GAME_PERMISSIONS, game_actions


def require_game_action(request: Request, game: Game, action: str) -> Account:
    """Return the account if it may do the action; raises 401 or 403.

    A refusal lists the allowed actions of the game.
    """

    def load_actions() -> list[dict[str, Any]]:
        user, token = current_account(request)
        seats = game.seats_of(user)
        refusals = find_refusals(
            user, token, GAME_PERMISSIONS, stream=game.role_stream, seats=seats
        )
        game.refresh_from_db(fields=["state", "adjourned", "closed", "void"])
        return game_actions(game, refusals, seats)

    list_actions_in_refusals(request, load_actions)
    return require_in_game(request, game, GAME_ACTIONS[action].permission)
