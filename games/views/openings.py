"""What a request asks about the beginnings of games: the start, the first turns, a pattern."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.pagination import requested_number
from games.core.requests import is_flag_set, requested_choice
from games.rules.conditions import Conditions
from games.rules.errors import BadConditions, RecordError
from games.rules.patterns import (
    LONGEST_PATTERN,
    Pattern,
    images_of,
    parse_pattern,
    with_empty_neighbours,
)
from games.rules.position import Position
from games.rules.records.prefixes import (
    MOST_OPENING_PLIES,
    CanonicalOpening,
    canonical_opening,
    start_of,
)
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.tags import MOST_HANDICAP_STONES
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.symmetries import find_symmetries
from games.rules.text import Text

EXACT_CHOICES: Final = ("", "region")
"""What else a pattern says: nothing, or that the other cells next to its stones are empty."""

START_PARAMETERS: Final = [
    OpenApiParameter("game", required=True, description="the code of the game, as `star-star`"),
    OpenApiParameter("board", required=True, description="as in a record"),
    OpenApiParameter("options", description="the game's options, separated by spaces"),
    OpenApiParameter(
        "swap", enum=["yes", "no"], description="whether the pie rule can be used; default: usual"
    ),
    OpenApiParameter(
        "handicap_stones", int, description="of the second seat, before the first turn; default: 0"
    ),
    OpenApiParameter(
        "moves",
        description="the first turns as in a record, separated by spaces; at most "
        f"{MOST_OPENING_PLIES}",
    ),
]
PATTERN_PARAMETERS: Final = [
    OpenApiParameter(
        "stones", description="a pattern instead of `moves`: `first:S20,T10;second:A10;empty:A20`"
    ),
    OpenApiParameter(
        "exact",
        enum=list(EXACT_CHOICES),
        description="`region`: the other cells next to the stones of the pattern are empty",
    ),
    OpenApiParameter("exchange", bool, description="also find it with the colours exchanged"),
]


@dataclass(frozen=True, slots=True)
class RequestedOpening:
    """The first turns of a game as a request names them, and their canonical form."""

    conditions: Conditions
    turns: tuple[str, ...]
    position: Position
    opening: CanonicalOpening

    @property
    def key(self) -> int:
        """The key of these turns in the index."""
        return self.opening.keys[-1]

    @property
    def mover(self) -> Seat:
        """The seat that moves next."""
        return self.position.to_move


@dataclass(frozen=True, slots=True)
class RequestedPattern:
    """A pattern of stones of a start, with all its images."""

    start: Position
    key: int
    images: Sequence[Pattern]


def requested_opening(request: Request, *, with_moves: bool = True) -> RequestedOpening:
    """Return the first turns that a request names, by default none.

    Raises Unprocessable with the ply, the cell and the code of the referee.
    """
    params = request.query_params
    words = params.get("moves", "").split() if with_moves else []
    if len(words) > MOST_OPENING_PLIES:
        detail = Text(
            "moves has %(count)s turns; the index contains the first %(most)s",
            count=len(words),
            most=MOST_OPENING_PLIES,
        )
        raise Unprocessable("too_long", detail, at="/moves", most=MOST_OPENING_PLIES)
    stones = requested_number(request, "handicap_stones", 0, least=0)
    if stones > MOST_HANDICAP_STONES:
        detail = Text("there are at most %(most)s handicap stones", most=MOST_HANDICAP_STONES)
        raise Unprocessable("handicap_conflict", detail, at="/handicap_stones")
    swap = requested_choice(request, "swap", ["yes", "no"]) if params.get("swap") else None
    try:
        rules = find_game(params.get("game", ""))
        record = Record.from_json(
            {
                "game": rules.code,
                "board": rules.canonical_board(params.get("board", "")),
                "options": params.get("options", "").split(),
                "swap": None if swap is None else swap == "yes",
                "handicap": {"seat": "second", "stones": stones} if stones else None,
                "moves": words,
            }
        )
        conditions = start_of(record.conditions)
        position = play_turns(rules.start(conditions), record.moves)
    except RecordError as error:
        raise rejected(error, "/moves") from None
    opening = canonical_opening(conditions, record.moves)
    return RequestedOpening(conditions, tuple(record.moves), position, opening)


def requested_pattern(request: Request) -> RequestedPattern | None:
    """Return the pattern that a request names, None if it names none; raises Unprocessable."""
    params = request.query_params
    text = params.get("stones", "")
    exact = requested_choice(request, "exact", EXACT_CHOICES)
    if not text:
        return None
    if params.get("moves"):
        detail = Text("search either for the first turns or for a pattern, not for both")
        raise Unprocessable("one_search", detail, at="/stones")
    if len(text) > LONGEST_PATTERN:
        detail = Text("a pattern has at most %(most)s characters", most=LONGEST_PATTERN)
        raise Unprocessable("too_long", detail, at="/stones")
    requested = requested_opening(request)
    rules, start = find_game(requested.conditions.game), requested.position
    try:
        pattern = parse_pattern(text, start.board, rules.canonical)
    except RecordError as error:
        raise rejected(error, "/stones") from None
    if exact == "region":
        pattern = with_empty_neighbours(pattern, start.board)
    symmetries = find_symmetries(requested.conditions)
    images = images_of(pattern, symmetries, exchange=is_flag_set(request, "exchange"))
    return RequestedPattern(start, requested.key, images)


def rejected(error: RecordError, pointer: str) -> Unprocessable:
    """Return the problem of an error of the referee."""
    if isinstance(error, BadConditions):
        pointer = f"/{error.tag.lower()}".replace("/handicap", "/handicap_stones")
    return Unprocessable(error.code, error.detail, [{"pointer": pointer, **error.as_json()}])
