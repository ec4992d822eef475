"""The form that asks for a plan of an event, from pasted ratings or the entries of an event."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import FormField, form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.requests import require_account
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.plans.queries import own_plans
from tournament.plans.serializers import NewPlanSerializer
from tournament.plans.views import NewPlan
from tournament.queries.accounts import directed_events
from tournament.services.actions import BEFORE_START
from tournament.simulation.formats import PlanError, read_rounds

MOST_LISTED_PLANS: Final = 20
"""Events, and plans, that the form lists."""

MAIN_FIELDS: Final = ("rounds", "aim", "simulations", "minutes", "pause")
"""The fields that are always shown."""
USUAL_ROUNDS: Final = "5-7"
OTHER_FIELDS: Final = ("error", "draws", "first_seat", "top", "tiebreaks", "seed")


def plan_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the API; raises Unprocessable for rounds that are no numbers."""
    if "rounds" not in form:
        return form
    try:
        return form | {"rounds": read_rounds(" ".join(map(str, form["rounds"])))}
    except PlanError as error:
        raise Unprocessable("invalid_plan", error.detail, at=error.at) from error


class NewPlanPage(PageView):
    """The form; `?event=` chooses the event whose entries would play."""

    template = "tournament/new_plan.html"
    actions = {"plan": PageAction(NewPlan, done="", body=plan_body, serializer=NewPlanSerializer)}

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
            "lines": typed.get("lines", ""),
            "fields": self.fields(MAIN_FIELDS),
            "details": self.fields(OTHER_FIELDS),
            "has_errors_in_details": not self.form.errors.keys().isdisjoint(OTHER_FIELDS),
            "plans": own_plans(account).select_related("tournament")[:MOST_LISTED_PLANS],
        }

    def fields(self, names: Sequence[str]) -> list[FormField]:
        """Return the controls of fields."""
        values = {"rounds": USUAL_ROUNDS}
        fields = form_fields(NewPlanSerializer(), names, values=values, state=self.form)
        return list(fields.values())

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the plan."""
        return f"/plan/{content['id']}"
