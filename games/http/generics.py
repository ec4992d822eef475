"""A list view for the lists that are requested most."""

from collections.abc import Callable
from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable
from games.core.views import ApiView
from games.rules.text import Text

PAGING = frozenset({"limit", "cursor"})


class ValuesListView(ApiView, ListAPIView):
    """A list of `values()`: `fields` of each row, converted by `row_as_json`.

    Without `fields`, the queryset has chosen its columns itself. No model objects are built and no
    serializer converts them field by field, and a filter set is built only for a filter in the
    address: these would take most of the time of a page. `own_parameters` are those of the address
    that are no filters.
    """

    fields: tuple[str, ...] = ()
    own_parameters: frozenset[str] = frozenset()

    def row_as_json(self, row: Any) -> Any:
        """Return a row as JSON."""
        return row

    def filter_queryset(self, queryset: Any) -> Any:
        """Apply the filters in the address; raises Unprocessable for an unknown one."""
        given = set(self.request.query_params) - PAGING - self.own_parameters
        if getattr(self.paginator, "orders", ()):
            given.discard("order")
        if not given:
            return queryset
        filters = DjangoFilterBackend().get_filterset_class(self, queryset)
        known = sorted([*self.own_parameters, *(filters.get_filters() if filters else [])])
        unknown = sorted(given - set(known))
        if unknown:
            raise Unprocessable(
                "unknown_filter",
                Text(
                    "%(name)s is not a filter; valid are: %(names)s",
                    name=f"{unknown[0][:40]!r}",
                    names=", ".join(known),
                ),
                valid=known,
            )
        return super().filter_queryset(queryset)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        rows = self.filter_queryset(self.get_queryset())
        if self.fields:
            rows = rows.values(*self.fields)
        return self.page_response(rows, self.row_as_json)

    def page_response(self, rows: Any, row_as_json: Callable[[Any], Any] | None = None) -> Response:
        """Return one page of rows; the serializer of the class converts them by default."""
        page = self.paginate_queryset(rows) or []
        if row_as_json is None:
            return self.get_paginated_response(self.get_serializer(page, many=True).data)
        return self.get_paginated_response([row_as_json(row) for row in page])
