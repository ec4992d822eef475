"""Whether the pool that an event names rates its games: their board and their time class."""

from typing import Final

from games.core.errors import Unprocessable
from games.rules.registry import GAMES
from games.rules.text import Text
from ratings.core.conditions import rates_board, rates_class
from ratings.models import Pool
from tournament.models import Tournament

DECIDES_RATING: Final = frozenset(
    {"game", "board", "main_minutes", "increment_seconds", "rated", "pool"}
)
"""Settings that decide whether the pool rates the games of the event."""


def require_rated_games(tournament: Tournament) -> None:
    """Raise Unprocessable if the event requests its rating in a pool that does not rate its games.

    Call it when one of these settings changes: if the pool rates other games since, the other
    settings of the event can still change.
    """
    if not (tournament.pool and tournament.rated):
        return
    game, board, time_class = tournament.game, tournament.board, tournament.time_class
    pools = {pool.code: pool for pool in Pool.objects.order_by("code")}
    valid = [
        code
        for code, pool in pools.items()
        if rates_board(pool, game, board) and rates_class(pool, time_class)
    ]
    if tournament.pool not in valid:
        games = Text("%(game)s on board %(board)s", game=GAMES[game].name, board=board)
        if rates_board(pools[tournament.pool], game, board):
            games = (
                Text("%(time_class)s games", time_class=time_class)
                if time_class
                else Text("games without a stated time")
            )
        detail = Text(
            "the pool %(pool)s does not rate %(detail)s; pools that do: %(names)s; "
            "or send rated: false",
            pool=tournament.pool,
            detail=games,
            names=", ".join(valid) or "none",
        )
        raise Unprocessable("pool_rates_others", detail, at="/pool", valid=valid)
