"""The published rating lists of a pool."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.pagination import NewestFirst
from games.core.requests import maybe_dry_run
from games.core.tables.views import BOM_PARAMETER, PAPER, TABLE_FILES
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from ratings.core.pools import find_pool
from ratings.lists.queries import RATING_FIELDS, find_row, page_as_json, place_as_json
from ratings.lists.serializers import PublishedListSerializer
from ratings.lists.services import publish_list
from ratings.lists.views import RatingFileView, RatingPages, rules_response
from ratings.models import ListedRating, PublishedList
from ratings.queries import published_lists
from ratings.runs.changes import find_rated_player
from ratings.serializers.ratings import PlaceSerializer, RatingSerializer
from ratings.views.requested import require_pool


@extend_schema_view(get=extend_schema(operation_id="published_lists"))
class PublishedLists(ValuesListView):
    """List the published rating lists of a pool, newest first."""

    queryset = PublishedList.objects.none()
    serializer_class = PublishedListSerializer
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool = find_pool(kwargs["code"])
        queryset = self.filter_queryset(published_lists.load_lists(pool))
        return self.page_response(
            queryset, lambda published: published_lists.list_as_json(pool, published)
        )

    @extend_schema(
        operation_id="publish_list", request=None, responses={201: PublishedListSerializer}
    )
    def post(self, request: Request, code: str) -> Response:
        """Publish the live list as the list of today (UTC); for the officers of the pool.

        It never changes: later runs, corrections and merges change only the live list. A day has
        one list (`list_published`). Names are those that the players have now.
        """
        pool, account = require_pool(request, code)
        require_no_members(request.data)
        with maybe_dry_run(request):
            published = publish_list(pool, now=timezone.now(), by=account)
            body = published_lists.list_as_json(pool, published)
        location = f"/api/v1/pools/{pool.code}/lists/{published.published_on}"
        return Response(body, status=201, headers={"Location": location})


class PublishedListView(ApiView):
    @extend_schema(operation_id="published_list", responses=PublishedListSerializer)
    def get(self, request: Request, code: str, published_on: str) -> Response:
        """Return a published list, without its rows."""
        pool = find_pool(code)
        published = published_lists.find_list(pool, published_on)
        return Response(published_lists.list_as_json(pool, published))


@extend_schema_view(get=extend_schema(operation_id="published_ratings"))
class PublishedRatings(ValuesListView):
    """List the ratings of a published list, best first."""

    queryset = ListedRating.objects.none()
    serializer_class = RatingSerializer
    pagination_class = RatingPages

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page, with each player's rank in the whole list."""
        pool = find_pool(kwargs["code"])
        published = published_lists.find_list(pool, kwargs["published_on"])
        terms = published_lists.published_terms(published)
        ratings = self.filter_queryset(published_lists.listed_ratings(published))
        page = self.paginate_queryset(ratings.values(*RATING_FIELDS, "rank")) or []
        rows = page_as_json(page, [row["rank"] for row in page], terms)
        return rules_response(self.get_paginated_response(rows), terms)


class PublishedPlayer(ApiView):
    @extend_schema(operation_id="published_place", responses=PlaceSerializer)
    def get(self, request: Request, code: str, published_on: str, player_id: str) -> Response:
        """Return a player's rating and rank on a published list."""
        pool = find_pool(code)
        published = published_lists.find_list(pool, published_on)
        player = find_rated_player(int(player_id))
        row = find_row(player, published_lists.listed_ratings(published), "rank")
        terms = published_lists.published_terms(published)
        return Response(place_as_json(row["rank"], row, terms))


class PublishedListFile(RatingFileView):
    @extend_schema(parameters=[BOM_PARAMETER, PAPER], responses=TABLE_FILES)
    def get(self, request: Request, code: str, published_on: str) -> HttpResponse:
        """Return a whole published list as a file, with the columns of the live list."""
        pool = find_pool(code)
        published = published_lists.find_list(pool, published_on)
        return self.list_response(
            request,
            pool,
            published_lists.listed_ratings(published),
            published_lists.published_terms(published),
            run=published.run,
            file_stem=f"{code}.{published_on}",
        )
