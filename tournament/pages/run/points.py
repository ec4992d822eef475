"""The point system of an event: what each kind of result is worth, until the event starts."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import FormField
from games.core.page_actions import PageAction
from games.core.text import decimal_text
from tournament import queries
from tournament.core.locking import tournament_target
from tournament.core.pages import RunPage, event_action, quoted_tag
from tournament.events.views import TournamentView
from tournament.models import Round, Tournament
from tournament.services.actions import BEFORE_START

POINT_LABELS: Final[Mapping[str, Promise]] = {
    "win": _("Won game"),
    "draw": _("Drawn game"),
    "loss": _("Lost game"),
    "forfeit_win": _("Win by forfeit"),
    "forfeit_loss": _("Loss by forfeit"),
    "pairing_bye": _("Pairing-allocated bye"),
    "full_bye": _("Full-point bye"),
    "half_bye": _("Half-point bye"),
    "zero_bye": _("Zero-point bye"),
}
"""The members of a point system, for readers."""


def points_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points of the fields `points.NAME`; the others follow from the games.

    A decimal comma and the sign ½ are read as well.
    """
    sent = form.get("points", {})
    if not isinstance(sent, dict):
        return {"points": sent}
    texts = {name: str(text).strip() for name, text in sent.items()}
    return {
        "points": {
            name: "1/2" if text == "½" else text.replace(",", ".") for name, text in texts.items()
        }
    }


class PointsPage(RunPage):
    template = "tournament/run/points.html"
    section = "setup"
    actions = {
        "save": PageAction(
            TournamentView, gettext_noop("The points are stored."), method="patch", body=points_body
        )
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return a field for each kind of result, and why the points are fixed, if they are."""
        allowed = event_action(request, tournament, "edit")
        if allowed["level"] != "forbidden" and tournament.state not in BEFORE_START:
            reason = gettext("The event has started, so its points are fixed.")
            allowed = allowed | {"level": "forbidden", "reason": reason}
        return {
            "allowed": allowed,
            "if_match": quoted_tag(tournament_target(tournament)),
            "fields": self._fields(tournament),
        }

    def _fields(self, tournament: Tournament) -> list[FormField]:
        system = queries.point_system(tournament)
        stored = {f"points.{name}": value for name, value in tournament.points.items()}
        values = self.form.typed or stored
        return [
            FormField(
                name=f"points.{name}",
                label=str(label),
                value=values.get(f"points.{name}", ""),
                help=gettext("Now: %s") % decimal_text(system.format_units(getattr(system, name))),
                longest=9,
                errors=self.form.errors.get(f"points.{name}", ()),
            )
            for name, label in POINT_LABELS.items()
        ]
