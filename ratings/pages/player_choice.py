"""A player who is chosen in a form by a number or by a part of the name, without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.queries import players_by_name
from ratings.models import Pool

MOST: Final = 20
"""Players that are listed for a part of a name."""
LONGEST: Final = 80
"""Characters of a name to search for."""


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """What was typed, the rated players whose name it is part of, and who is chosen.

    `found` are numbers, names and ratings in milli; nobody is chosen if there are several.
    """

    typed: str
    found: Sequence[tuple[int, str, int]] = ()
    chosen: int | None = None


def find_choice(pool: Pool | None, text: str) -> PlayerChoice:
    """Return who may be meant by a number, or by a part of the name of a player of a pool."""
    typed = " ".join(text.replace("\0", " ").split())[:LONGEST]
    if typed.isascii() and typed.isdigit():
        return PlayerChoice(typed, chosen=int(typed[:18]))
    if pool is None or not typed:
        return PlayerChoice(typed)
    ratings = pool.ratings.filter(player__in=players_by_name(typed).values("pk"))
    rows = ratings.order_by("player__folded_name", "player_id")[:MOST]
    found = list(rows.values_list("player_id", "player__name", "rating"))
    return PlayerChoice(typed, found, found[0][0] if len(found) == 1 else None)
