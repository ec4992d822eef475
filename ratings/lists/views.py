"""The rating list of a pool, live and published, and the ratings of one player."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.filters import LARGEST_ID
from games.core.pagination import CursorPages, NewestFirst
from games.core.preconditions import content_tag
from games.core.requests import is_flag_set, only_in, requested_choice, whole_number
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import NdjsonRenderer
from games.core.tables.pdf import PAPER_SIZES, PdfRenderer
from games.core.tables.views import (
    BOM_PARAMETER,
    PAPER,
    TableListView,
    fields_parameter,
    with_chosen_fields,
)
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import chosen, described, list_of
from games.core.views import ApiView, ValuesListView, endpoint
from games.players.queries import named_player
from ratings.core.pools import ActionInPool, find_pool
from ratings.lists.queries import (
    LISTED_FIELDS,
    RATING_FIELDS,
    RULES,
    Listed,
    ListTerms,
    PoolRating,
    PublishedRatingList,
    RatingPlace,
    RatingRow,
    find_list,
    find_rank,
    find_ranks,
    find_row,
    list_as_json,
    list_rules,
    listed_ratings,
    live_list,
    load_lists,
    page_as_json,
    place_as_json,
    player_ratings_as_json,
    published_terms,
)
from ratings.lists.services import publish_list
from ratings.lists.tables import rating_list_document, rating_list_frame
from ratings.models import Pool, Run
from ratings.runs.changes import find_rated_player

WITH_PROVISIONAL = "include players with fewer than ten games"
WITH_INACTIVE = "include players without a game for twelve months"
INCLUDED = [
    OpenApiParameter("provisional", bool, description=WITH_PROVISIONAL),
    OpenApiParameter("inactive", bool, description=WITH_INACTIVE),
]

PLAYER = only_in(
    OpenApiParameter(
        "player", whole_number(1, LARGEST_ID), description="the id of a player: only their row"
    ),
    "json",
)
FIELDS = fields_parameter(RatingRow)


class RatingPages(CursorPages):
    """Pages of a rating list, best first, with the rules of the list."""

    ordering = ("-rating", "player_id")

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page."""
        page = super().get_paginated_response_schema(schema)
        names = list(list_rules())
        rules = {
            "type": "object",
            "description": RULES,
            "required": names,
            "properties": {name: {"type": "string"} for name in names},
        }
        properties = {**page["properties"], "rules": rules}
        return {**page, "required": [*page["required"], "rules"], "properties": properties}


def of_player(request: Request, ratings: Listed) -> Listed:
    """Return the rows of the player that the request names, all if it names none."""
    number = request.query_params.get(PLAYER.name)
    return ratings.filter(player=named_player(int(number))) if number else ratings


def requested_players(request: Request) -> dict[str, bool]:
    """Return whom the request includes in the list."""
    return {each.name: is_flag_set(request, each.name) for each in INCLUDED}


class RatingListView(TableListView):
    """A rating list, in pages or as a file with a row for each player."""

    public_read = "site"
    serializer_class = described(chosen(RatingRow))
    pagination_class = RatingPages
    renderer_classes = [
        JSONRenderer,
        CsvRenderer,
        XlsxRenderer,
        NdjsonRenderer,
        HtmlRenderer,
        PdfRenderer,
    ]

    def page_response(
        self, page: Sequence[dict[str, Any]], ranks: Iterable[int], terms: ListTerms
    ) -> Response:
        """Return a page of a list with the rules of the list."""
        rows = with_chosen_fields(self.request, page_as_json(page, ranks, terms))
        response = self.get_paginated_response(rows)
        response.data["rules"] = terms.rules
        return response

    def list_response(
        self,
        request: Request,
        pool: Pool,
        ratings: Listed,
        terms: ListTerms,
        *,
        run: Run | None,
        file_stem: str,
    ) -> HttpResponse:
        """Return a list as a file; the sheet names the run that computed it."""
        is_printed = self.renderer.shows_notes
        paper = requested_choice(request, "paper", PAPER_SIZES)
        with self.language:
            document = rating_list_document(
                pool, ratings, terms, file_stem=file_stem, is_printed=is_printed
            )
            frame = rating_list_frame(pool, run, paper, timezone.now())
            return self.render_table(document, frame=frame)


class RatingList(RatingListView):
    """List the ratings of a pool, best first, without provisional and inactive players.

    The files have all rows. CSV columns: `rank,player,name,country,rating,low,high,games`, where
    `low` and `high` are the interval, empty where there is none; an apostrophe precedes a name that
    a spreadsheet would run as a formula. HTML and PDF contain at most the best 1,000 players, and
    the rules of the list.
    """

    parameters = (*INCLUDED, PLAYER, FIELDS, BOM_PARAMETER, PAPER)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page, with each player's rank in the whole list."""
        pool = find_pool(kwargs["code"])
        live = live_list(pool, **requested_players(request))
        ratings = of_player(request, live.ratings)
        page = self.paginate_queryset(ratings.values(*RATING_FIELDS)) or []
        return self.page_response(page, find_ranks(live, page), live.terms)

    def file(self, request: Request, code: str) -> HttpResponse:
        """Return the whole list."""
        pool = find_pool(code)
        live = live_list(pool, **requested_players(request))
        run = pool.current_run
        return self.list_response(request, pool, live.ratings, live.terms, run=run, file_stem=code)


