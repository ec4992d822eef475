"""The handicap of a game in an event, as text: `second 3 stones`, `first 2 points`, `first move`.

Cells of stones, and stones with points, are written as in a record. `first move` means that the
first seat moves first without the pie rule; an empty text is no handicap. Stones and the first move
exclude the pie rule, points do not change it.

A game is played with at most as many points, or stones and points, as the other side can overcome:
with more, the game is decided before it begins. Records of games that were played with more are
read all the same.
"""

from dataclasses import replace

from games.rules.conditions import Conditions, Handicap, HandicapKind
from games.rules.errors import BadConditions, Code
from games.rules.records.claims import BOTH_LOSE_TOKEN, STATED_SCORE, WIN_TOKENS
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text

FIRST_MOVE = "first move"
LONGEST_HANDICAP = 400
"""So many characters are enough for stones on a third of any board, and points."""


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


def canonical_handicap(conditions: Conditions, text: str) -> str:
    """Return a handicap of an even game's conditions as a record states it; raise BadConditions."""
    handicap = with_handicap(conditions, text).handicap
    return text if handicap is None else str(handicap)


def with_points(result: str, points: int) -> str:
    """Return a score counted on the board with handicap points for the first seat added.

    They are subtracted from the second seat's. Results without a score stay.
    """
    score = STATED_SCORE.fullmatch(result)
    if not points or not score or result in (*WIN_TOKENS, BOTH_LOSE_TOKEN):
        return result
    return f"{int(score[1]) + points}-{int(score[2]) - points}"


def points_for_first(text: str) -> int:
    """Return the points that a handicap adds to the first seat's score, negative if it takes."""
    handicap = Handicap.parse(text)
    if handicap is None:
        return 0
    return handicap.points if handicap.seat is Seat.FIRST else -handicap.points


def is_bound_to_seat(text: str) -> bool:
    """Return True if only one seat can have the handicap: one with stones, and the first move."""
    handicap = Handicap.parse(text)
    return bool(text) and (handicap is None or bool(handicap.stones))


def exchange_seats(text: str) -> str:
    """Return the same points for the other seat; other handicaps cannot be exchanged."""
    seat, _, rest = text.partition(" ")
    return f"{Seat(seat).other} {rest}" if seat else ""


def most_points(conditions: Conditions, weaker: Seat) -> int:
    """Return the most points for a seat that the other one can still overcome.

    `conditions` are those of the game without points. The other seat wins if its best score on the
    board, less the points, is more than half of the total. Games without a score have no points: 0.
    """
    return max((_largest_margin(conditions, weaker) - 1) // 2, 0)


def least_to_win(conditions: Conditions) -> tuple[int, int] | None:
    """Return the least score, as counted on the board, with which each seat wins; None without.

    A handicap of points changes it by them.
    """
    bounds = GAMES[conditions.game].start(conditions).outcome().bounds
    if bounds is None:
        return None
    (least, _), (_, most_of_second) = bounds
    more_than_half = (least + most_of_second) // 2 + 1
    points = conditions.points_for_first
    return more_than_half - points, more_than_half + points


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
