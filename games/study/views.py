"""Search games by how they begin or by a pattern of stones; the turns that follow an opening."""

from collections.abc import Sequence
from typing import Any, Final

import django_filters
from django.db.models import Q
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games import queries
from games.core.errors import Unprocessable
from games.core.pagination import CursorPages, requested_after, requested_number
from games.core.requests import viewer
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Game
from games.queries.openings import (
    Continuation,
    in_thousandths,
    load_continuations,
    ratings_as_json,
    with_opening,
)
from games.rules.records.prefixes import CanonicalOpening
from games.rules.text import Text
from games.study.queries import search_pattern
from games.study.serializers import FoundGameSerializer, NextMovesSerializer
from games.views.games import GameFilter
from games.views.openings import (
    PATTERN_PARAMETERS,
    START_PARAMETERS,
    RequestedOpening,
    RequestedPattern,
    requested_opening,
    requested_pattern,
)

LARGEST_PAGE, PAGE_SIZE = 100, 20
HIGHEST_SEARCHED_RATING = 100_000
RESULT_FILTERS: Final[dict[str, dict[str, Any]]] = {
    "first": {"winner": "first"},
    "second": {"winner": "second"},
    "draw": {"draw": True},
}
SEARCH_PARAMETERS = [*START_PARAMETERS, *PATTERN_PARAMETERS]


class SearchFilter(GameFilter):
    """The filters of a search, besides the start."""

    min_rating = django_filters.NumberFilter(
        method="filter_rating",
        min_value=0,
        max_value=HIGHEST_SEARCHED_RATING,
        label="the least rating of both players when they were paired",
    )
    result = django_filters.ChoiceFilter(
        method="filter_result",
        choices=[(name, name) for name in RESULT_FILTERS],
        label="the seat that won, or `draw`",
    )
    since = django_filters.DateFilter(
        field_name="played_on", lookup_expr="gte", label="the first day, as 2026-05-01"
    )

    class Meta:
        model = Game
        fields = ["stream", "event", "round", "rated", "pool"]

    def filter_rating(self, games: Any, _name: str, value: Any) -> Any:
        """Return the games of two players with this rating."""
        least = int(value * 1000)
        return games.filter(first_rating__gte=least, second_rating__gte=least)

    def filter_result(self, games: Any, _name: str, value: str) -> Any:
        """Return the games with this result."""
        return games.filter(**RESULT_FILTERS[value])


class SearchPages(CursorPages):
    page_size, max_page_size = PAGE_SIZE, LARGEST_PAGE
    ordering = ("-turn__game_id",)

    def _rows_beyond(self, values: Sequence[int], is_backward: bool) -> Q:
        """Return the condition of the rows beyond a game, in both tables: each has an index."""
        comparison = "gt" if is_backward else "lt"
        beyond: Q = super()._rows_beyond(values, is_backward)
        return beyond & Q(**{f"id__{comparison}": values[0]})


@extend_schema_view(get=extend_schema(operation_id="search_games", parameters=SEARCH_PARAMETERS))
class GameSearch(ValuesListView):
    """Confirmed games with a record, newest first, that begin with `moves` or contain `stones`.

    Both are found in every orientation: mapped by any symmetry of the board that keeps the start. A
    pattern is found wherever it is on the board after some ply; each search examines a limited
    number of games, so that a page of it can be shorter than `limit`, even empty, while `next`
    leads to more. New games are found within a minute or two.
    """

    queryset = Game.objects.none()
    serializer_class = FoundGameSerializer
    filterset_class = SearchFilter
    pagination_class = SearchPages
    own_parameters = frozenset(parameter.name for parameter in SEARCH_PARAMETERS)

    def get_queryset(self) -> Any:
        games = queries.visible_games(*viewer(self.request, "game.see"))
        return games.values(*queries.GAME_FIELDS, "first_rating", "second_rating")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pattern = requested_pattern(request)
        rows = self.filter_queryset(self.get_queryset())
        if pattern is not None:
            return pattern_page(request, rows, pattern)
        requested = requested_opening(request)
        found = with_opening(rows, requested.key).values(
            *queries.GAME_FIELDS, "first_rating", "second_rating", "turn__game_id"
        )
        ply = len(requested.turns)
        return self.page_response(found, lambda row: found_as_json(row, ply))


class NextMoves(ApiView):
    @extend_schema(
        operation_id="next_moves", parameters=START_PARAMETERS, responses=NextMovesSerializer
    )
    def get(self, request: Request) -> Response:
        """Return the turns that follow some first turns in public games, the most frequent first.

        Turns that are the same up to a symmetry are counted together. New games are counted within
        a minute or two.
        """
        known = {parameter.name for parameter in START_PARAMETERS}
        if unknown := sorted(set(request.query_params) - known):
            detail = Text(
                "%(name)s is not a parameter; valid are: %(names)s",
                name=f"{unknown[0][:40]!r}",
                names=", ".join(sorted(known)),
            )
            raise Unprocessable("unknown_parameter", detail, valid=sorted(known))
        return Response(next_moves_as_json(requested_opening(request)))


def next_moves_as_json(requested: RequestedOpening) -> dict[str, Any]:
    """Return the turns that follow an opening as JSON."""
    rows = load_continuations(requested.key, requested.mover)
    return {
        "moves": list(requested.turns),
        "to_move": requested.mover.value,
        "games": sum(row.games for row in rows),
        "ended": sum(row.games for row in rows if not row.move),
        "results": [continuation_as_json(row, requested.opening) for row in rows if row.move],
    }


def continuation_as_json(row: Continuation, opening: CanonicalOpening) -> dict[str, Any]:
    """Return a turn in the orientation of the request, with its counts."""
    equal = opening.equal_turns(row.move)
    return {
        "move": equal[0],
        "equal": equal,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "share": in_thousandths((2 * row.wins + row.draws) * 500 // row.games),
        "rating": None if row.rating is None else in_thousandths(round(row.rating)),
        "last_played_on": row.last_played_on,
    }


def found_as_json(row: dict[str, Any], ply: int) -> dict[str, Any]:
    """Return a found game as JSON."""
    return {
        **queries.game_as_json(row),
        "ratings": ratings_as_json(row),
        "ply": ply,
    }


def pattern_page(request: Request, rows: Any, pattern: RequestedPattern) -> Response:
    """Return a page of the games with a pattern; raises NotFound for a wrong cursor."""
    limit = min(requested_number(request, "limit", PAGE_SIZE, least=1), LARGEST_PAGE)
    before = requested_after(request)
    columns = (*queries.GAME_FIELDS, "first_rating", "second_rating", "record__record")
    found = search_pattern(
        rows.values(*columns),
        pattern.key,
        pattern.start,
        pattern.images,
        before=before,
        limit=limit,
    )
    address = None
    if found.examined_to is not None:
        uri = request.build_absolute_uri()
        address = str(replace_query_param(uri, "cursor", f"after_{found.examined_to}"))
    body = {
        "next": address,
        "previous": None,
        "results": [found_as_json(row, ply) for row, ply in found.games],
    }
    return Response(body, headers={"Link": f'<{address}>; rel="next"'} if address else None)