class ListedPlayer(ApiView):
    @extend_schema(responses=described(RatingPlace))
    def get(self, request: Request, code: str, player_id: int) -> Response:
        """Return a player's rating and rank on the list of a pool.

        The rank is null for a provisional or inactive player, who is not on the list.
        """
        live = live_list(find_pool(code))
        player = find_rated_player(player_id)
        row = find_row(player, live.pool.ratings.all(), RATING_FIELDS)
        is_listed = live.ratings.filter(player=player).exists()
        rank = find_rank(live, row["rating"]) if is_listed else None
        return Response(place_as_json(rank, row, live.terms))


class PlayerRatings(ApiView):
    @extend_schema(operation_id="list_player_ratings", responses=list_of(PoolRating))
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player's rating in each pool, provisional or not.

        Ratings that no list shows, because they are provisional or inactive, are there, too. A
        player without a rated game has none; for a merged player these are the ratings of the one
        they were merged into.
        """
        rows = player_ratings_as_json(find_rated_player(player_id).pk)
        return Response({"next": None, "previous": None, "results": rows})


class PublishList(ActionInPool):
    """Publish the live list as the list of today (UTC); for the officers of the pool.

    It never changes: later runs, corrections and merges change only the live list. A day has
    one list (`list_published`). Names are those that the players have now.
    """

    name = "publish_list"
    status = 201
    location = "pools/{code}/lists/{published_on}"
    done = gettext_noop("The list of today is published.")

    def perform(self, call: Call, prepared: Pool) -> PublishedRatingList:
        published = publish_list(prepared, now=timezone.now(), by=call.account)
        return list_as_json(prepared, published)

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag(content)


@extend_schema_view(get=extend_schema(operation_id="list_published_lists"))
class PublishedLists(ValuesListView):
    """List the published rating lists of a pool, newest first.

    Anyone may read it. A day has at most one list, and `lists/{published_on}/ratings` has its rows.
    """

    public_read = "site"
    serializer_class = described(PublishedRatingList)
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pool = find_pool(kwargs["code"])
        queryset = self.filter_queryset(load_lists(pool))
        page = self.paginate_queryset(queryset) or []
        return self.get_paginated_response([list_as_json(pool, each) for each in page])

    post = endpoint(PublishList)


class PublishedListView(ApiView):
    @extend_schema(operation_id="get_published_list", responses=described(PublishedRatingList))
    def get(self, request: Request, code: str, published_on: str) -> Response:
        """Return a published list, without its rows.

        It never changes. The rows are in `lists/{published_on}/ratings`.
        """
        pool = find_pool(code)
        published = find_list(pool, published_on)
        return Response(list_as_json(pool, published))


@extend_schema_view(get=extend_schema(operation_id="list_published_ratings"))
class PublishedRatings(RatingListView):
    """List the ratings of a published list, best first; the files are like those of the pool.

    Ranks and ratings are those of its day: later runs, corrections and merges change nothing. Names
    are those that the players have now.
    """

    parameters = (PLAYER, FIELDS, BOM_PARAMETER, PAPER)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page, with each player's rank in the whole list."""
        pool = find_pool(kwargs["code"])
        published = find_list(pool, kwargs["published_on"])
        terms = published_terms(published)
        ratings = of_player(request, listed_ratings(published))
        page = self.paginate_queryset(ratings.values(*LISTED_FIELDS)) or []
        return self.page_response(page, [row["rank"] for row in page], terms)

    def file(self, request: Request, code: str, published_on: str) -> HttpResponse:
        """Return the whole list."""
        pool = find_pool(code)
        published = find_list(pool, published_on)
        return self.list_response(
            request,
            pool,
            listed_ratings(published),
            published_terms(published),
            run=published.run,
            file_stem=f"{code}.{published_on}",
        )


class PublishedPlayer(ApiView):
    @extend_schema(operation_id="get_published_rating", responses=described(RatingPlace))
    def get(self, request: Request, code: str, published_on: str, player_id: int) -> Response:
        """Return a player's rating and rank on a published list.

        404 if the player is not on that list, also if they have a rating now.
        """
        pool = find_pool(code)
        published = find_list(pool, published_on)
        player = find_rated_player(player_id)
        row = find_row(player, listed_ratings(published), LISTED_FIELDS)
        terms = published_terms(published)
        return Response(place_as_json(row["rank"], row, terms))
