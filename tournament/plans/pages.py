"""The form that asks for a plan of an event, and a plan: its progress, its formats, their chart."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, ngettext
from rest_framework.request import Request

from games.core.errors import NotFound, Unprocessable
from games.core.forms import Form, FormField, form_fields
from games.core.pages import PageView
from games.core.permissions import require_account
from games.core.tables.html import table_context
from games.core.text import decimal_text
from games.rules.text import Text
from tournament.core.states import BEFORE_START
from tournament.models import Plan, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.usual_tiebreaks import ranking_without_points
from tournament.plans.queries import (
    compared_formats,
    event_plan,
    expires_at,
    find_plan,
    own_plans,
    plan_state,
)
from tournament.plans.report import ChartRenderer, plan_chart, plan_report
from tournament.plans.serializers import NewPlanSerializer
from tournament.plans.views import MakePlan
from tournament.players.queries import directed_events
from tournament.simulation.comparison import ComparedFormat, Reason, recommend
from tournament.simulation.formats import PlanError, read_rounds
from tournament.simulation.plan_chart import ChartWords
from tournament.simulation.plan_sentences import write_minutes, write_number, write_share


class PlanPage(PageView):
    template = "tournament/plans/plan.html"

    def context(self, request: Request, plan_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the plan with its figures so far; the page reloads itself until it is done."""
        plan = _own_plan(request, plan_id)
        event, state = event_plan(plan), plan_state(plan)
        compared = compared_formats(plan, event)
        aim = plan.request["aim"]
        verdicts = recommend(compared, aim) if state == "done" else ()
        return {
            "plan": plan,
            "state": state,
            "event": event,
            "aim": aim,
            "expires_at": expires_at(plan),
            "cautions": _cautions(compared),
            "equal": sum(found.reason is Reason.EQUAL for found in verdicts),
            "percent": 100 * plan.done // event.simulations,
            "verdicts": [
                {
                    "reason": str(found.reason),
                    "name": format_name(compared[found.index]),
                    "figure": write_share(found.figure)
                    if aim == "winner"
                    else decimal_text(write_number(found.figure)),
                    "length": write_minutes(compared[found.index].minutes),
                    "longer": write_minutes(found.longer) if found.longer > 0 else "",
                    "shorter": write_minutes(-found.longer) if found.longer < 0 else "",
                }
                for found in verdicts
            ],
            **(table_context(plan_report(plan)) if plan.done else {}),
        }


def _cautions(compared: Sequence[ComparedFormat]) -> list[dict[str, Any]]:
    """Return what to bear in mind about the rankings of the formats, each once."""
    found = (ranking_without_points(row.format.tiebreaks) for row in compared)
    return [{"detail": detail} for detail in dict.fromkeys(found) if detail]


class PlanChartPage(PageView):
    """The chart of a plan, in the language of the reader."""

    def get(self, request: Request, plan_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the image."""
        plan = _own_plan(request, plan_id)
        if not plan.done:
            raise NotFound(
                "not_found", Text("plan %(number)s has no simulation yet", number=plan.pk)
            )
        words = ChartWords(
            title=gettext("Formats compared"),
            winner=gettext("The strongest player wins"),
            tau=gettext("Agreement of the order (tau)"),
            write_decimal=decimal_text,
            names=tuple(map(format_name, compared_formats(plan, event_plan(plan)))),
        )
        return HttpResponse(
            plan_chart(plan, words),
            content_type=f"{ChartRenderer.media_type}; charset=utf-8",
            headers={"Content-Security-Policy": ChartRenderer.security_policy},
        )


def format_name(row: ComparedFormat) -> str:
    """Return the name of a format in the language of the reader, as `Monrad, 6 rounds`."""
    rounds = row.format.rounds
    words = ngettext("%(system)s, %(rounds)d round", "%(system)s, %(rounds)d rounds", rounds)
    return words % {"system": row.name, "rounds": rounds}


def _own_plan(request: Request, plan_id: int) -> Plan:
    return find_plan(plan_id, require_account(request, "plan.see"))


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

    template = "tournament/plans/new_plan.html"
    actions = {"plan": Form(MakePlan, body=plan_body, is_typed=True)}

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
