"""Berger tables: a schedule in which everybody meets everybody (C.05 annex 1).

The table for an even number of places: in round r the last place meets the place x for which
2x is r + 1 around the circle of the others, and the others pair off around x, those after it
sitting first. The last place sits second in odd rounds and first in even ones. With an odd number
of players the last place is nobody's, and who should meet it is free.

Cycles: the seats change with each. Each cycle but the last changes the places of its last two
rounds, which the annex advises for a double so that nobody has the same seat three times running;
it does so for any number of cycles, four players in three or more excepted.
"""

from functools import lru_cache

Game = tuple[int, int]
"""The places, from 1, of who sits first and of who sits second."""


def rounds_in_cycle(players: int) -> int:
    """Give how many rounds it takes until everybody has met everybody."""
    return players - 1 + players % 2


@lru_cache(maxsize=256)
def berger_round(players: int, cycles: int, round_number: int) -> tuple[Game, ...]:
    """Give a round's games by board; a place beyond the players is the free one.

    Raises ValueError for a round that the cycles do not have.
    """
    length = rounds_in_cycle(players)
    if not 1 <= round_number <= length * cycles:
        raise ValueError(f"{players} players in {cycles} cycles have no round {round_number}")
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
