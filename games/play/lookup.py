"""Find the game that a request names, if the caller may see it."""

from django.db.models import QuerySet

from games.core.errors import NotFound
from games.core.requests import Caller, current_account, require_account, viewer
from games.models import Account, Game
from games.play.queries import visible_games as queries_visible_games
from games.rules.text import Text


def require_in_game(caller: Caller, game: Game, action: str) -> Account:
    """Return the account if it may do the action in this game; raises 401 or 403."""
    user, _ = current_account(caller)
    return require_account(caller, action, stream=game.role_stream, seats=game.seats_of(user))


def visible_games(caller: Caller) -> "QuerySet[Game]":
    """Return the games that the account may see."""
    return queries_visible_games(*viewer(caller, "game.see"))


def get_visible_game(caller: Caller, game_id: int) -> Game:
    """Return a game that the account may see; raises NotFound."""
    games = visible_games(caller).select_related("first", "second", "record")
    game = games.filter(pk=game_id).first()
    if game is None:
        raise game_not_found(game_id)
    return game


def game_not_found(game_id: int) -> NotFound:
    """Return the error for a game that does not exist or that the account may not see."""
    return NotFound(
        "not_found", Text("there is no game %(number)s that you may see", number=game_id)
    )
