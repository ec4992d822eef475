"""The most handicap points that the other side can overcome.

A game has at most as many points, or stones and points, as the other side can overcome: with more,
the game would be decided before it begins.
"""

from dataclasses import replace

from games.rules.conditions import Conditions, HandicapKind
from games.rules.errors import BadConditions, Code
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text


def most_points(conditions: Conditions, weaker: Seat) -> int:
    """Return the most points for a seat that the other one can still overcome.

    `conditions` are those of the game without points. The other seat wins if its best score on the
    board, less the points, is more than half of the total. Games without a score have no points: 0.
    """
    return max((_largest_margin(conditions, weaker) - 1) // 2, 0)


def _largest_margin(conditions: Conditions, weaker: Seat) -> int:
    """Return the largest margin on the board of the seat that is not `weaker`; 0 without scores."""
    bounds = GAMES[conditions.game].start(conditions).outcome().bounds
    if bounds is None:
        return 0
    (least, _), (_, most) = bounds if weaker is Seat.FIRST else bounds[::-1]
    return most - least


def require_overcomable(conditions: Conditions) -> None:
    """Raise BadConditions for a handicap that the other seat cannot overcome, with the bound."""
    handicap = conditions.handicap
    if handicap is None or HandicapKind.POINTS not in GAMES[conditions.game].handicaps:
        return
    without_points = replace(handicap, points=0) if handicap.stones else None
    even = replace(conditions, handicap=without_points)
    most = most_points(even, handicap.seat)
    if handicap.points > most:
        detail = Text(
            "the other player could not win against %(number)s points on this board; at most "
            "%(most)s can be given",
            number=handicap.points,
            most=most,
        )
        raise BadConditions(detail, Code.HANDICAP_CONFLICT, tag="Handicap")
    if _largest_margin(even, handicap.seat) <= 0:
        detail = Text("the other player could not win against these stones")
        raise BadConditions(detail, Code.HANDICAP_CONFLICT, tag="Handicap")
