"""Plans of events: request one, and read it in every format."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.actions import Action, Answer, Call
from games.core.errors import Conflict, Unprocessable, errors_of
from games.core.permissions import require_account
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer, NdjsonRenderer
from games.core.tables.views import BOM_PARAMETER, NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.waits import wait_while
from games.rules.registry import GAMES
from games.rules.text import Text
from tournament.core.lookup import named_tournament
from tournament.models import Tournament
from tournament.plans.queries import (
    UNFINISHED,
    find_plan,
    load_planned_players,
    plan_progress,
)
from tournament.plans.report import ChartRenderer, plan_chart, plan_report
from tournament.plans.serializers import NewPlanSerializer, PlanSerializer, RequestedPlanSerializer
from tournament.plans.services import PlanRequest, check_formats, prepare_plan, request_plan
from tournament.simulation.plan_chart import ChartWords
from tournament.simulation.plans import PlannedPlayer, sort_players
from tournament.simulation.player_lines import BadLines, make_player, read_players
from tournament.simulation.strengths import USUAL_DRAWS


class MakePlan(Action):
    """Simulate a tournament that has not been played, in several formats, and compare them.

    The response is 200 if the plan is small, has been simulated before, or is done within the wait,
    else 202: a task simulates it, and `Location` is where it appears. In each simulation, the true
    strengths are drawn anew from the ratings with their errors. The same request gives the same
    plan; only the account that requested it sees it. `tournament` is for the directors of the
    tournament, whose names are not stored.
    """

    name = "make_plan"
    permission = "plan.make"
    body = NewPlanSerializer
    example = {
        "ratings": [2000, 1900, 1800, 1700, 1600, 1500],
        "systems": ["dutch", "monrad"],
        "rounds": [3, 4],
    }
    responses = {200: RequestedPlanSerializer, 202: PlanSerializer}
    made = ("id", "task")
    location = "plan/{id}"
    cost = "plan"

    def prepare(self, call: Call, found: None) -> PlanRequest:
        """Return the request; a small plan is simulated."""
        try:
            players, tournament = _requested_players(call)
        except Unprocessable as error:
            error.errors += errors_of(partial(check_formats, call.body))
            raise
        has_draws = tournament is not None and GAMES[tournament.game].draws
        draws = call.body.get("draws", USUAL_DRAWS if has_draws else 0.0)
        return prepare_plan(players, call.body, draws=draws, tournament=tournament)

    def check_members(self, call: Call, found: None, members: Mapping[str, Any]) -> None:
        check_formats(members)

    def perform(self, call: Call, prepared: PlanRequest) -> Answer:
        plan = request_plan(prepared, by=call.account)
        body = plan_report(plan).body
        return Answer(body, wait=partial(_simulated, call, body))

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return Answer(wait=partial(_simulated, call, accepted))


def _simulated(call: Call, body: Mapping[str, Any], seconds: float) -> Answer:
    """Return a plan after the wait for its simulation."""
    if body["state"] in UNFINISHED and seconds:
        wait_while(plan_progress, body["id"], UNFINISHED, seconds)
        body = plan_report(find_plan(body["id"], call.account)).body
    return Answer(body, 202 if body["state"] in UNFINISHED else 200)


class PlanView(NegotiatedView):
    permission = "plan.see"
    problems = (409,)
    renderer_classes = [
        JsonRenderer,
        CsvRenderer,
        XlsxRenderer,
        NdjsonRenderer,
        HtmlRenderer,
        ChartRenderer,
    ]
    parameters = (BOM_PARAMETER,)

    @extend_schema(
        operation_id="plan",
        responses=PlanSerializer,
    )
    def get(self, request: Request, plan_id: int) -> HttpResponse:
        """Return a plan of the account, with the figures of the simulations done so far.

        The recommendation follows when all are done. Formats by suffix or `Accept`: `.json`;
        `.csv` (columns `system,rounds,minutes,boards`, then each measure with its interval);
        `.ndjson`; `.html`; `.svg` is the plot. They need at least one simulation (409
        `no_result`). A plan is deleted some days after its request (`expires_at`).
        """
        plan = find_plan(plan_id, require_account(request, self.permission))
        if not plan.done and not isinstance(self.renderer, JsonRenderer):
            raise Conflict(
                "no_result",
                Text("plan %(number)s has no simulation yet; see its `state`", number=plan.pk),
            )
        if isinstance(self.renderer, ChartRenderer):
            return self.render(plan_chart(plan, ChartWords()), f"plan-{plan.pk}")
        with self.language:
            return self.render_table(plan_report(plan))


def _requested_players(call: Call) -> tuple[tuple[PlannedPlayer, ...], Tournament | None]:
    """Return the players of a request, and their event; raises 401, 403 or Unprocessable."""
    error = call.body.get("error")
    if "ratings" in call.body:
        return sort_players(
            make_player(rating or 0, error) for rating in call.body["ratings"]
        ), None
    if "lines" in call.body:
        try:
            return read_players(call.body["lines"], error), None
        except BadLines as bad:
            problems = [
                {"pointer": "/lines", "code": "invalid_line", "line": line, "detail": detail}
                for line, detail in bad.problems
            ]
            raise Unprocessable("invalid_lines", str(bad), problems) from bad
    tournament = named_tournament(call, call.body["tournament"])
    require_account(call, "entries.edit", stream=tournament.stream)
    return load_planned_players(tournament, error), tournament
