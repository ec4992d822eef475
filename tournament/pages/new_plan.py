"""The form that asks for a plan of an event, from pasted ratings or the entries of an event."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.http.errors import Unprocessable
from games.http.request import require_account
from games.pages.actions import PageAction
from games.pages.forms import FormField, form_fields
from games.pages.views import PageView
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.queries.accounts import directed_events
from tournament.queries.plans import own_plans
from tournament.serializers.plans import NewPlanSerializer
from tournament.services.actions import BEFORE_START
from tournament.simulation.formats import PlanError, read_rounds
from tournament.views.plans import NewPlan

MOST_LISTED_PLANS: Final = 20
"""Events, and plans, that the form lists."""

PLAN_LABELS: Final[Mapping[str, str | Promise]] = {
    "simulations": _("Simulations of each format"),
    "minutes": _("Minutes of a round"),
    "pause": _("Minutes between two rounds"),
    "error": _("Error of a rating, in points"),
    "draws": _("Draw rate of equal players, from 0 to 1"),
    "first_seat": _("Value of the first move, in rating points"),
    "top": _("Number of best players to find"),
    "tiebreaks": _("Tie-breaks"),
    "seed": _("Seed"),
}
"""The fields that are inputs as they are."""

PLAN_HELP: Final[Mapping[str, str | Promise]] = {
    "simulations": _("More simulations have smaller errors and take longer."),
    "error": _("Empty: 100, or what follows from the rated games of each player."),
    "draws": _("Empty: none, or 0.3 in a game with draws."),
    "tiebreaks": _("Empty: the usual ones of each system."),
    "seed": _("Empty: it follows from the form, so that the same form has the same result."),
}
MAIN_FIELDS: Final = ("simulations", "minutes", "pause")
"""The fields that are always shown."""


def plan_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the API; raises Unprocessable for rounds that are no numbers."""
    body = dict(form)
    if "tiebreaks" in body:
        body["tiebreaks"] = str(body["tiebreaks"]).replace(",", " ").split()
    if "rounds" in body:
        try:
            body["rounds"] = read_rounds(str(body["rounds"]))
        except PlanError as error:
            raise Unprocessable("invalid_plan", error.detail, at=error.at) from error
    return body


class NewPlanPage(PageView):
    """The form; `?event=` chooses the event whose entries would play."""

    template = "tournament/new_plan.html"
    actions = {"plan": PageAction(NewPlan, done="", body=plan_body)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the fields, the events that have not begun, and the plans of the account."""
        account = require_account(request, "plan.make")
        typed = self.form.typed
        begun = set(Tournament.State) - set(BEFORE_START)
        return {
            "events": directed_events(account).exclude(state__in=begun)[:MOST_LISTED_PLANS],
            "chosen_event": typed.get("tournament", request.query_params.get("event", "")),
            "systems": [(code, gettext(system.name)) for code, system in PAIRING_SYSTEMS.items()],
            "chosen_systems": typed.get("systems[]", () if typed else ("dutch",)),
            "rounds": typed.get("rounds", "" if typed else "5-7"),
            "lines": typed.get("lines", ""),
            "aim": typed.get("aim", "winner"),
            "fields": self.fields(MAIN_FIELDS),
            "details": self.fields([name for name in PLAN_LABELS if name not in MAIN_FIELDS]),
            "has_errors_in_details": any(name not in MAIN_FIELDS for name in self.form.errors),
            "plans": own_plans(account).select_related("tournament")[:MOST_LISTED_PLANS],
        }

    def fields(self, names: Sequence[str]) -> list[FormField]:
        """Return controls with the labels and the help of this page."""
        labels = {name: str(label) for name, label in PLAN_LABELS.items()}
        empty = {"tiebreaks": ""}
        fields = form_fields(
            NewPlanSerializer(), names, values=empty, state=self.form, labels=labels
        )
        return [replace(field, help=str(PLAN_HELP.get(name, ""))) for name, field in fields.items()]

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the plan."""
        return f"/plan/{content['id']}"
