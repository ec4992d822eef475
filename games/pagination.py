"""Lists in pages: a cursor, `?limit=` with a hard maximum, `Link` and `next`/`previous`."""

from typing import Any

from rest_framework.pagination import CursorPagination
from rest_framework.response import Response


class Pages(CursorPagination):
    """Pages that do not shift while rows are added; the newest key last unless a view says so."""

    page_size = 100
    page_size_query_param = "limit"
    max_page_size = 1000
    ordering = "id"

    def get_paginated_response(self, data: Any) -> Response:
        """`results`, with the neighbours' addresses in the body and in the `Link` header."""
        near = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        links = [f'<{url}>; rel="{rel[:4]}"' for rel, url in near.items() if url]
        headers = {"Link": ", ".join(links)} if links else None
        return Response({**near, "results": data}, headers=headers)
