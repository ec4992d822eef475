"""The pairings of a round with its results, by board or by name."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from games.core.forms import form_fields
from games.core.page_actions import Form
from games.core.requests import requested_choice
from games.core.tables.html import FindLink, Links, table_context
from tournament.models import Tournament
from tournament.pages.event import EventPage
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.queries import load_pairings
from tournament.rounds.tables import pairings_by_name_document, pairings_document
from tournament.rounds.views import ExplainTwo
from tournament.serializers.pairing import ExplainRequestSerializer
from tournament.views.seen import visible_round


class RoundPage(EventPage):
    """The pairings; a form asks why two players do not meet."""

    template = "tournament/round.html"
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
