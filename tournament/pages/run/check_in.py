"""Check players in: one button for each, those who are missing first."""

from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games.core.page_actions import PageAction
from games.core.text import translated
from tournament.core.actions import next_round
from tournament.core.locking import entry_tags
from tournament.core.pages import RunPage
from tournament.models import Entry, Round, Tournament
from tournament.services.actions import wrong_state
from tournament.services.entry_actions import CHECK_IN_STATES
from tournament.views.entry_actions import CheckIn


class CheckInPage(RunPage):
    template = "tournament/run/check_in.html"
    section = "check-in"
    actions = {
        name: PageAction(CheckIn, done, options={"action_name": name}, parameters=("entry_id",))
        for name, done in (
            ("check-in", gettext_noop("The player is checked in.")),
            ("check-out", gettext_noop("The player is not checked in any more.")),
        )
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the accepted entries in two groups: who is missing, and who is present."""
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        entries = list(accepted.select_related("player__merged_into").order_by("player__name"))
        number = next_round(tournament)
        tags = entry_tags(tournament, entries)
        missing: list[dict[str, Any]] = []
        present: list[dict[str, Any]] = []
        for entry in entries:
            row = {"entry": entry, "name": entry.player.current.name, "tag": tags[entry.pk]}
            (present if _is_present(tournament, entry, number) else missing).append(row)
        changed = request.query_params.get("entry", "")
        shown = next((row for row in missing + present if str(row["entry"].pk) == changed), None)
        following = [
            other for other in missing if shown and other["name"] > shown["name"]
        ] or missing
        return {
            "number": number,
            "refusal": refusal(tournament),
            "missing": missing,
            "present": present,
            "changed": shown,
            "is_checked_in": shown in present,
            "following": following[0] if shown and following else None,
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, which names the player and has the focus on the next one."""
        return f"{request.path}?{urlencode({'entry': content['id'], 'done': name})}"


def _is_present(tournament: Tournament, entry: Entry, number: int) -> bool:
    """Return True if the entry has checked in for a round."""
    if tournament.check_in == Tournament.CheckIn.ROUND:
        return entry.checked_in_round == number
    return entry.checked_in_round is not None


def refusal(tournament: Tournament) -> str:
    """Return why nobody can check in now; empty if players can."""
    if tournament.check_in == Tournament.CheckIn.NONE:
        return gettext("This event has no check-in; its settings can have one.")
    if tournament.state in CHECK_IN_STATES:
        return ""
    return translated(wrong_state(tournament.name, tournament.state, *CHECK_IN_STATES).detail)
