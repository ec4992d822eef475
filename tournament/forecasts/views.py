"""How a running event can end, in every format."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from games.core.actions import Action, Answer, Call, with_accepted_task, with_task
from games.core.errors import NotFound
from games.core.requests import wait_seconds, whole_number
from games.core.tables.html import HtmlRenderer
from games.core.tables.pdf import PdfRenderer
from games.core.tables.views import BOM_PARAMETER, PAPER, TABLE_FORMATS, NegotiatedView
from games.core.types import described
from games.core.views import endpoint
from games.core.waits import ASK_AGAIN, PREFER, place_to_wait, shown_task, task_headers, wait_while
from games.rules.text import Text
from tournament.core.lookup import tournament_seen_by
from tournament.core.sheets import requested_frame
from tournament.forecasts.queries import forecast_progress
from tournament.forecasts.services import (
    DEFAULT_TOP,
    MOST_TOP,
    find_forecast,
    read_forecast,
    request_forecast,
    requested_top,
    require_possible,
    require_shown,
    state_to_forecast,
)
from tournament.forecasts.state import ForecastState
from tournament.forecasts.tables import (
    ForecastOfEvent,
    ForecastPlotRenderer,
    ForecastTask,
    forecast_document,
)
from tournament.models import Tournament

TOP_PARAMETER = OpenApiParameter(
    "top",
    whole_number(1, MOST_TOP, DEFAULT_TOP),
    description="the number of places of the chance to be among the first",
)


class RequestForecast(Action):
    """Ask for the forecast of the tournament as it is now; anyone may who may read it.

    202 with the task that computes it, 200 if it is computed: read it with GET. After a further
    result or a new draft it is another one. 409 `not_started`, `tournament_over`,
    `forecast_too_large`.
    """

    name = "request_forecast"
    responses = {200: ForecastTask, 202: ForecastTask}
    cost = "dear"

    def find(self, call: Call) -> Tournament:
        tournament = tournament_seen_by(call, call.address["slug"])
        require_shown(call, tournament)
        return tournament

    def prepare(self, call: Call, tournament: Tournament) -> tuple[Tournament, ForecastState]:
        return tournament, state_to_forecast(tournament)

    def perform(self, call: Call, prepared: tuple[Tournament, ForecastState]) -> Answer:
        return with_task(dict, forecast_progress, request_forecast(*prepared).pk)

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return with_accepted_task(accepted, forecast_progress)


class ForecastView(NegotiatedView):
    public_read = "site"  # the ratings of a pool are in its journal
    post = endpoint(RequestForecast)
    renderer_classes = (*TABLE_FORMATS, ForecastPlotRenderer)
    parameters = (TOP_PARAMETER, PREFER, BOM_PARAMETER, PAPER)

    @extend_schema(responses={200: described(ForecastOfEvent), 202: described(ForecastTask)})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return how a running tournament can end, by 2,000 simulations of the rounds to come.

        Each simulation pairs the rounds with the tournament's system and draws the results by the
        ratings, with handicaps; draws only in games that have them. It starts from what is
        published: complete rounds, and the boards and results of published ones. The same state
        gives the same forecast. 404 `no_forecast` until somebody asks for that of the current state
        (`request_forecast`). While a task computes it, the response is 202 with the task, in every
        format. `certain` is true or false where the points alone prove it in every possible
        continuation, otherwise null. 404 `forecast_off` if the organiser does not show it; 409
        `not_started`, `tournament_over`. `.svg` is a plot. CSV columns: `number,name,rating,points,
        win,win_error,top,top_error,expected_rank,best_rank,worst_rank,certain_win,certain_top,
        rating_change,rating_change_deviation`, where `number` is the pairing number.
        """
        tournament = tournament_seen_by(request, slug)
        require_shown(request, tournament)
        state = state_to_forecast(tournament)
        requested_top(request, len(state.event.crosstable.players))
        forecast = find_forecast(tournament, state)
        if forecast is None:
            detail = Text("nobody has asked for a forecast of the event as it is now; use POST")
            raise NotFound("no_forecast", detail)
        if forecast.finished_at is None:
            with place_to_wait(wait_seconds(request), self.headers) as seconds:
                task = wait_while(forecast_progress, forecast.pk, ("waiting",), seconds)
            if task is None or task["state"] == "waiting":
                return _accepted(task)
            forecast.refresh_from_db()
            require_possible(forecast)
        found = read_forecast(request, forecast, state)
        context: dict[str, Any] = {}
        if isinstance(self.renderer, HtmlRenderer):
            context["page"] = f"/e/{tournament.slug}/forecast"
        with self.language:
            if isinstance(self.renderer, PdfRenderer):
                context["frame"] = requested_frame(request, tournament)
            document = forecast_document(tournament, found)
            return self.render_table(document, **context)


def _accepted(task: dict[str, Any] | None) -> HttpResponse:
    """Return the response while a task computes the forecast.

    A new state may have replaced the row in the meantime; then there is no task to name.
    """
    visible = shown_task(task)
    headers = {"Retry-After": str(ASK_AGAIN), "Cache-Control": "no-store", **task_headers(visible)}
    return JsonResponse({"task": visible or None}, status=202, headers=headers)
