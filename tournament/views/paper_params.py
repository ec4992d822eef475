"""The query parameters of a printed sheet."""

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.http.errors import unknown_key
from tournament.documents.renderers.pdf.frame import PAPER_SIZES, Paper, SheetFrame, sheet_frame
from tournament.models import Tournament

PDF = {(200, "application/pdf"): OpenApiTypes.BINARY}
PAPER = OpenApiParameter("paper", str, enum=list(PAPER_SIZES), description="PDF: the paper size")


def requested_frame(request: Request, tournament: Tournament) -> SheetFrame:
    """Return the frame of a sheet, on `?paper=` or A4; raise Unprocessable for another size."""
    size = request.query_params.get("paper") or PAPER_SIZES[0]
    if size not in PAPER_SIZES:
        raise unknown_key("paper", size, PAPER_SIZES)
    return sheet_frame(tournament, Paper(size, timezone.now()))
