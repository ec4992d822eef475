"""The tables of an event as pages, with the documents of the API, and the wall view for its venue.

The wall view shows pairings by board and by name, standings and the clock. Its script polls
`wall/state`, a small object with a tag, and loads the page again in the background when `version`
has changed. Both show what is published, also to the officials of the event.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.authentication import PageAuthentication
from games.core.pages import PageView
from games.core.preconditions import require_change, tag_of
from games.core.requests import requested_choice
from games.core.tables.html import Dress, FindLink, table_context
from games.core.tables.table import TableDocument
from games.core.views import ApiView
from tournament.core.crosstable import is_round_robin
from tournament.core.heads import table_state
from tournament.core.lookup import UNPUBLISHED, tournament_seen_by
from tournament.core.pages import EventPage, current_round
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    last_complete_round,
    local_day,
    rounds_of,
    unsettled_boards,
)
from tournament.core.rankings import Table
from tournament.entries.queries import namesakes_in
from tournament.models import Round, Tournament
from tournament.rounds.live_boards import live_boards_context
from tournament.rounds.queries import load_pairings, told_apart
from tournament.rounds.tables import pairings_by_name_document, pairings_document
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder
from tournament.tables.clubs import clubs_document
from tournament.tables.crosstable import (
    MOST_SQUARE,
    crosstable_document,
    dress_of_crosstable,
    mark_corrected,
)
from tournament.tables.groups import GroupTable, groups_document, open_groups
from tournament.tables.headings import requested_best
from tournament.tables.prizes import prizes_document
from tournament.tables.recent import recent_table, requested_round, requested_table
from tournament.tables.standings import dress_of_standings, standings_document


class TablePage(EventPage):
    """A table after the last complete round, or after `?round=`."""

    template = "tournament/tables/table.html"
    title: str | Promise = ""
    public_read = "slug"
    query_names: tuple[str, ...] = ("round", "tiebreaks")
    is_costly = True
    choices: tuple[str, ...] = ("tiebreaks",)
    """Parameters of the query that the links to other rounds keep."""
    explains_values = True
    """Whether the values lead to the card of their player, which explains the standings."""

    def load(self, request: Request, tournament: Tournament) -> Any:
        """Return the requested table."""
        return requested_table(request, tournament)

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the table, its round, and the rounds that it can be asked for."""
        table = self.load(request, tournament)
        document = self.document(request, table)
        own = self.event_frame["own_entry"].pk if self.event_frame["own_entry"] else None
        given = request.query_params
        of_card = urlencode({name: given[name] for name in ("round", "tiebreaks") if name in given})
        query = f"?{of_card}" if of_card else ""
        base = f"/e/{tournament.slug}"

        def row_class(record: Mapping[str, Any]) -> str:
            is_own = own is not None and table.entries.get(record.get("number", 0)) == own
            return "own" if is_own else ""

        def card(record: Mapping[str, Any]) -> str:
            return f"{base}/players/{record['number']}{query}" if "number" in record else ""

        def value_link(place: int) -> FindLink:
            return lambda record: f"{base}/players/{record['number']}{query}#value-{place}"

        labels = table.labels if self.explains_values else ()
        values = {label: value_link(place) for place, label in enumerate(labels, start=1)}
        return {
            "title": self.title,
            "table": table,
            "is_round_chosen": "round" in given,
            "corrections": list(table.corrections),
            "document": document,
            "complete_rounds": [
                found.number
                for found in self.event_frame["rounds"]
                if found.state in FINISHED_ROUND_STATES
            ],
            "kept": urlencode({name: given[name] for name in self.choices if name in given}),
            "has_tiebreaks": tuple(table.labels) != ("PTS",),
            "parts": [
                {"title": title}
                | table_context(
                    part,
                    links={"name": card, **values},
                    dress=self.dress(table, document),
                    row_class=row_class,
                )
                for title, part in document.by_section()
            ],
        }

    def document(self, request: Request, table: Any) -> TableDocument:
        """Return the document of a table."""
        raise NotImplementedError

    def dress(self, table: Any, document: TableDocument) -> Dress:
        """Return what the cells show beside their text."""
        return {}


class StandingsPage(TablePage):
    template = "tournament/tables/standings.html"
    title = _("Standings")
    tab = "standings"

    def document(self, request: Request, table: Table) -> TableDocument:
        """Return the standings, in which the country stands before the name."""
        document = standings_document(table)
        return replace(document, page=tuple(n for n in document.page if n != "country"))

    def dress(self, table: Table, document: TableDocument) -> Dress:
        """Mark the first three, and who went up or down in the last round."""
        return dress_of_standings(table)


