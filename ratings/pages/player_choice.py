"""A player who is chosen in a form by a number or by a part of the name, without scripts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.queries import players_by_name
from ratings.models import Pool

MOST_CHOICES: Final = 20
"""Players that are listed for a part of a name."""
TYPED_NUMBER: Final = re.compile(r"(?:.*#)?([0-9]+)", re.ASCII)
"""A number of a player, alone or after a name."""
LONGEST: Final = 80
"""Characters of a name to search for."""


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """What was typed, the rated players whose name it is part of, and who is chosen.

    `found` are numbers, names and ratings in milli; nobody is chosen if there are several. The
    field of a player who was found by name ends with their number, which needs no search again.
    """

    typed: str
    found: Sequence[tuple[int, str, int]] = ()
    chosen: int | None = None


def parse_number(text: str) -> int | None:
    """Return the number of a player in a text such as `17` or `Ada #17`, None for a name only."""
    found = TYPED_NUMBER.fullmatch(text.strip())
    return int(found[1][:18]) if found else None


def find_choice(pool: Pool | None, text: str) -> PlayerChoice:
    """Return who may be meant by a number, or by a part of the name of a player of a pool."""
    typed = " ".join(text.replace("\0", " ").split())[:LONGEST]
    if (number := parse_number(typed)) is not None:
        return PlayerChoice(typed, chosen=number)
    if pool is None or not typed:
        return PlayerChoice(typed)
    ratings = pool.ratings.filter(player__in=players_by_name(typed).values("pk"))
    rows = ratings.order_by("player__folded_name", "player_id")[:MOST_CHOICES]
    found = list(rows.values_list("player_id", "player__name", "rating"))
    if len(found) != 1:
        return PlayerChoice(typed, found)
    ((chosen, name, _),) = found
    return PlayerChoice(f"{name[: LONGEST - 20]} #{chosen}", found, chosen)
