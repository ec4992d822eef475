"""Whether the pool that an event names rates its games: their board and their time class."""

from typing import Final

from games.http.errors import Unprocessable
from games.rules.registry import GAMES
from ratings.models import Pool
from ratings.queries.conditions import rates_board, rates_class
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
        games = f"{GAMES[game].name} on board {board}"
        if rates_board(pools[tournament.pool], game, board):
            games = f"{time_class} games" if time_class else "games without a stated time"
        detail = (
            f"the pool {tournament.pool} does not rate {games};"
            f" pools that do: {', '.join(valid) or 'none'}; or send rated: false"
        )
        raise Unprocessable("pool_rates_others", detail, at="/pool", valid=valid)
