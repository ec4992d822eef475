"""The value of a game's conditions by the table of its pool, and its expected score at pairing."""

from typing import Any

from games.models import Game
from games.models.time_controls import TimeClass
from games.rules.conditions import Handicap, HandicapKind
from ratings.models import Pool
from ratings.queries.tables import Tables
from ratings.systems.band import expected_at_pairing, is_out_of_band
from ratings.systems.handicap import (
    BadHandicap,
    has_table,
    make_handicap,
    part_of_conditions,
    values_of,
)
from ratings.systems.presets import find_preset


def is_game_rated(pool: Pool, game: Game) -> bool:
    """Return True if a pool rates games of this kind on this board."""
    return rates_board(pool, game.game, game.board)


def rates_board(pool: Pool, game: str, board: str) -> bool:
    """Return True if a pool rates a game, named by its code, on a board."""
    if not pool.rated_games:
        return True
    boards = pool.rated_games.get(game)
    return boards is not None and (not boards or board in boards)


def rates_class(pool: Pool, time_class: TimeClass | None) -> bool:
    """Return True if a pool rates games of a time class; None is that of games without a time."""
    return not pool.time_classes or time_class in pool.time_classes


def handicap_part(tables: Tables, pool: Pool, game: Game) -> int | None:
    """Return the value of a game's conditions to its first seat, in milli; None without a table.

    The table is that of the game's event, or else that of the pool.
    """
    try:
        handicap = read_handicap(game.handicap)
        if not has_table(game.game, game.board, handicap):
            return None
        table = tables[game.handicap_table or pool.handicap_table]
        values = values_of(table, game.game, game.board)
        return part_of_conditions(values, game.game, game.board, handicap, swap=game.swap)
    except BadHandicap:
        return None


def is_game_out_of_band(pool: Pool, game: Game, part: int) -> bool:
    """Return True if the expected score at pairing is outside the band; unknown ratings are in."""
    if not game.first_rating or not game.second_rating:
        return False
    system = find_preset(pool.preset, pool.parameters)
    expected = expected_at_pairing(game.first_rating, game.second_rating, part, system)
    return is_out_of_band(expected, pool.least_expected)


def read_handicap(conditions: dict[str, Any] | None) -> Handicap | None:
    """Return a game's handicap from its JSON; raises BadHandicap if no record could contain it."""
    if not conditions:
        return None
    kind = next((kind for kind in HandicapKind if conditions.get(kind)), "")
    number = conditions.get(kind, 0)
    return make_handicap(str(conditions.get("seat")), kind, number if type(number) is int else 0)
