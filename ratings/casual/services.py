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
)
from games.rules.conditions import Conditions
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import handicap_part, is_game_rated, load_tables, rates_class
from ratings.models import Pool


def propose_casual_game(
    *,
    opponent: int,
    seat: str,
    rated: bool,
    pool: str,
    main_minutes: int | None = None,
    increment_seconds: int = 0,
    by: Account,
    **conditions: Any,
) -> Game:
    """Propose a casual game, rated in a pool or not rated.

    Raises Unprocessable for impossible conditions and for a rated game that the pool cannot rate,
    and otherwise as `propose_game` does.
    """
    found, time_control, named, _ = check_all(
        lambda: read_game_conditions(**conditions),
        lambda: read_time_control(main_minutes, increment_seconds),
        lambda: find_named_pool(pool),
        lambda: find_opponent(opponent, by),
    )
    if rated:
        require_ratable(named, found, time_control)
    if rated and named is not None and named.policy == Pool.Policy.CLOSED:
        raise Conflict(
            "pool_closed", Text("%(pool)s is closed; only its officers file games", pool=named.name)
        )
    return propose_game(
        opponent=opponent,
        seat=Seat(seat),
        conditions=found,
        time_control=time_control,
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
        raise Unprocessable("pool_needed", Text("a rated game needs a pool"), at="/pool")
    check_all(
        partial(_require_conditions, pool, conditions), partial(_require_class, pool, time_control)
    )


def _require_conditions(pool: Pool, conditions: Conditions) -> None:
    if conditions.game not in pool.casual_games:
        valid = list(pool.casual_games)
        listed = ", ".join(valid) or "none"
        detail = Text(
            "%(pool)s rates no casual games of %(game)s; it rates: %(names)s",
            pool=pool.name,
            game=conditions.game,
            names=listed,
        )
        raise Unprocessable("ruleset_not_rated", detail, at="/ruleset", valid=valid)
    game = Game(**conditions_as_columns(conditions))
    if not is_game_rated(pool, game):
        detail = Text(
            "%(pool)s rates no games of %(game)s on the board %(board)s",
            pool=pool.name,
            game=game.game,
            board=game.board,
        )
        raise Unprocessable("board_size_not_rated", detail, at="/board_size")
    if handicap_part(load_tables(), pool, game) is None:
        detail = Text("%(pool)s has no handicap table for these conditions", pool=pool.name)
        raise Unprocessable("handicap_not_rated", detail, at="/handicap")


def _require_class(pool: Pool, time_control: TimeControl) -> None:
    if not rates_class(pool, time_control.time_class):
        valid = list(pool.time_classes)
        detail = Text(
            "%(pool)s rates only games of the time classes %(names)s",
            pool=pool.name,
            names=", ".join(valid),
        )
        raise Unprocessable("time_class_not_rated", detail, at="/main_minutes", valid=valid)
