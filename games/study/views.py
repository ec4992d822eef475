"""Search games by how they begin or by a pattern of stones; the turns that follow an opening."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import django_filters
from django.db.models import Q
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.decimals import estimate, rating_number
from games.core.errors import Unprocessable, invalid_parameter
from games.core.filters import MOST_VALUES, WholeNumberFilter
from games.core.pagination import CursorPages, wrong_cursor
from games.core.requests import is_flag_set, requested_choice, requested_number, whole_number
from games.core.serializers import RULESET
from games.core.types import described
from games.core.views import ApiView, ValuesListView
from games.models import Game
from games.play.diagrams import BOARD_PARAMETER
from games.play.outcomes import MEMBERS
from games.play.queries import GAME_FIELDS, game_as_json, visible_games
from games.play.views import PlayedFilter
from games.rules.conditions import Conditions
from games.rules.errors import BadConditions, RecordError
from games.rules.patterns import (
    EMPTY_PART,
    LONGEST_PATTERN,
    PARTS,
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
from games.rules.registry import GAMES, find_game
from games.rules.seat import Seat
from games.rules.symmetries import find_symmetries
from games.rules.text import Text
from games.study import types
from games.study.queries import (
    Continuation,
    load_continuations,
    ratings_as_json,
    search_pattern,
    with_opening,
)

EXACT_CHOICES: Final = ("", "region")
"""What else a pattern says: nothing, or that the other cells next to its stones are empty."""

START_PARAMETERS: Final = [
    OpenApiParameter("ruleset", required=True, enum=list(GAMES), description=RULESET),
    BOARD_PARAMETER,
    OpenApiParameter("options", many=True, explode=False, description="the game's options"),
    OpenApiParameter("swap", bool, description="whether the pie rule can be used; default: usual"),
    OpenApiParameter(
        "handicap_stones",
        whole_number(0, MOST_HANDICAP_STONES, default=0),
        description="the number of stones of the second seat before the first turn",
    ),
    OpenApiParameter(
        "handicap_cells",
        many=True,
        explode=False,
        description="the cells of these stones, if they are not the usual ones",
    ),
    OpenApiParameter(
        "moves",
        description="the first turns as in a record, separated by spaces; at most "
        f"{MOST_OPENING_PLIES}",
    ),
]
PATTERN_PARAMETERS: Final = [
    *(
        OpenApiParameter(f"{part}_cells", many=True, explode=False, description=text)
        for part, text in {
            Seat.FIRST.value: "of a pattern, not with `moves`: the cells of the first seat's",
            Seat.SECOND.value: "of a pattern: the cells of the second seat's stones",
            EMPTY_PART: "of a pattern: cells without a stone",
        }.items()
    ),
    OpenApiParameter(
        "exact",
        enum=list(EXACT_CHOICES[1:]),
        description="`region`: the other cells next to the stones of the pattern are empty",
    ),
    OpenApiParameter("exchange", bool, description="also find it with the colours exchanged"),
]

LISTS: Final = frozenset({"options", "handicap_cells", *(f"{part}_cells" for part in PARTS)})
"""The parameters that have several values."""


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
        raise invalid_parameter("moves", detail)
    stones = requested_stones(request)
    swap = is_flag_set(request, "swap") if params.get("swap") else None
    try:
        rules = find_game(params.get("ruleset", ""))
        record = Record.from_json(
            {
                "game": rules.code,
                "board": rules.canonical_board(params.get("board_size", "")),
                "options": words_of(request, "options"),
                "swap": swap,
                "handicap": {"seat": "second", "stones": stones} if stones else None,
                "moves": words,
            }
        )
        conditions = start_of(record.conditions)
        position = play_turns(rules.start(conditions), record.moves)
    except RecordError as error:
        raise rejected(error, "moves") from None
    opening = canonical_opening(conditions, record.moves)
    return RequestedOpening(conditions, tuple(record.moves), position, opening)


def words_of(request: Request, name: str) -> list[str]:
    """Return the values of a parameter, which is given several times, or has commas.

    Raises Unprocessable for too many.
    """
    texts = request.query_params.getlist(name)
    found = [word for text in texts for word in text.replace(",", " ").split()]
    if len(found) > MOST_VALUES:
        detail = Text("there are at most %(most)s values", most=MOST_VALUES)
        raise invalid_parameter(name, detail)
    return found


def list_checks(request: Request) -> list[Callable[[], object]]:
    """Return the checks of the parameters that have several values."""
    return [partial(words_of, request, name) for name in sorted(LISTS)]


def requested_stones(request: Request) -> int | list[str]:
    """Return the handicap stones that a request names, by number or by cells."""
    return words_of(request, "handicap_cells") or requested_number(
        request, "handicap_stones", 0, least=0, most=MOST_HANDICAP_STONES
    )


def pattern_text(request: Request) -> str:
    """Return the pattern whose parts are the parameters of a request; empty without one."""
    parts = {part: words_of(request, f"{part}_cells") for part in PARTS}
    return ";".join(f"{part}:{','.join(cells)}" for part, cells in parts.items() if cells)


def part_with(request: Request, cell: str = "") -> str:
    """Return the last parameter of a pattern with a cell; a page has one for the whole pattern."""
    named = {f"{part}_cells": words_of(request, f"{part}_cells") for part in PARTS}
    found = [part for part, cells in named.items() if cell in cells or (cells and not cell)]
    return found[-1] if found else "stones"


def requested_pattern(request: Request, text: str) -> RequestedPattern | None:
    """Return a pattern of the start that a request names; None for an empty text.

    Raises Unprocessable.
    """
    params = request.query_params
    exact = requested_choice(request, "exact", EXACT_CHOICES)
    if not text:
        return None
    if params.get("moves"):
        detail = Text("search either for the first turns or for a pattern, not for both")
        raise Unprocessable("one_search", detail, parameter="moves")
    if len(text) > LONGEST_PATTERN:
        detail = Text("a pattern has at most %(most)s characters", most=LONGEST_PATTERN)
        raise invalid_parameter(part_with(request), detail)
    requested = requested_opening(request)
    rules, start = find_game(requested.conditions.game), requested.position
    try:
        pattern = parse_pattern(text, start.board, rules.canonical)
    except RecordError as error:
        raise rejected(error, part_with(request, error.cell or "")) from None
    if exact == "region":
        pattern = with_empty_neighbours(pattern, start.board)
    symmetries = find_symmetries(requested.conditions)
    images = images_of(pattern, symmetries, exchange=is_flag_set(request, "exchange"))
    return RequestedPattern(start, requested.key, images)


def rejected(error: RecordError, parameter: str) -> Unprocessable:
    """Return the problem of an error of the referee, in this parameter or in the conditions."""
    if isinstance(error, BadConditions):
        names = MEMBERS | {"Handicap": "handicap_stones"}
        name = names.get(error.tag, error.tag.lower())
        return invalid_parameter(name, error.detail, error.valid)
    errors = [{"parameter": parameter, **error.as_json()}]
    return Unprocessable(error.code, error.detail, errors, parameter=parameter)


LARGEST_PAGE, PAGE_SIZE = 100, 20
HIGHEST_SEARCHED_RATING = 100_000
WINNERS: Final[dict[str, dict[str, Any]]] = {
    "first": {"winner": "first"},
    "second": {"winner": "second"},
    "draw": {"draw": True},
}


class SearchFilter(PlayedFilter):
    """The filters of a search, besides the start."""

    min_rating = WholeNumberFilter(
        method="filter_rating",
        min_value=0,
        max_value=HIGHEST_SEARCHED_RATING,
        label="the least rating of both players when they were paired",
    )
    winner = django_filters.ChoiceFilter(
        method="filter_winner",
        choices=[(name, name) for name in WINNERS],
        label="the seat that won, or `draw`",
    )

    def filter_rating(self, games: Any, _name: str, value: int) -> Any:
        """Return the games of two players with this rating."""
        least = value * 1000
        return games.filter(first_rating__gte=least, second_rating__gte=least)

    def filter_winner(self, games: Any, _name: str, value: str) -> Any:
        """Return the games that this seat won, or nobody."""
        return games.filter(**WINNERS[value])


class SearchPages(CursorPages):
    page_size, max_page_size = PAGE_SIZE, LARGEST_PAGE
    ordering = ("-turn__game_id",)

    def requested_game(self, request: Request) -> int | None:
        """Return the id of the game after which a page begins, None for the first page."""
        edge, is_backward = self.requested_edge(request)
        if edge and (is_backward or not isinstance(edge[0], int)):
            raise wrong_cursor(request)
        return edge[0] if edge else None

    def rows_beyond(self, edge: Sequence[Any], *, is_backward: bool) -> Q:
        """Return the condition of the rows beyond a game, in both tables: each has an index."""
        comparison = "gt" if is_backward else "lt"
        beyond = super().rows_beyond(edge, is_backward=is_backward)
        return beyond & Q(**{f"id__{comparison}": edge[0]})


@extend_schema_view(get=extend_schema(operation_id="search_games"))
class GameSearch(ValuesListView):
    """Confirmed games with a record, newest first, that begin with `moves` or contain a pattern.

    Both are found in every orientation: mapped by any symmetry of the board that keeps the start. A
    pattern is found wherever it is on the board after some ply; each search examines a limited
    number of games, so that a page of it can be shorter than `limit`, even empty, while `next`
    leads to more. New games are found within a minute or two.
    """

    queryset = Game.objects.none()
    serializer_class = described(types.FoundGame)
    filterset_class = SearchFilter
    pagination_class = SearchPages
    parameters = (*START_PARAMETERS, *PATTERN_PARAMETERS)
    repeatable = LISTS

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks of the parameters, also of their lists."""
        return [*super().checks_of_query(request), *list_checks(request)]

    def get_queryset(self) -> Any:
        games = visible_games(self.request)
        return games.values(*GAME_FIELDS, "first_rating", "second_rating")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pattern = requested_pattern(request, pattern_text(request))
        rows = self.filter_queryset(self.get_queryset())
        if pattern is not None:
            return pattern_page(request, rows, pattern)
        requested = requested_opening(request)
        found = with_opening(rows, requested.key).values(
            *GAME_FIELDS, "first_rating", "second_rating", "turn__game_id"
        )
        ply = len(requested.turns)
        page = self.paginate_queryset(found) or []
        return self.get_paginated_response([found_as_json(row, ply) for row in page])


