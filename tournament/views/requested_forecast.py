"""The forecast of an event that a request asks for, for the API and for pages."""

from rest_framework.request import Request

from games.core.errors import Conflict, NotFound, Unprocessable
from games.rules.text import Text
from tournament.forecasts.queries import task_as_json
from tournament.forecasts.services import find_forecast, require_running
from tournament.forecasts.state import ForecastState, load_forecast_state
from tournament.forecasts.tables import ComputedForecast
from tournament.models import Forecast, Tournament
from tournament.simulation.forecast import summarise
from tournament.simulation.tally import Tally
from tournament.views.seen import can_see_forecast

DEFAULT_TOP, MOST_TOP = 3, 256


def requested_forecast(request: Request, tournament: Tournament) -> tuple[Forecast, ForecastState]:
    """Return the forecast of the current state of an event; it is requested if there is none.

    Raises NotFound if the organiser switched it off, and Conflict if the event is not running, is
    too large, or could not be simulated.
    """
    if not can_see_forecast(request, tournament):
        detail = Text("the organiser shows no forecast of %(event)s", event=tournament.name)
        raise NotFound("forecast_off", detail)
    require_running(tournament)
    state = load_forecast_state(tournament)
    forecast = find_forecast(tournament, state)
    require_possible(forecast)
    return forecast, state


def require_possible(forecast: Forecast) -> None:
    """Raise Conflict for a forecast that failed."""
    task = task_as_json(forecast)
    if task["state"] == "failed":
        detail = Text(
            "the event cannot be simulated: %(detail)s",
            detail=forecast.problem or "the task failed",
        )
        raise Conflict("forecast_failed", detail)


def read_forecast(request: Request, forecast: Forecast, state: ForecastState) -> ComputedForecast:
    """Return a finished forecast with what it says for `?top=`; raises Unprocessable."""
    top = requested_top(request, len(state.event.crosstable.players))
    tally = Tally.parse(forecast.tally or {})
    return ComputedForecast(
        forecast=forecast,
        event=state.event,
        rows=summarise(state.event, tally, top=top),
        participants=state.participants,
        top=top,
        ended_early=tally.ended_early,
    )


def requested_top(request: Request, players: int) -> int:
    """Return the number of `?top=`, at most that of the players, by default 3."""
    text = request.query_params.get("top", "")
    if not text:
        return min(DEFAULT_TOP, players)
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= players):
        detail = Text(
            "top is %(value)s; it must be a whole number from 1 to %(most)s",
            value=f"{text[:20]!r}",
            most=players,
        )
        raise Unprocessable("wrong_top", detail, at="/top")
    return int(text)
