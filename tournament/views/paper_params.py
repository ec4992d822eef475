"""What a sheet is printed on, as the address asks for it."""

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.http.errors import unknown_key
from tournament.documents.renderers.pdf.printing import SIZES, Paper

PDF = {(200, "application/pdf"): OpenApiTypes.BINARY}
PAPER = OpenApiParameter("paper", str, enum=list(SIZES), description="PDF: its size")


def paper_wanted(request: Request) -> Paper:
    """The size of `?paper=`, A4 when none is named, and the time of now; raises Unprocessable."""
    size = request.query_params.get("paper") or SIZES[0]
    if size not in SIZES:
        raise unknown_key("paper", size, SIZES)
    return Paper(size, timezone.now())
