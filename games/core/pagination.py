"""Pagination by cursor: `?limit=` with a maximum, `next` and `previous` in body and `Link`.

A cursor contains the values at the edge of a page, such as `after_17`. A page therefore takes the
same time anywhere in a list, and no row is repeated or left out while others are added. A list that
is ordered by its ids, or by age, can be read in both directions (`?order=newest`).
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.core.errors import Unprocessable
from games.core.requests import requested_choice
from games.rules.text import Text

PAGE_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
CURSOR = re.compile(r"(after|before)((?:_-?[0-9]{1,18})+)", re.ASCII)

ORDERS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("id",): ("oldest", "newest"),
    ("-id",): ("newest", "oldest"),
}
"""The words for the orders of a list, by its default."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds_of(at: datetime) -> int:
    """Return a time as it is written in a cursor: the microseconds since 1970."""
    return (at - EPOCH) // timedelta(microseconds=1)


def time_of(microseconds: int) -> datetime:
    """Return the time from a cursor; raises ValueError if there is none."""
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError as error:
        raise ValueError from error


def requested_number(request: Request, name: str, default: int, *, least: int) -> int:
    """Return a number in the query; raises Unprocessable for another text."""
    text = request.query_params.get(name) or str(default)
    if not PAGE_NUMBER.fullmatch(text) or int(text) < least:
        detail = Text(
            "%(field)s is %(value)s; it must be a whole number from %(least)s",
            field=name,
            value=f"{text[:20]!r}",
            least=least,
        )
        raise Unprocessable(f"wrong_{name}", detail, at=f"/{name}")
    return int(text)


def requested_after(request: Request) -> int | None:
    """Return the number in a cursor such as `after_17`, None without one; raises NotFound."""
    text = request.query_params.get("cursor", "")
    cursor = CURSOR.fullmatch(text)
    numbers = cursor[2].split("_")[1:] if cursor and cursor[1] == "after" else []
    if text and len(numbers) != 1:
        raise NotFound(CursorPagination.invalid_cursor_message)
    return int(numbers[0]) if text else None


class CursorPages(CursorPagination):
    """Pages of rows, ordered by columns that are integers in a cursor, and unique together."""

    page_size = 100
    page_size_query_param = "limit"
    max_page_size = 1000
    ordering: tuple[str, ...] = ("id",)

    def as_number(self, name: str, value: Any) -> int:
        """Return the value of a column as it is written in a cursor."""
        return int(value)

    def from_number(self, name: str, number: int) -> Any:
        """Return the value of a column from a cursor; raises ValueError if there is none."""
        return number

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the words for `?order=`, the default first; none if there is one order only."""
        return ORDERS.get(self.ordering, ())

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters of a page for the OpenAPI description."""
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        if orders := self.orders:
            schema = {"type": "string", "enum": list(orders), "default": orders[0]}
            text = "the order of the list; a cursor belongs to one of them"
            parameters.append(
                {"name": "order", "required": False, "in": "query", "description": text,
                 "schema": schema}
            )  # fmt: skip
        return parameters

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the rows of a page; raises NotFound for a cursor that no page contains."""
        self._address = request.build_absolute_uri()
        limit = requested_number(request, "limit", self.page_size, least=1)
        limit = min(limit, self.max_page_size)
        orders = self.orders
        if orders and requested_choice(request, "order", orders) != orders[0]:
            self.ordering = tuple(
                name.removeprefix("-") if name.startswith("-") else f"-{name}"
                for name in self.ordering
            )
        text = request.query_params.get("cursor", "")
        is_backward = text.startswith("before")
        edge = self._parse_cursor(text) if text else []
        page = self.read_from(queryset, edge, limit + 1, is_backward=is_backward)
        has_more = len(page) > limit
        page = page[:limit][::-1] if is_backward else page[:limit]
        has_next = is_backward or has_more
        has_previous = has_more if is_backward else bool(text)
        self._next = self._link("after", page[-1]) if page and has_next else None
        self._previous = self._link("before", page[0]) if page and has_previous else None
        return page

    def read_from(
        self, queryset: Any, edge: Sequence[Any], most: int, *, is_backward: bool
    ) -> list[Any]:
        """Return the rows beyond the edge of a page, at most so many, nearest first."""
        rows = queryset.order_by(*self.ordering)
        if edge:
            rows = rows.filter(self._rows_beyond(edge, is_backward))
        return list((rows.reverse() if is_backward else rows)[:most])

    def _parse_cursor(self, text: str) -> list[Any]:
        cursor = CURSOR.fullmatch(text)
        numbers = [int(value) for value in cursor[2].split("_")[1:]] if cursor else []
        try:
            columns = zip(self._columns, numbers, strict=True)
            return [self.from_number(name, number) for name, number in columns]
        except ValueError:
            raise NotFound(self.invalid_cursor_message) from None

    @property
    def _columns(self) -> list[str]:
        return [name.removeprefix("-") for name in self.ordering]

    def _rows_beyond(self, values: Sequence[Any], is_backward: bool) -> Q:
        """Return the condition of the rows after these values, or before them."""
        condition = Q()
        for name, value in zip(self.ordering[::-1], values[::-1], strict=True):
            column = name.removeprefix("-")
            comparison = "lt" if name.startswith("-") != is_backward else "gt"
            beyond = Q(**{f"{column}__{comparison}": value})
            # The first condition lets the database start in the middle of an index.
            here_or_beyond = Q(**{f"{column}__{comparison}e": value})
            condition = here_or_beyond & (beyond | condition) if condition else beyond
        return condition

    def _link(self, direction: str, row: Any) -> str:
        columns = self._columns
        values = [row[name] if isinstance(row, dict) else getattr(row, name) for name in columns]
        cursor = "_".join(map(str, (direction, *map(self.as_number, columns, values))))
        return str(replace_query_param(self._address, "cursor", cursor))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page."""
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    @property
    def neighbours(self) -> dict[str, str | None]:
        """Return the addresses of the `next` and the `previous` page, None at the ends."""
        return {"next": self._next, "previous": self._previous}

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
