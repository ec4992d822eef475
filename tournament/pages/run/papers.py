"""What a director prints: sheets and slips of the rounds, cards, tables; what is out of date."""

from typing import Any

from rest_framework.request import Request

from games.core.requests import requested_choice
from games.documents.renderers.pdf.frame import PAPER_SIZES
from tournament.core.pages import RunPage
from tournament.entries.queries import find_outdated_papers
from tournament.models import Round, Tournament


class PapersPage(RunPage):
    template = "tournament/run/papers.html"
    section = "print"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the paired rounds, the last one first, and the papers that are out of date."""
        paired = [this_round for this_round in rounds if this_round.state != Round.State.PLANNED]
        return {
            "papers": PAPER_SIZES,
            "paper": requested_choice(request, "paper", PAPER_SIZES),
            "paired": paired[::-1],
            "outdated": find_outdated_papers(tournament),
            "api": f"/api/v1/tournaments/{tournament.slug}",
        }
