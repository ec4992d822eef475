"""The tasks of tournaments in the API: batches to rate, explanations, forecasts."""

from typing import Final

from rest_framework.request import Request

from games.core.permissions import can_see_drafts, viewer
from games.core.waits import TaskKind
from ratings.batches.queries import batch_progress
from tournament.core.lookup import UNPUBLISHED, can_see_forecast
from tournament.core.queries import visible_tournaments
from tournament.forecasts.queries import forecast_progress
from tournament.models import Explanation, Forecast
from tournament.rounds.explanations import explanation_progress


def can_see_batch(request: Request, _number: int, stream: str) -> bool:
    """Return True if the account may see the event of the batch."""
    kind, _, slug = stream.partition("/")
    visible = visible_tournaments(*viewer(request, "tournament.see"))
    return kind != "tournament" or visible.filter(slug=slug).exists()


def can_see_explanation(request: Request, number: int, stream: str) -> bool:
    """Return True if the account may see the explained pairings."""
    if not can_see_batch(request, number, stream):
        return False
    drafted = Explanation.objects.filter(pk=number, certificate__round__state__in=UNPUBLISHED)
    return can_see_drafts(request, stream) or not drafted.exists()


def can_see_forecast_task(request: Request, number: int, stream: str) -> bool:
    """Return True if the account may see forecasts of the event."""
    found = Forecast.objects.select_related("tournament").filter(pk=number).first()
    if found is None or not can_see_batch(request, number, stream):
        return False
    return can_see_forecast(request, found.tournament)


TOURNAMENT_TASK_KINDS: Final = {
    "forecast": TaskKind(forecast_progress, can_see_forecast_task),
    "batch": TaskKind(batch_progress, can_see_batch),
    "explanation": TaskKind(explanation_progress, can_see_explanation),
}
