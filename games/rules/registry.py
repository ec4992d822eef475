"""The registry of games: `GAMES` maps a code to its game."""

from games.rules.double_star_star import DOUBLE_STAR_STAR
from games.rules.errors import UnknownGame
from games.rules.game import GameRules
from games.rules.havannah import HAVANNAH
from games.rules.hex import HEX
from games.rules.jumping_solitaires import MINI, RING, SUPPLY_LINE
from games.rules.penta_hex import PENTA_HEX
from games.rules.penta_line import PENTA_LINE
from games.rules.poly_y import POLY_Y
from games.rules.queens import QUEENS
from games.rules.star import STAR
from games.rules.star_star import NOBRIDGE_STAR_STAR, STAR_STAR
from games.rules.star_y import STAR_Y
from games.rules.text import Text
from games.rules.twixt import TWIXT
from games.rules.y import Y_GAME

GAMES: dict[str, GameRules] = {
    rules.code: rules
    for rules in (
        STAR_STAR,
        NOBRIDGE_STAR_STAR,
        DOUBLE_STAR_STAR,
        STAR,
        STAR_Y,
        POLY_Y,
        Y_GAME,
        HEX,
        HAVANNAH,
        TWIXT,
        PENTA_LINE,
        PENTA_HEX,
        QUEENS,
        SUPPLY_LINE,
        RING,
        MINI,
    )
}

TWO_PLAYER_GAMES = tuple(code for code, rules in GAMES.items() if rules.players > 1)

FIRST_GAME = next(iter(GAMES))
"""The game with which forms begin."""

GAME_OF_ALL_CELLS = NOBRIDGE_STAR_STAR.code
"""A game in which the centre of the *Star board is a cell too."""


def find_game(code: str) -> GameRules:
    """Return the game with this code; raise UnknownGame, which lists the known codes."""
    try:
        return GAMES[code]
    except KeyError:
        raise UnknownGame(
            Text(
                "unknown game %(game)s; games: %(names)s",
                game=f"{code!r:.60}",
                names=", ".join(GAMES),
            ),
            tuple(GAMES),
        ) from None
