"""Propose a casual game, which a pool rates as a batch of its own."""

from functools import partial
from typing import Any

from games.core.errors import Conflict, Unprocessable, check_all, unknown_key
from games.models import Account, Game
from games.models.time_controls import TimeControl
from games.play.outcomes import conditions_as_columns
from games.play.proposals import (
    find_opponent,
    propose_game,
    read_game_conditions,
    read_time_control,
    require_play,
)
from games.rules.conditions import Conditions
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import (
    handicap_part,
    load_tables,
    rated_casual_games,
    rates_board,
    rates_class,
)
from ratings.models import Pool


def propose_casual_game(
    *,
    opponent_id: int,
    seat: str,
    rated: bool,
    pool: str,
    main_minutes: int | None = None,
    increment_seconds: int = 0,
    play: str = Game.Play.ANYWHERE,
    days_per_turn: int | None = None,
    by: Account,
    **conditions: Any,
) -> Game:
    """Propose a casual game, rated in a pool or not rated.

    Raises Unprocessable for impossible conditions and for a rated game that the pool cannot rate,
    and otherwise as `propose_game` does.
    """
    found, time_control, named, *_ = check_all(
        lambda: read_game_conditions(**conditions),
        lambda: read_time_control(main_minutes, increment_seconds),
        lambda: find_named_pool(pool),
        lambda: find_opponent(opponent_id, by),
        lambda: require_play(play, days_per_turn, main_minutes),
    )
    if rated:
        require_ratable(named, found, time_control)
    if rated and named is not None and named.policy == Pool.Policy.CLOSED:
        raise Conflict(
            "pool_closed", Text("%(pool)s is closed; only its officers file games", pool=named.name)
        )
    return propose_game(
        opponent=opponent_id,
        seat=Seat(seat),
        conditions=found,
        time_control=time_control,
        play=play,
        days_per_turn=days_per_turn,
        rated=rated,
        pool=pool,
        by=by,
    )


def find_named_pool(code: str) -> Pool | None:
    """Return the pool of a body; None without one, raises Unprocessable for an unknown one."""
    pools = {pool.code: pool for pool in Pool.objects.order_by("code")}
    if code and code not in pools:
        raise unknown_key("pool", code, list(pools))
    return pools.get(code)


def require_ratable(pool: Pool | None, conditions: Conditions, time_control: TimeControl) -> None:
    """Raise Unprocessable if a pool does not rate casual games of these conditions."""
    if pool is None:
        detail = Text("a rated game needs a pool")
        valid = _pools_that_rate(conditions)
        raise Unprocessable("pool_needed", detail, at="/pool", valid=valid)
    check_all(
        partial(_require_conditions, pool, conditions), partial(_require_class, pool, time_control)
    )


def _pools_that_rate(conditions: Conditions) -> list[str]:
    """Return the codes of the pools for whose casual games of these conditions anyone can ask."""
    return [
        pool.code
        for pool in Pool.objects.exclude(policy=Pool.Policy.CLOSED).order_by("code")
        if conditions.game in rated_casual_games(pool)
        and rates_board(pool, conditions.game, conditions.board)
    ]


def _require_conditions(pool: Pool, conditions: Conditions) -> None:
    game, board = conditions.game, conditions.board
    if game not in rated_casual_games(pool):
        raise _not_rated("ruleset_not_rated", GAMES[game].name, pool, conditions)
    if not rates_board(pool, game, board):
        games = Text("%(game)s on board %(board)s", game=GAMES[game].name, board=board)
        raise _not_rated("board_size_not_rated", games, pool, conditions)
    row = Game(**conditions_as_columns(conditions))
    if handicap_part(load_tables(), pool, row) is None:
        detail = Text("%(pool)s has no handicap table for these conditions", pool=pool.name)
        raise Unprocessable("handicap_not_rated", detail, at="/handicap")


def _not_rated(code: str, games: str, pool: Pool, conditions: Conditions) -> Unprocessable:
    """Return the error of games that a pool does not rate, with the pools that do."""
    valid = _pools_that_rate(conditions)
    values = {"pool": pool.name, "game": games, "names": ", ".join(valid)}
    detail = (
        Text("%(pool)s rates no casual games of %(game)s; pools that do: %(names)s", **values)
        if valid
        else Text("%(pool)s rates no casual games of %(game)s, and no other pool does", **values)
    )
    return Unprocessable(code, detail, at="/pool", valid=valid)


def _require_class(pool: Pool, time_control: TimeControl) -> None:
    if not rates_class(pool, time_control.time_class):
        valid = list(pool.time_classes)
        detail = Text(
            "%(pool)s rates only games of the time classes %(names)s",
            pool=pool.name,
            names=", ".join(valid),
        )
        raise Unprocessable("time_class_not_rated", detail, at="/main_minutes", valid=valid)
