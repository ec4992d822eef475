"""The tables of an event: standings, crosstable, prizes, clubs; the documents that the API has."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from rest_framework.request import Request

from games.core.requests import requested_choice
from games.core.tables.html import FindLink, table_context
from games.core.tables.table import TableDocument
from tournament.core.headings import requested_best
from tournament.core.queries import FINISHED_ROUND_STATES
from tournament.core.rankings import Table
from tournament.documents.prizes import prizes_document
from tournament.models import Tournament
from tournament.pages.event import EventPage
from tournament.queries import is_round_robin
from tournament.queries.recent_tables import recent_comparison
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder
from tournament.tables.clubs import clubs_document
from tournament.tables.crosstable import MOST_SQUARE, crosstable_document
from tournament.tables.recent import requested_table
from tournament.tables.standings import standings_document


class TablePage(EventPage):
    """A table after the last complete round, or after `?round=`."""

    template = "tournament/table.html"
    public_read = "slug"
    is_costly = True
    choices: tuple[str, ...] = ("tiebreaks",)
    """Parameters of the query that the links to other rounds keep."""

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the table, its round, and the rounds that it can be asked for."""
        table = requested_table(request, tournament, skip_unproven=True)
        current = recent_comparison(table) if table.as_of else None
        document = self.document(request, table, current)
        own = frame["own_entry"].pk if frame["own_entry"] else None
        given = request.query_params
        of_card = urlencode(
            {name: given[name] for name in ("round", "snapshot", "tiebreaks") if name in given}
        )
        query = f"?{of_card}" if of_card else ""
        base = f"/e/{tournament.slug}"

        def is_own(record: Mapping[str, Any]) -> bool:
            return table.entries.get(record.get("number", 0)) == own

        def card(record: Mapping[str, Any]) -> str:
            return f"{base}/players/{record['number']}{query}" if "number" in record else ""

        def value_link(place: int) -> FindLink:
            return lambda record: f"{base}/players/{record['number']}{query}#value-{place}"

        values = {label: value_link(place) for place, label in enumerate(table.labels, start=1)}
        return {
            "table": table,
            "document": document,
            "complete_rounds": [
                found.number for found in frame["rounds"] if found.state in FINISHED_ROUND_STATES
            ],
            "kept": urlencode({name: given[name] for name in self.choices if name in given}),
            "has_tiebreaks": tuple(table.labels) != ("PTS",),
            **table_context(
                document, links={"name": card, **values}, is_marked=is_own if own else None
            ),
        }

    def document(self, request: Request, table: Table, current: Table | None) -> TableDocument:
        """Return the document of a table, compared with the current one."""
        raise NotImplementedError


class StandingsPage(TablePage):
    template = "tournament/standings.html"
    tab = "standings"

    def document(self, request: Request, table: Table, current: Table | None) -> TableDocument:
        """Return the standings."""
        return standings_document(table, current)


class CrosstablePage(TablePage):
    template = "tournament/crosstable.html"
    tab = "crosstable"
    choices = ("order", "shape", "tiebreaks")

    def document(self, request: Request, table: Table, current: Table | None) -> TableDocument:
        """Return the crosstable; that of a round robin is square unless it is too large."""
        order = CrosstableOrder(requested_choice(request, "order", list(CrosstableOrder)))
        fits = is_round_robin(table.tournament) and len(table.rows) <= MOST_SQUARE
        shapes = ("square", "rounds") if fits else ("rounds", "square")
        is_square = requested_choice(request, "shape", shapes) == "square"
        return crosstable_document(table, current, order=order, is_square=is_square)


class PrizesPage(TablePage):
    template = "tournament/prizes.html"
    tab = "prizes"

    def document(self, request: Request, table: Table, current: Table | None) -> TableDocument:
        """Return the prizes."""
        return prizes_document(table, current)


class ClubsPage(TablePage):
    template = "tournament/clubs.html"
    tab = "clubs"
    choices = ("by", "best", "tiebreaks")

    def document(self, request: Request, table: Table, current: Table | None) -> TableDocument:
        """Return the totals of clubs, or of federations."""
        by = GroupBy(requested_choice(request, "by", list(GroupBy)))
        return clubs_document(table, current, by=by, best=requested_best(request))
