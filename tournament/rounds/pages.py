"""The pairings of a round with its results, by board or by name.

A board or a bye of a round: its conditions, its result, and why it was paired.
"""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from games.core.errors import Conflict, NotFound
from games.core.forms import form_fields
from games.core.page_actions import Form
from games.core.requests import requested_choice
from games.core.tables.html import FindLink, Links, table_context
from games.rules.text import Text
from tournament.core.lookup import visible_round
from tournament.core.pages import EventPage
from tournament.models import Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.explanations import add_reasons, explain_pairings
from tournament.rounds.queries import load_pairings, pairings_as_json
from tournament.rounds.serializers import ExplainRequestSerializer
from tournament.rounds.tables import pairings_by_name_document, pairings_document
from tournament.rounds.views import ExplainTwo


class RoundPage(EventPage):
    """The pairings; a form asks why two players do not meet."""

    template = "tournament/rounds/round.html"
    public_read = "slug"
    tab = "rounds"
    actions = {"explain": Form(ExplainTwo)}

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the table of the pairings, and the reader's own one."""
        this_round = visible_round(request, tournament, address["number"])
        pairings = load_pairings(tournament, this_round)
        order = requested_choice(request, "by", ("board", "name"))
        build = pairings_document if order == "board" else pairings_by_name_document
        document = build(tournament, this_round, pairings)
        own = frame["own_entry"].pk if frame["own_entry"] else None
        base = f"/e/{tournament.slug}"
        here = f"{base}/rounds/{this_round.number}"

        def is_own(record: Mapping[str, Any]) -> bool:
            player = record.get("player")
            players = [player] if player else [record["first"], record["second"]]
            return own in [found["entry"] for found in players if found]

        def board(record: Mapping[str, Any]) -> str:
            return f"{here}/boards/{record['board']}"

        def other(record: Mapping[str, Any]) -> str:
            player = record["opponent"] if "player" in record else record["second"]
            bye = f"{here}/byes/{record['first']['pairing_number']}"
            return card_address(base, player) if player else bye

        links: Links = {
            "marked_board": board,
            "board": board,
            "first_player": lambda record: card_address(base, record["first"]),
            "name": lambda record: card_address(base, record["player"]),
            "second_player": other,
            "opponent": other,
            "result_or_dash": game_address,
        }
        results = [(p.result, p.adjourned) for p in pairings if p.second]
        returns = [found for pairing in pairings if (found := pairing.return_game)]
        results += [(found["result"], found["adjourned"]) for found in returns]
        return {
            "this_round": this_round,
            "order": order,
            "document": document,
            "missing": sum(not result and not adjourned for result, adjourned in results),
            "results": len(results),
            "own_pairing": next((p for p in pairings if own and is_own(p.as_json())), None),
            "compares_alternatives": PAIRING_SYSTEMS[tournament.system].compares_alternatives,
            "fields": form_fields(ExplainRequestSerializer(), ("a", "c"), state=self.form),
            **table_context(document, links=links, is_marked=is_own if own else None),
        }


def card_address(base: str, player: Mapping[str, Any]) -> str:
    """Return the address of a player's card below that of their event."""
    return f"{base}/players/{player['pairing_number']}" if player["pairing_number"] else ""


def card_link(tournament: Tournament) -> FindLink:
    """Return the link from a record with a pairing number to the card of its player."""
    return lambda record: f"/e/{tournament.slug}/players/{record['number']}"


def game_address(record: Mapping[str, Any]) -> str:
    """Return the address of the game of a pairing, empty without one."""
    return f"/games/{record['game']}" if record["game"] else ""


class BoardPage(EventPage):
    """A pairing by its board, or a bye by the pairing number of its player."""

    template = "tournament/rounds/board.html"
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
