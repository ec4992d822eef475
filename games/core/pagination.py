"""Pagination by cursor: `?limit=` with a maximum, `next` and `previous` in body and `Link`.

A cursor contains the columns of the row at the edge of a page. A page therefore takes the same time
anywhere in a list, and no row is repeated or left out while others are added; Django REST
framework's own class skips rows that are equal in the first column, of which a run has thousands. A
list that is ordered by its ids, or by age, can be read in both directions (`?order=newest`).

A cursor also names its list, and is refused in another one, or with another order or other filters:
it would begin somewhere, and nothing would show that rows are left out.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import QueryDict
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable, invalid_parameter
from games.core.journal.chain import canonical_json
from games.core.requests import FORMATS, requested_choice, requested_number
from games.rules.text import Text

ORDERS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("id",): ("oldest", "newest"),
    ("-id",): ("newest", "oldest"),
}
"""The words for the orders of a list, by its default."""


PAGING: Final = ("limit", "cursor", "order")
"""The parameters of a list in pages."""


def reversed_order(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of an order in the other direction."""
    return tuple(name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in columns)


def wrong_cursor(request: Request) -> Unprocessable:
    """Return the error of a cursor that no page of the list contains."""
    detail = Text(
        "cursor is %(value)s; it must be one of `next` or `previous` of a page of this list, with"
        " its order and filters",
        value=f"{request.query_params.get('cursor', '')[:60]!r}",
    )
    return invalid_parameter("cursor", detail)


def list_named(path: str, query: QueryDict) -> str:
    """Return a short name of a list: its address with its order and filters, without the page."""
    chosen = {name: values for name, values in query.lists() if name not in ("cursor", "limit")}
    return blake2b(canonical_json([path, chosen]).encode(), digest_size=6).hexdigest()


