"""Berger tables: a schedule in which each player meets every other player (C.05 annex 1).

The table is for an even number of places. In round r, the last place meets the place x for which
2x is r + 1 around the circle of the other places; these pair off around x, and the places after x
sit first. The last place sits second in odd rounds and first in even rounds. With an odd number of
players, the last place is empty, and its opponent is free.

Seats change in each cycle. In each cycle but the last, the last two rounds change places. The annex
recommends this for two cycles so that no player has the same seat three times in a row. It has that
effect for any number of cycles, except for four players in three or more cycles.
"""

from functools import lru_cache

from games.rules.text import Text

Game = tuple[int, int]
"""The places, from 1, that sit first and second."""


def rounds_in_cycle(players: int) -> int:
    """Return the number of rounds in which each player meets every other player once."""
    return players - 1 + players % 2


@lru_cache(maxsize=256)
def berger_round(players: int, cycles: int, round_number: int) -> tuple[Game, ...]:
    """Return the games of a round by board; a place beyond the players is the empty one.

    Raises ValueError if the cycles do not have the round.
    """
    length = rounds_in_cycle(players)
    if not 1 <= round_number <= length * cycles:
        raise ValueError(
            Text(
                "%(players)s players in %(cycles)s cycles have no round %(number)s",
                players=players,
                cycles=cycles,
                number=round_number,
            )
        )
    cycle, index = divmod(round_number - 1, length)
    if cycle < cycles - 1 and length > 1 and index >= length - 2:
        index = 2 * length - 3 - index
    games = _first_cycle(length + 1, index + 1)
    return tuple(game[::-1] for game in games) if cycle % 2 else games


def _first_cycle(places: int, round_number: int) -> tuple[Game, ...]:
    circle = places - 1
    middle = (round_number + 1) * (places // 2) % circle or circle
    top = (middle, places) if round_number % 2 else (places, middle)
    return (top, *(
        ((middle + step - 1) % circle + 1, (middle - step - 1) % circle + 1)
        for step in range(1, places // 2)
    ))  # fmt: skip
