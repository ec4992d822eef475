"""The frame of the pages that run an event: for its officials, with its navigation."""

from collections.abc import Collection, Iterable
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.pages import PageView
from games.core.permissions import find_refusals
from games.core.preconditions import Target
from games.core.requests import current_account
from games.core.text import translated
from tournament import queries
from tournament.core.lookup import allowed_event_actions, require_tournament, tournament_seen_by
from tournament.core.queries import numbered_entries
from tournament.core.violations import find_violations
from tournament.models import Round, Tournament
from tournament.pages.event import event_frame
from tournament.pairing.findings import Finding, with_names


class RunPage(PageView):
    """A page for the officials of an event; `section` is its place in the navigation.

    A subclass defines `details`, which is called with the event, its rounds and the rest of the
    address.
    """

    section = ""

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the frame of the event, and the details of the page."""
        tournament = tournament_seen_by(request, slug)
        user, token = current_account(request)
        permissions = "drafts.see", "tournament.links"
        refusals = find_refusals(user, token, permissions, stream=tournament.stream)
        if refusal := refusals["drafts.see"]:
            raise refusal
        frame = event_frame(request, tournament, tab="run")
        rounds = frame["rounds"]
        place = {
            "section": self.section,
            "run_round": find_current_round(rounds),
            "is_director": refusals["tournament.links"] is None,
        }
        return frame | place | self.details(request, tournament, rounds, **address)

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the context of this page."""
        return {}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of a form for an official of the event."""
        require_tournament(request, address["slug"], "drafts.see")
        return super().post(request, **address)


def find_current_round(rounds: Iterable[Round]) -> Round | None:
    """Return the first round that is not complete, or the last one; None before the start."""
    last = None
    for this_round in rounds:
        last = this_round
        if this_round.state not in queries.FINISHED_ROUND_STATES:
            break
    return last


def quoted_tag(target: Target) -> str:
    """Return the tag of an object as the page shows it, for the field `if_match`."""
    return f'"{target.current_tag(locked=False)}"'


def actions_by_name(actions: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the level of each action by its name, and why it is forbidden in words."""
    return {
        action["action"]: action | {"reason": translated(action.get("reason", ""))}
        for action in actions
    }


def findings_with_names(
    tournament: Tournament, findings: Iterable[Finding]
) -> list[dict[str, Any]]:
    """Return findings as JSON, with the numbers and names of their players; one query, if any."""
    found = list(findings)
    names = names_by_number(tournament, {number for one in found for number in one.players})
    return [one.as_json() | {"sentence": with_names(one.sentence, names)} for one in found]


def names_by_number(tournament: Tournament, numbers: Collection[int]) -> dict[int, str]:
    """Return the numbers with the names of players, by pairing number; one query, if any."""
    if not numbers:
        return {}
    entries = numbered_entries(tournament).filter(pairing_number__in=numbers)
    rows = entries.values_list("pairing_number", "player__name")
    return {number: f"{number} {name}" for number, name in rows}


def draft_warnings(tournament: Tournament, rounds: Iterable[Round]) -> list[dict[str, Any]]:
    """Return the rules that drafts break now, such as a player in it who has withdrawn."""
    return [
        {"round": this_round.number, **finding}
        for this_round in rounds
        if this_round.state == Round.State.DRAFTED
        for finding in findings_with_names(tournament, find_violations(tournament, this_round))
    ]


def event_action(request: Request, tournament: Tournament, name: str) -> dict[str, Any]:
    """Return the level of an action of the event."""
    actions = actions_by_name(allowed_event_actions(request, tournament))
    return actions.get(name) or forbidden_to_scorers(name)


def forbidden_to_scorers(name: str) -> dict[str, Any]:
    """Return the level of an action that is not listed for the reader."""
    reason = gettext("Only the owners and directors of the event may do this.")
    return {"action": name, "level": "forbidden", "reason": reason}
