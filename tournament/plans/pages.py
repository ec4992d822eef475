"""A plan of an event: its progress, the recommendation, the formats compared, and their chart."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, ngettext
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.pages import PageView
from games.core.requests import require_account
from games.core.tables.html import table_context
from games.core.text import decimal_text
from games.rules.text import Text
from tournament.models import Plan
from tournament.plans.queries import compared_formats, event_plan, expires_at, find_plan, plan_state
from tournament.plans.report import ChartRenderer, plan_chart, plan_report
from tournament.simulation.comparison import ComparedFormat, recommend
from tournament.simulation.plan_chart import ChartWords
from tournament.simulation.plan_sentences import write_minutes, write_number, write_share


class PlanPage(PageView):
    template = "tournament/plan.html"

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
