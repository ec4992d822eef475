"""The byes of a round that were requested before its pairing, and the forms that change them."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop

from games.core.page_actions import PageAction
from games.queries import rows_as_dicts
from tournament import queries
from tournament.models import Tournament
from tournament.pages.run.player_numbers import entry_of_number
from tournament.views.byes import ByeList, ByeView


def bye_body(form: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that grants a player, by pairing number, a bye in the round of the page."""
    tournament = queries.find_tournament(f"tournament/{address['slug']}")
    number = str(form.pop("player", "")).strip()
    entry = entry_of_number(tournament, number, at="/player")
    return {**form, "entry": entry, "round": address["number"]}


BYE_ACTIONS: Final = {
    "grant-bye": PageAction(
        ByeList, left_out=("number",), body=bye_body, done=gettext_noop("The bye is granted.")
    ),
    "cancel-bye": PageAction(
        ByeView,
        method="delete",
        parameters=("bye_id",),
        left_out=("number",),
        done=gettext_noop("The bye is cancelled."),
    ),
}


def requested_byes(tournament: Tournament, number: int) -> list[dict[str, Any]]:
    """Return the requested byes of a round by pairing number; one query."""
    byes = tournament.byes.filter(round=number).order_by("entry__pairing_number")
    columns = ("pk", "kind", "reason", "entry__pairing_number", "entry__player__name")
    return rows_as_dicts(byes, *columns)
