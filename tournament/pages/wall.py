"""The wall view of an event for its venue: pairings by board and by name, standings, the clock.

Its script polls `wall/state`, a small object with a tag, and loads the page again in the background
when `version` has changed. Both show what is published, also to the officials of the event.
"""

from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.pages import PageView
from games.core.tables.html import table_context
from games.core.tables.table import TableDocument
from games.core.views import ApiView
from games.http.etags import require_change, tag_of
from games.pages.session import PageAuthentication
from tournament.core.heads import table_state
from tournament.core.lookup import tournament_seen_by
from tournament.models import Round, Tournament
from tournament.pages.event import current_round, local_day
from tournament.queries import last_complete_round, rounds_of, unsettled_boards
from tournament.queries.recent_tables import recent_current_table
from tournament.rounds.queries import load_pairings
from tournament.rounds.tables import pairings_by_name_document, pairings_document
from tournament.tables.standings import standings_document
from tournament.views.seen import UNPUBLISHED

WALL_INTERVAL: Final = 5
"""Seconds between two requests of the state."""

MOST_TIEBREAKS: Final = 3
"""The tie-breaks in the standings, so that the letters can be large."""


class WallPage(PageView):
    template = "tournament/wall.html"
    public_read = "slug"

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
    """Return the tables of the wall view with few columns, by name; none before round 1."""
    if this_round is None:
        return []
    pairings = load_pairings(tournament, this_round)
    by_name = pairings_by_name_document(tournament, this_round, pairings)
    documents = [
        ("boards", pairings_document(tournament, this_round, pairings)),
        ("names", replace(by_name, page=("name", "board", "seat_or_bye"))),
    ]
    through = last_complete_round(tournament)
    if through:
        table = recent_current_table(tournament, through=through, skip_unproven=True)
        columns = ("rank", "name", *table.labels[:MOST_TIEBREAKS])
        documents.append(("standings", replace(standings_document(table), page=columns)))
    return documents
