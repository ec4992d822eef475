"""The recommended handicap of two players, and the tables of the values of handicaps."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import check_all
from games.core.pagination import CursorPages
from games.core.permissions import require_account
from games.core.types import described
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account
from games.models.streams import POOL_STREAM
from ratings.core.conditions import (
    TABLE_VALUES,
    HandicapTableVersion,
    load_table,
    load_versions,
    table_as_json,
    tables_as_json,
)
from ratings.core.pools import named_pool, requested_pool
from ratings.handicaps.queries import (
    HandicapRecommendation,
    make_catalogue,
    recommend_handicap,
    require_board,
)
from ratings.handicaps.serializers import HandicapParamsSerializer, NewTableSerializer
from ratings.handicaps.services import add_table
from ratings.models import Pool


class VersionPages(CursorPages):
    """Pages of the versions of the table, the first of which is in no table of the database."""

    def read_from(
        self, queryset: Any, edge: Sequence[Any], most: int, *, is_backward: bool
    ) -> list[Any]:
        """Return the versions beyond the edge of a page; all are read, since there are few."""
        versions = load_versions()
        is_descending = (self.ordering == ("-id",)) != is_backward
        if is_descending:
            versions.reverse()
        for number in edge:
            versions = [
                found
                for found in versions
                if (found.pk < number if is_descending else found.pk > number)
            ]
        return versions[:most]


class RecommendHandicap(ApiView):
    parameters = (HandicapParamsSerializer,)

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return none: `get` checks the parameters together with the pool and the board."""
        return []

    @extend_schema(operation_id="recommend_handicap", responses=described(HandicapRecommendation))
    def get(self, request: Request) -> Response:
        """Recommend a handicap for two players by their ratings in a pool.

        It is the one whose value is nearest to the difference of the ratings. Stones and the first
        move decide who sits where; points are for the seat of the weaker player.
        """
        query = request.query_params
        *_, params, found, _ = check_all(
            *super().checks_of_query(request),
            lambda: "pool" in query and requested_pool(request),
            partial(require_board, query.get("ruleset"), query.get("board_size")),
        )
        _, first, second = (
            params.pop(name) for name in ("pool", "first_player_id", "second_player_id")
        )
        catalogue = make_catalogue(found, **params)
        return Response(recommend_handicap(found, first, second, catalogue))


class AddTable(Action):
    """Add a version of the values of handicaps; for the rating officers of a pool.

    It changes nothing until a person activates it for a pool (`PATCH pools/{code}`), or for a
    tournament before its start.
    """

    name = "add_handicap_table"
    permission = "pool.edit"
    body = NewTableSerializer
    example = {
        "pool": "star",
        "reason": "games of the last year",
        "rows": [
            {
                "ruleset": "star-star",
                "board_size": "10",
                "first_move": 40,
                "first_stone": 120,
                "further_stone": 90,
                "point": 8,
            }
        ],
    }
    status = 201
    made = ("version",)
    done = gettext_noop("The version is added. It changes nothing until you make it active.")

    def check(self, call: Call, found: None) -> None:
        """Leave this to `read`: the permission depends on the pool in the body."""

    def read(self, call: Call, found: None, content: Any) -> Any:
        """Require the permission in the pool of the body, which an account must name."""
        code = str(content.get("pool", "")) if isinstance(content, dict) else ""
        if code or not isinstance(call.user, Account):
            require_account(call, self.permission, stream=f"{POOL_STREAM}{code}")
        return super().read(call, found, content)

    def prepare(self, call: Call, found: None) -> Pool:
        return named_pool(call.body["pool"])

    def perform(self, call: Call, prepared: Pool) -> HandicapTableVersion:
        rows = {
            (row["ruleset"], row["board_size"]): {name: row[name] for name in TABLE_VALUES}
            for row in call.body["rows"]
        }
        added = add_table(prepared, rows, reason=call.body["reason"], by=call.account)
        return table_as_json(added, load_table(added.version))


class TableList(ValuesListView):
    """List the versions of the values of handicaps, oldest first; a version never changes.

    `v1` has the project's priors, not measurements. In `v2`, the value of points follows from a
    model of the margin.
    """

    serializer_class = described(HandicapTableVersion)
    pagination_class = VersionPages

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.queryset))
        return self.get_paginated_response(tables_as_json(page or []))

    post = endpoint(AddTable)
