"""Pagination by cursor: `?limit=` with a maximum, `next` and `previous` in body and `Link`."""

import re
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


class CursorPages(CursorPagination):
    """Pages that do not shift while rows are added; by id unless a view says otherwise."""

    page_size = 100
    page_size_query_param = "limit"
    max_page_size = 1000
    ordering = "id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor in the address; raises NotFound for one that no page contains."""
        cursor: Cursor | None = super().decode_cursor(request)
        if cursor and cursor.position is not None and not POSITION.fullmatch(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page."""
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    def get_paginated_response(self, data: Any) -> Response:
        """Return `results`, with the neighbouring pages in the body and in the `Link` header."""
        pages = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        links = [f'<{url}>; rel="{name[:4]}"' for name, url in pages.items() if url]
        headers = {"Link": ", ".join(links)} if links else None
        return Response({**pages, "results": data}, headers=headers)
