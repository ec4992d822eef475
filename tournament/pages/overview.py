"""The first page of an event: what it is, and its rounds."""

from typing import Any

from rest_framework.request import Request

from games.http.public_reads import PublicRead
from games.rules import find_game
from tournament.models import Entry, Tournament
from tournament.pages.event import EventPage
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.queries import listed_entries


class OverviewPage(EventPage):
    template = "tournament/overview.html"
    public_read = PublicRead.ADDRESS
    tab = "overview"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the conditions of the event, and the number of players."""
        accepted = listed_entries(tournament).filter(shown_state=Entry.State.ACCEPTED)
        return {
            "rules": find_game(tournament.game),
            "system": PAIRING_SYSTEMS[tournament.system],
            "players": accepted.count(),
            "has_dates": any(this_round.starts_on for this_round in frame["rounds"]),
            "has_handicaps": tournament.handicaps != Tournament.Handicaps.NONE,
            "can_apply": tournament.state == Tournament.State.REGISTRATION,
        }