class GroupsPage(TablePage):
    template = "tournament/tables/groups.html"
    title = _("Groups")
    tab = "groups"
    query_names = ("round",)
    choices = ()
    explains_values = False

    def load(self, request: Request, tournament: Tournament) -> GroupTable:
        """Return the groups after the requested round; raise NotFound in other systems."""
        return GroupTable.load(tournament, requested_round(request, tournament))

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the table of each group, and the rounds of the groups."""
        context = super().content(request, tournament, **address)
        rounds = [n for n in context["complete_rounds"] if n <= context["table"].stage.rounds]
        return context | {"complete_rounds": rounds}

    def document(self, request: Request, table: GroupTable) -> TableDocument:
        """Return the groups."""
        return groups_document(table)


class CrosstablePage(TablePage):
    template = "tournament/tables/crosstable.html"
    title = _("Crosstable")
    tab = "crosstable"
    choices = ("order", "shape", "tiebreaks")
    query_names = ("round", *choices)

    def document(self, request: Request, table: Table) -> TableDocument:
        """Return the crosstable; that of a round robin is square unless it is too large."""
        order = CrosstableOrder(requested_choice(request, "order", list(CrosstableOrder)))
        fits = is_round_robin(table.tournament) and len(table.rows) <= MOST_SQUARE
        shapes = ("square", "rounds") if fits else ("rounds", "square")
        is_square = requested_choice(request, "shape", shapes) == "square"
        document = crosstable_document(table, order=order, is_square=is_square)
        return mark_corrected(document, table, is_square=is_square)

    def dress(self, table: Table, document: TableDocument) -> Dress:
        """Colour the results, with the opponent's name as a tooltip."""
        return dress_of_crosstable(document)


class PrizesPage(TablePage):
    template = "tournament/tables/prizes.html"
    title = _("Prizes")
    tab = "prizes"

    def document(self, request: Request, table: Table) -> TableDocument:
        """Return the prizes."""
        return prizes_document(table)


class ClubsPage(TablePage):
    template = "tournament/tables/clubs.html"
    title = _("Clubs")
    tab = "clubs"
    choices = ("by", "best", "tiebreaks")
    query_names = ("round", *choices)

    def document(self, request: Request, table: Table) -> TableDocument:
        """Return the totals of clubs, or of federations."""
        by = GroupBy(requested_choice(request, "by", list(GroupBy)))
        return clubs_document(table, by=by, best=requested_best(request))


WALL_INTERVAL: Final = 5
"""Seconds between two requests of the state."""

MOST_TIEBREAKS: Final = 3
"""The tie-breaks in the standings, so that the letters can be large."""


class WallPage(PageView):
    template = "tournament/tables/wall.html"
    public_read = "slug"
    shows_live_boards = True

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the tables of the current round, and the standings."""
        state = table_state(slug)
        tournament = tournament_seen_by(request, slug)
        this_round = published_round(tournament)
        return {
            "event": tournament,
            "this_round": this_round,
            "version": version_of(tournament, state),
            "sections": [
                {"name": name, **table_context(document)}
                for name, document in wall_documents(tournament, this_round)
            ],
            **live_boards_context(tournament),
        }


class WallState(ApiView):
    """What a wall view polls; a later event stream can send the same object."""

    schema = None
    authentication_classes = [PageAuthentication]
    public_read = "slug"

    def get(self, request: Request, slug: str) -> Response:
        """Return the state of the event; 304 if nothing has changed."""
        state = table_state(slug)
        tournament = tournament_seen_by(request, slug)
        version = version_of(tournament, state)
        require_change(request, version)
        this_round = published_round(tournament)
        missing = unsettled_boards(tournament, this_round.number) if this_round else []
        return Response(
            {
                "version": version,
                "state": tournament.state,
                "round": this_round.number if this_round else None,
                "round_state": this_round.state if this_round else None,
                "starts_at": this_round.starts_at if this_round else None,
                "missing": len(missing),
                "poll": WALL_INTERVAL,
            },
            headers={"Cache-Control": "private, no-cache"},
        )


def published_round(tournament: Tournament) -> Round | None:
    """Return the published round to show; None before the first one."""
    rounds = [found for found in rounds_of(tournament) if found.state not in UNPUBLISHED]
    return current_round(tournament, rounds)


def version_of(tournament: Tournament, state: list[Any]) -> str:
    """Return the tag of everything that the wall view shows, for the state of its tables."""
    return tag_of(settings.VERSION, local_day(tournament), state)


def wall_documents(
    tournament: Tournament, this_round: Round | None
) -> list[tuple[str, TableDocument]]:
    """Return the tables of the wall view with few columns, by name; none before round 1.

    While no round of the bracket after groups is published, it shows groups instead of standings.
    """
    if this_round is None:
        return []
    pairings = told_apart(load_pairings(this_round), namesakes_in(tournament))
    by_name = pairings_by_name_document(this_round, pairings)
    documents = [
        ("boards", pairings_document(this_round, pairings)),
        ("names", replace(by_name, page=("name", "board", "seat_or_bye"))),
    ]
    through = last_complete_round(tournament)
    if groups := open_groups(tournament, this_round, through):
        columns = ("group", "rank", "name", *groups.labels[:MOST_TIEBREAKS], "state")
        documents.append(("groups", replace(groups_document(groups), page=columns, section=None)))
    elif through:
        table = recent_table(tournament, through=through)
        columns = ("rank", "name", *table.labels[:MOST_TIEBREAKS])
        documents.append(("standings", replace(standings_document(table), page=columns)))
    return documents
