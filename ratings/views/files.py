"""Files of whole lists, without pages."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

BYTE_ORDER_MARK = OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark")
MEDIA_TYPES = {"csv": "text/csv", "ndjson": "application/x-ndjson"}
LIST_FILE = {(200, media_type): OpenApiTypes.STR for media_type in MEDIA_TYPES.values()}
"""The responses of a view that returns such a file, for its description."""


def file_response(content: str, stem: str, form: str) -> HttpResponse:
    """Return a file that a browser saves; `form` is `csv` or `ndjson`."""
    headers = {"Content-Disposition": f'attachment; filename="{stem}.{form}"'}
    content_type = f"{MEDIA_TYPES[form]}; charset=utf-8"
    return HttpResponse(content, content_type=content_type, headers=headers)
