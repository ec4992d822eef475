"""The query parameters of tables and printed sheets."""

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.requests import requested_choice
from games.core.tables.views import BOM_PARAMETER, PAPER
from games.documents.renderers.pdf.frame import PAPER_SIZES, SheetFrame
from games.rules.text import Text
from tournament.documents.headings import sheet_frame
from tournament.models import Tournament
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder

DEFAULT_BEST, MOST_BEST = 4, 99
ROUND_PARAMETER = OpenApiParameter(
    "round", int, description="a complete round: its table from the snapshot taken at that time"
)
CURRENT_PARAMETER = OpenApiParameter(
    "current", bool, description="with `round`: from the current results, not from the snapshot"
)
SNAPSHOT = OpenApiParameter(
    "snapshot",
    int,
    description="with `round`: an older version of the snapshot; 1 is that of the round's end",
)
TIEBREAKS_PARAMETER = OpenApiParameter(
    "tiebreaks", str, description="other tie-breaks than the event's: PTS,BH"
)
TABLE_PARAMETERS = [
    ROUND_PARAMETER,
    CURRENT_PARAMETER,
    SNAPSHOT,
    TIEBREAKS_PARAMETER,
    BOM_PARAMETER,
    PAPER,
]
TERMS = OpenApiParameter("terms", bool, description="JSON: what each value consists of")
ORDER_PARAMETER = OpenApiParameter(
    "order", str, enum=list(CrosstableOrder), description="the order of the lines"
)
SHAPE = OpenApiParameter("shape", str, enum=["rounds", "square"])
BEST = OpenApiParameter(
    "best",
    {"type": "integer", "minimum": 1, "maximum": MOST_BEST, "default": DEFAULT_BEST},
    description="the number of players of each club that count",
)
BY = OpenApiParameter("by", str, enum=list(GroupBy), description="what players are grouped by")


def requested_best(request: Request) -> int:
    """Return the number of `?best=`, by default 4; raise Unprocessable."""
    text = request.query_params.get("best", "")
    if not text:
        return DEFAULT_BEST
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_BEST):
        detail = Text(
            "best is %(value)s; it must be a whole number from 1 to %(most)s",
            value=f"{text[:20]!r}",
            most=MOST_BEST,
        )
        raise Unprocessable("wrong_best", detail, at="/best")
    return int(text)


def requested_frame(request: Request, tournament: Tournament) -> SheetFrame:
    """Return the frame of a sheet, on `?paper=` or A4; raise Unprocessable for another size."""
    size = requested_choice(request, "paper", PAPER_SIZES)
    return sheet_frame(tournament, size, now())
