"""The handicap of a game in an event, as text: `second 3 stones`, `first 2 points`, `first move`.

`first move` means that the first seat moves first without the pie rule; an empty text is no
handicap. Stones and the first move exclude the pie rule, points do not change it.
"""

from dataclasses import replace

from games.rules.conditions import Conditions
from games.rules.errors import BadConditions, Code
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from games.rules.text import Text

FIRST_MOVE = "first move"


def with_handicap(conditions: Conditions, text: str) -> Conditions:
    """Return the conditions of an even game, changed by a handicap; raise BadConditions."""
    if not text:
        return conditions
    if text == FIRST_MOVE:
        if not conditions.swap:
            detail = Text("without the pie rule the first seat always moves first")
            raise BadConditions(detail, Code.HANDICAP_CONFLICT, tag="Handicap")
        return replace(conditions, swap=False)
    tags = conditions.as_tags() | {"Handicap": text}
    if is_bound_to_seat(text):
        del tags["Swap"]
    return read_conditions(tags)


def is_bound_to_seat(text: str) -> bool:
    """Return True if only one seat can have the handicap: stones and the first move."""
    return bool(text) and not text.endswith("points")


def exchange_seats(text: str) -> str:
    """Return the same points for the other seat; other handicaps cannot be exchanged."""
    seat, _, rest = text.partition(" ")
    return f"{Seat(seat).other} {rest}" if seat else ""
