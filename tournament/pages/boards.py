"""A board or a bye of a round: its conditions, its result, and why it was paired."""

from typing import Any

from rest_framework.request import Request

from games.core.errors import Conflict, NotFound
from games.rules.text import Text
from tournament.models import Round, Tournament
from tournament.pages.event import EventPage
from tournament.rounds.explanations import add_reasons, explain_pairings
from tournament.rounds.queries import pairings_as_json
from tournament.views.seen import visible_round


class BoardPage(EventPage):
    """A pairing by its board, or a bye by the pairing number of its player."""

    template = "tournament/board.html"
    public_read = "slug"
    tab = "rounds"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the pairing with the reasons of the engine, as far as there are any."""
        number = address["number"]
        this_round = visible_round(request, tournament, number)
        body = pairings_as_json(tournament, this_round)
        body, unexplained = with_reasons(this_round, body)
        self.is_final = unexplained != "computed"
        if "board" in address:
            found = [p for p in body["pairings"] if p["board"] == address["board"]]
        else:
            player = address["player"]
            byes = [p for p in body["pairings"] if p["second"] is None]
            found = [p for p in byes if p["first"]["pairing_number"] == player]
        if not found:
            raise NotFound(
                "not_found", Text("round %(number)s has no such board or bye", number=number)
            )
        boards = [p["board"] for p in body["pairings"] if p["board"]]
        return {
            "this_round": this_round,
            "pairing": found[0],
            "unexplained": unexplained,
            "previous": max((b for b in boards if b < (found[0]["board"] or 0)), default=None),
            "following": min((b for b in boards if b > (found[0]["board"] or 0)), default=None),
        }


def with_reasons(this_round: Round, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the pairings with their reasons, or why there are none."""
    try:
        explanation = explain_pairings(this_round)
    except Conflict as error:
        return body, error.detail
    return add_reasons(body, explanation), "" if explanation.body else "computed"