class NextMoves(ApiView):
    parameters = START_PARAMETERS
    repeatable = LISTS

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks of the parameters, also of their lists."""
        return [*super().checks_of_query(request), *list_checks(request)]

    @extend_schema(responses=described(types.NextMoves))
    def get(self, request: Request) -> Response:
        """Return the turns that follow some first turns in public games, the most frequent first.

        Turns that are the same up to a symmetry are counted together. New games are counted within
        a minute or two.
        """
        return Response(next_moves_as_json(requested_opening(request)))


def next_moves_as_json(requested: RequestedOpening) -> types.NextMoves:
    """Return the turns that follow an opening as JSON."""
    rows = load_continuations(requested.key, requested.mover)
    return {
        "moves": list(requested.turns),
        "to_move": requested.mover,
        "games": sum(row.games for row in rows),
        "ended": sum(row.games for row in rows if not row.move),
        "rows": [continuation_as_json(row, requested.opening) for row in rows if row.move],
    }


def continuation_as_json(row: Continuation, opening: CanonicalOpening) -> types.Continuation:
    """Return a turn in the orientation of the request, with its counts."""
    equal = opening.equal_turns(row.move)
    return {
        "move": equal[0],
        "equal": equal,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "share": estimate((2 * row.wins + row.draws) / (2 * row.games)),
        "rating": None if row.rating is None else rating_number(round(row.rating)),
        "last_played_on": row.last_played_on,
    }


def found_as_json(row: dict[str, Any], ply: int) -> types.FoundGame:
    """Return a found game as JSON."""
    return {**game_as_json(row), **ratings_as_json(row), "ply": ply}


def pattern_page(request: Request, rows: Any, pattern: RequestedPattern) -> Response:
    """Return a page of the games with a pattern; raises NotFound for a wrong cursor."""
    pages = SearchPages()
    columns = (*GAME_FIELDS, "first_rating", "second_rating", "record__record")
    found = search_pattern(
        rows.values(*columns),
        pattern.key,
        pattern.start,
        pattern.images,
        before=pages.requested_game(request),
        limit=pages.requested_limit(request),
    )
    address = None if found.examined_to is None else pages.link([found.examined_to])
    body = {
        "next": address,
        "previous": None,
        "results": [found_as_json(row, ply) for row, ply in found.games],
    }
    return Response(body, headers={"Link": f'<{address}>; rel="next"'} if address else None)
