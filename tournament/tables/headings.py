"""The parameters of the tables of an event, their headings, and the members that all have."""

from typing import Annotated, TypedDict

from django.utils.translation import gettext, pgettext
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.references import TournamentReference
from games.core.requests import only_in, requested_number, whole_number
from games.core.tables.table import Heading
from games.core.tables.views import BOM_PARAMETER, PAPER
from tournament.core.rankings import Table
from tournament.core.references import tournament_reference
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder


def heading_of(table: Table, name: str, file_suffix: str = "") -> Heading:
    """Return the heading of a table of an event, as `Spring Open: after round 2 of 5`."""
    event, number = table.tournament, table.through
    is_provisional = table.is_provisional
    values = {"number": number, "rounds": event.rounds}
    stage = gettext("after round %(number)s of %(rounds)s") % values
    if is_provisional and number == event.rounds:
        stage = gettext("results so far")
    title = stage if is_provisional else gettext("final standings")
    stage = stage if is_provisional else pgettext("a table", "final")
    return Heading(
        title=f"{event.name}: {title}",
        subtitle=f"{name}, {stage}",
        file_stem=f"{event.slug}.r{number}{file_suffix}",
    )


class TableHead(TypedDict):
    """The members that the JSON of every table begins with."""

    tournament: TournamentReference
    round: Annotated[int, "the last round that counts"]
    provisional: Annotated[bool, "true if more rounds follow"]
    edition: Annotated[str | None, "that of FIDE's C.07, of an earlier event"]


def table_head(table: Table) -> TableHead:
    """Return the head of the JSON of a table."""
    return {
        "tournament": tournament_reference(table.tournament),
        "round": table.through,
        "provisional": table.is_provisional,
        "edition": table.edition,
    }


DEFAULT_BEST, MOST_BEST = 4, 99
ROUND_PARAMETER = OpenApiParameter(
    "round",
    whole_number(0),
    description="a complete round: the table after it",
)
TIEBREAKS_PARAMETER = OpenApiParameter(
    "tiebreaks", str, description="other tie-breaks than the tournament's: PTS,BH"
)
TABLE_PARAMETERS = [
    ROUND_PARAMETER,
    TIEBREAKS_PARAMETER,
    BOM_PARAMETER,
    PAPER,
]
TERMS = only_in(OpenApiParameter("terms", bool, description="what each value consists of"), "json")
ORDER_PARAMETER = OpenApiParameter(
    "order", str, enum=list(CrosstableOrder), description="the order of the lines"
)
SHAPE = OpenApiParameter(
    "shape",
    str,
    enum=["rounds", "square"],
    description="whether a column is a round, or an opponent as by default in a round robin",
)
BEST = OpenApiParameter(
    "best",
    whole_number(1, MOST_BEST, DEFAULT_BEST),
    description="the number of players of each club that count",
)
BY = OpenApiParameter("by", str, enum=list(GroupBy), description="what players are grouped by")


def requested_best(request: Request) -> int:
    """Return the number of `?best=`, by default 4; raise Unprocessable."""
    return requested_number(request, "best", DEFAULT_BEST, least=1, most=MOST_BEST)