class CursorPages(CursorPagination):
    """Pages of rows, ordered by columns that are unique together."""

    page_size = 100
    page_size_query_param = "limit"
    max_page_size = 1000
    ordering: tuple[str, ...] = ("id",)
    further_orders: Mapping[str, tuple[str, ...]] = {}
    """The columns of orders beside `ordering` and its reverse, by the word for each."""

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the words for `?order=`, the default first; none if there is one order only."""
        return (*ORDERS.get(type(self).ordering, ()), *self.further_orders)

    def choose_order(self, request: Request) -> None:
        """Set the order that a request chooses; raises Unprocessable for an unknown one."""
        columns = type(self).ordering
        if orders := self.orders:
            word = requested_choice(request, "order", orders)
            reverse = columns if word == orders[0] else reversed_order(columns)
            self.ordering = self.further_orders.get(word, reverse)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for each in parameters:
            if each["name"] == "limit":
                each["schema"] = {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": self.max_page_size,
                    "default": self.page_size,
                }
        if orders := self.orders:
            schema = {"type": "string", "enum": list(orders), "default": orders[0]}
            text = "the order of the list; a cursor belongs to one of them"
            parameters.append(
                {"name": "order", "required": False, "in": "query", "description": text,
                 "schema": schema}
            )  # fmt: skip
        if len(view.renderer_classes) > 1:  # a file is the whole list
            for each in parameters:
                each["description"] += "; only in json"
                each[FORMATS] = ["json"]
        return parameters

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the rows of a page; raises Unprocessable for a cursor that no page contains."""
        self.choose_order(request)
        limit, (edge, is_backward) = self.requested_limit(request), self.requested_edge(request)
        try:
            found = self.read_from(queryset, edge, limit + 1, is_backward=is_backward)
        except (TypeError, ValueError, OverflowError, ValidationError):
            raise wrong_cursor(request) from None
        has_more = len(found) > limit
        page = found[:limit][::-1] if is_backward else found[:limit]
        has_next, has_previous = is_backward or has_more, has_more if is_backward else bool(edge)
        self.neighbours: dict[str, str | None] = {
            "next": self._link_from(page[-1], is_backward=False) if page and has_next else None,
            "previous": self._link_from(page[0], is_backward=True)
            if page and has_previous
            else None,
        }
        """The addresses of the next and the previous page, None at the ends."""
        return page

    def checks(self, request: Request) -> list[Callable[[], object]]:
        return [
            partial(self.choose_order, request),
            partial(self.requested_limit, request),
            partial(self.requested_edge, request),
        ]

    def requested_limit(self, request: Request) -> int:
        return requested_number(request, "limit", self.page_size, least=1, most=self.max_page_size)

    def requested_edge(self, request: Request) -> tuple[list[Any], bool]:
        """Return the columns at the edge of a page, none for the first, and if it is before them.

        Raises Unprocessable for what is no cursor of this list.
        """
        self.base_url = request.build_absolute_uri()
        suffix = request.parser_context["view"].format_suffix
        path = request.path.removesuffix(f".{suffix}") if suffix else request.path
        self.list_name = list_named(path, request.query_params)
        if not request.query_params.get("cursor"):
            return [], False
        try:
            cursor: Any = self.decode_cursor(request)
            name, *edge = json.loads(cursor.position or "")
        except (NotFound, RecursionError, TypeError, ValueError):
            raise wrong_cursor(request) from None
        if name != self.list_name or len(edge) != len(self.ordering):
            raise wrong_cursor(request)
        return edge, cursor.reverse

    def read_from(
        self, queryset: Any, edge: Sequence[Any], most: int, *, is_backward: bool
    ) -> list[Any]:
        """Return the rows beyond the edge of a page, at most so many, nearest first."""
        rows = queryset.order_by(*self.ordering)
        if edge:
            rows = rows.filter(self.rows_beyond(edge, is_backward=is_backward))
        return list((rows.reverse() if is_backward else rows)[:most])

    def rows_beyond(self, edge: Sequence[Any], *, is_backward: bool) -> Q:
        """Return the condition of the rows after these columns, or before them."""
        condition = Q()
        for name, value in zip(self.ordering[::-1], edge[::-1], strict=True):
            column = name.removeprefix("-")
            comparison = "lt" if name.startswith("-") != is_backward else "gt"
            beyond = Q(**{f"{column}__{comparison}": value})
            # The first condition lets the database start in the middle of an index.
            here_or_beyond = Q(**{f"{column}__{comparison}e": value})
            condition = here_or_beyond & (beyond | condition) if condition else beyond
        return condition

    def link(self, edge: Sequence[Any], *, is_backward: bool = False) -> str:
        """Return the address of the page after these columns, or before them."""
        position: Any = json.dumps([self.list_name, *edge], default=str)
        return str(self.encode_cursor(Cursor(0, is_backward, position)))

    def _link_from(self, row: Any, *, is_backward: bool) -> str:
        names = [name.removeprefix("-") for name in self.ordering]
        edge = [row[name] if isinstance(row, dict) else getattr(row, name) for name in names]
        return self.link(edge, is_backward=is_backward)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    def context(
        self,
        name: str,
        queryset: Any,
        request: Request,
        as_json: Callable[[Any], Any] = lambda row: row,
    ) -> dict[str, Any]:
        """Return a page for a template: its rows under this name, and the neighbouring pages."""
        rows = self.paginate_queryset(queryset, request)
        return {name: [as_json(row) for row in rows], **self.neighbours}

    def get_paginated_response(self, data: Any) -> Response:
        """Return `results`, with the neighbouring pages in the body and in the `Link` header."""
        pages = self.neighbours
        links = [f'<{url}>; rel="{name[:4]}"' for name, url in pages.items() if url]
        headers = {"Link": ", ".join(links)} if links else None
        return Response({**pages, "results": data}, headers=headers)


class NewestFirst(CursorPages):
    """Pages of rows from the last created to the first."""

    ordering = ("-id",)
