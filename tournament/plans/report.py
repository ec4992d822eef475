"""A stored plan as a table whose JSON has the whole request, and its chart as SVG."""

from dataclasses import replace

from games.core.tables.html import picture_policy
from games.core.tables.table import Context, DocumentRenderer, TableDocument
from games.core.waits import shown_task
from ratings.systems.charts import CHART_STYLE
from tournament.models import Plan
from tournament.plans.queries import (
    compared_formats,
    event_plan,
    expires_at,
    plan_state,
    task_of_plan,
)
from tournament.plans.tables import plan_document
from tournament.simulation.comparison import recommend
from tournament.simulation.plan_chart import ChartWords, draw_plan


def plan_report(plan: Plan) -> TableDocument:
    """Return the formats of a plan; without any simulation, the figures are null.

    The recommendation is null until the plan is done.
    """
    event = event_plan(plan)
    compared = compared_formats(plan, event)
    aim = plan.request["aim"]
    state = plan_state(plan)
    verdicts = recommend(compared, aim) if state == "done" else ()
    document = plan_document(compared, verdicts, aim, f"plan-{plan.pk}")
    body = {
        "id": plan.pk,
        "state": state,
        "task": shown_task(task_of_plan(plan)),
        "done": plan.done,
        "simulations": event.simulations,
        "created_at": plan.created_at,
        "finished_at": plan.finished_at,
        "expires_at": expires_at(plan),
        "tournament": plan.tournament.slug if plan.tournament else None,
        "players": [{"rating": one.rating, "error": one.error} for one in event.players],
        "seed": event.seed,
        "draws": event.draws,
        "first_seat": event.first_seat,
        "top": event.top,
        "minutes": plan.request["minutes"],
        "pause": plan.request["pause"],
        "aim": aim,
        **document.body,
    }
    return replace(document, body=body)


def plan_chart(plan: Plan, words: ChartWords) -> str:
    """Return the chart of a plan with at least one simulation, as SVG."""
    return draw_plan(compared_formats(plan, event_plan(plan)), words)


class ChartRenderer(DocumentRenderer):
    """Return a chart, which is text already; its policy allows its own style."""

    media_type = "image/svg+xml"
    format = "svg"
    disposition = "inline"
    security_policy = picture_policy(CHART_STYLE)

    def render(self, data: str, media_type: str | None = None, context: Context = None) -> str:
        """Return the chart."""
        return data
