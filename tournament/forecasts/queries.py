"""Forecasts that are due, and their progress."""

from typing import Any

from django.db.models import QuerySet

from games.core.references import absolute_url
from games.core.waits import RUNNING, Reason
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text
from tournament.models import Forecast

GIVEN_UP = Text("the task failed %(count)s times", count=MAX_ATTEMPTS)


def due_forecasts() -> "QuerySet[Forecast]":
    """Return the forecasts that are not finished and were not given up, the oldest first."""
    due = Forecast.objects.filter(finished_at=None, attempts__lt=MAX_ATTEMPTS)
    return due.order_by("pk")


def forecast_task(number: int) -> str:
    """Return the id of the task of a forecast."""
    return f"forecast-{number}"


def task_as_json(forecast: Forecast) -> dict[str, Any]:
    """Return the JSON of the task of a forecast; the response is the address to read."""
    is_given_up = forecast.finished_at is None and forecast.attempts >= MAX_ATTEMPTS
    problem = GIVEN_UP if is_given_up else forecast.problem
    if forecast.finished_at is None and not is_given_up:
        state = "waiting"
    else:
        state = "failed" if problem else "done"
    reason = Reason("failed", problem) if state == "failed" else None
    if state == "waiting" and (forecast.done or forecast.attempts):
        reason = Reason("running", RUNNING)
    url = absolute_url(f"tournaments/{forecast.tournament.slug}/forecast")
    return {
        "id": forecast_task(forecast.pk),
        "state": state,
        "progress": None
        if state == "done"
        else {"step": "simulations", "done": forecast.done, "of": forecast.simulations},
        "response": {"url": url} if state == "done" else None,
        "since": forecast.requested_at,
        "reason": reason,
    }


def forecast_progress(number: int) -> dict[str, Any] | None:
    """Return the task of a forecast with its stream; None if there is none."""
    forecast = Forecast.objects.select_related("tournament").filter(pk=number).first()
    if forecast is None:
        return None
    return task_as_json(forecast) | {"stream": forecast.tournament.stream}
