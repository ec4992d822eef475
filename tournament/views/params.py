"""The query parameters of tables and printed sheets."""

from collections.abc import Sequence

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.http.errors import Unprocessable, unknown_key
from tournament.documents.renderers.pdf.frame import PAPER_SIZES, SheetFrame, sheet_frame
from tournament.models import Tournament
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder

DEFAULT_BEST, MOST_BEST = 4, 99
ROUND = OpenApiParameter(
    "round", int, description="a complete round: its table from the snapshot taken at that time"
)
CURRENT = OpenApiParameter(
    "current", bool, description="with `round`: from the current results, not from the snapshot"
)
SNAPSHOT = OpenApiParameter(
    "snapshot",
    int,
    description="with `round`: an older version of the snapshot; 1 is that of the round's end",
)
TIEBREAKS = OpenApiParameter(
    "tiebreaks", str, description="other tie-breaks than the event's: PTS,BH"
)
BYTE_ORDER_MARK = OpenApiParameter("bom", bool, description="CSV: start with a byte order mark")
PAPER = OpenApiParameter("paper", str, enum=list(PAPER_SIZES), description="PDF: the paper size")
TABLE_PARAMETERS = [ROUND, CURRENT, SNAPSHOT, TIEBREAKS, BYTE_ORDER_MARK, PAPER]
TERMS = OpenApiParameter("terms", bool, description="JSON: what each value consists of")
ORDER = OpenApiParameter(
    "order", str, enum=list(CrosstableOrder), description="the order of the lines"
)
SHAPE = OpenApiParameter("shape", str, enum=["rounds", "square"])
BEST = OpenApiParameter(
    "best",
    {"type": "integer", "minimum": 1, "maximum": MOST_BEST, "default": DEFAULT_BEST},
    description="the number of players of each club that count",
)
BY = OpenApiParameter("by", str, enum=list(GroupBy), description="what players are grouped by")
CSV, NDJSON, HTML, SVG, TRF = (
    {(200, media_type): OpenApiTypes.STR}
    for media_type in (
        "text/csv", "application/x-ndjson", "text/html", "image/svg+xml", "text/plain"
    )
)  # fmt: skip
PDF = {(200, "application/pdf"): OpenApiTypes.BINARY}
TABLE_FILES = CSV | NDJSON | HTML | PDF
"""The responses in which every table is available, besides JSON."""


def requested_choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, by default the first."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise unknown_key(name, word, valid)
    return word


def requested_best(request: Request) -> int:
    """Return the number of `?best=`, by default 4; raise Unprocessable."""
    text = request.query_params.get("best", "")
    if not text:
        return DEFAULT_BEST
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_BEST):
        detail = f"best is {text[:20]!r}; it must be a whole number from 1 to {MOST_BEST}"
        raise Unprocessable("wrong_best", detail, at="/best")
    return int(text)


def requested_frame(request: Request, tournament: Tournament) -> SheetFrame:
    """Return the frame of a sheet, on `?paper=` or A4; raise Unprocessable for another size."""
    size = requested_choice(request, "paper", PAPER_SIZES)
    return sheet_frame(tournament, size, timezone.now())
