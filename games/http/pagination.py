"""Lists in pages: a cursor, `?limit=` with a hard maximum, `Link` and `next`/`previous`."""

import re
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


class Pages(CursorPagination):
    """Pages that do not shift while rows are added; the newest key last unless a view says so."""

    page_size = 100
    page_size_query_param = "limit"
    max_page_size = 1000
    ordering = "id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of the address; NotFound for one that no page of ours has given."""
        cursor: Cursor | None = super().decode_cursor(request)
        if cursor and cursor.position is not None and not POSITION.fullmatch(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """How the API's description tells of a page."""
        near = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": near, "previous": near, "results": schema},
        }

    def get_paginated_response(self, data: Any) -> Response:
        """`results`, with the neighbours' addresses in the body and in the `Link` header."""
        near = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        links = [f'<{url}>; rel="{rel[:4]}"' for rel, url in near.items() if url]
        headers = {"Link": ", ".join(links)} if links else None
        return Response({**near, "results": data}, headers=headers)
