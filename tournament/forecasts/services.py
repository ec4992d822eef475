"""The forecast of an event: request it, bring it to its end in steps, read it.

A step simulates for some seconds and stores the tally after each chunk, so that a killed worker
loses one chunk and no task takes long; the forecast is due until its last step.
"""

import time
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.request import Request

from games.core.broker import send_on_commit
from games.core.errors import Conflict, NotFound
from games.core.permissions import Caller
from games.core.requests import requested_number
from games.core.turns import TaskProgress
from games.models.attempts import count_attempt
from games.rules.text import Text, shortened
from tournament.core.lookup import MOST_PLACES, MOST_PLAYERS, can_see_forecast, fits_forecast
from tournament.core.queries import numbered_entries
from tournament.core.states import BEFORE_START
from tournament.forecasts.queries import due_forecasts, forecast_task, task_as_json
from tournament.forecasts.state import ForecastState, last_done_round, load_forecast_state
from tournament.forecasts.tables import ComputedForecast
from tournament.models import Forecast, Tournament
from tournament.simulation.forecast import summarise
from tournament.simulation.simulator import SimulationError, Task, simulate_in_chunks
from tournament.simulation.tally import NO_SIMULATIONS, Tally

FORECAST_TASK: Final = "tournament.tasks.forecast"
SIMULATIONS: Final = 2_000
"""How often an event is simulated: the sampling error of a chance is then 2.2 % at most."""

MOST_STEP_SECONDS: Final = 20.0
"""Seconds after which a step ends; the visibility timeout of the broker is longer."""

LONGEST_PROBLEM: Final = 400


def find_forecast(tournament: Tournament, state: ForecastState) -> Forecast | None:
    """Return the forecast of a state of an event; None if nobody has requested it.

    Raises Conflict if the event could not be simulated.
    """
    forecast = Forecast.objects.filter(tournament=tournament, digest=state.digest).first()
    if forecast is not None:
        require_possible(forecast)
    return forecast


def request_forecast(tournament: Tournament, state: ForecastState) -> Forecast:
    """Return the forecast of a state of a running event, which a task computes if it is new.

    Those of older states are deleted, so an event has one.
    """
    forecast = find_forecast(tournament, state)
    if forecast is not None:
        return forecast
    try:
        with transaction.atomic():
            forecast = Forecast.objects.create(
                tournament=tournament, digest=state.digest, simulations=SIMULATIONS
            )
            outdated = Forecast.objects.filter(tournament=tournament, pk__lt=forecast.pk)
            outdated.delete()
            send_on_commit(FORECAST_TASK, forecast.pk)
    except IntegrityError:  # another request was faster
        return Forecast.objects.get(tournament=tournament, digest=state.digest)
    return forecast


def require_size(tournament: Tournament) -> None:
    """Raise Conflict for an event that is too large, before anything of it is loaded."""
    players = numbered_entries(tournament).count()
    rounds = tournament.rounds - last_done_round(tournament)
    if not fits_forecast(players, rounds):
        detail = Text(
            "%(players)s players have %(rounds)s rounds to play; a forecast is "
            "limited to %(most)s players, and to %(total)s in all rounds together",
            players=players,
            rounds=rounds,
            most=MOST_PLAYERS,
            total=MOST_PLACES,
        )
        raise Conflict("forecast_too_large", detail)


def require_running(tournament: Tournament) -> None:
    """Raise Conflict for an event that has not started or is over."""
    if tournament.state in BEFORE_START:
        detail = Text("the event has not started; a forecast needs the players who take part")
        raise Conflict("not_started", detail)
    if tournament.state != Tournament.State.RUNNING:
        raise Conflict("tournament_over", Text("the event is over; its standings say how it ended"))


def delete_outdated() -> None:
    """Delete the forecasts of events that are not running any more."""
    Forecast.objects.exclude(tournament__state=Tournament.State.RUNNING).delete()


def run_step(number: int) -> None:
    """Simulate for a while, unless a forecast is finished, given up, or computed by a worker."""
    progress = TaskProgress.begin(forecast_task(number))
    if progress is None:
        return
    try:
        with count_attempt(due_forecasts(), number) as is_due:
            if is_due:
                _simulate(Forecast.objects.select_related("tournament").get(pk=number), progress)
    finally:
        progress.end()


def _simulate(forecast: Forecast, progress: TaskProgress) -> None:
    """Add simulations to the tally until the step or the forecast ends."""
    tournament = forecast.tournament
    if tournament.state != Tournament.State.RUNNING:
        forecast.delete()
        return
    # Loaded again in each step: results may have come in since the one before.
    state = load_forecast_state(tournament)
    if state.digest != forecast.digest:
        forecast.delete()
        return
    task = Task(event=state.event, rule=state.rule, seed=state.digest)
    tally = Tally.parse(forecast.tally) if forecast.tally else NO_SIMULATIONS
    end = time.monotonic() + MOST_STEP_SECONDS
    chunks = simulate_in_chunks(
        task,
        start=forecast.done,
        stop=forecast.simulations,
        processes=settings.SIMULATION_PROCESSES,
    )
    try:
        for chunk in chunks:
            before, tally = tally.simulations, tally + chunk
            progress("simulating", tally.simulations, forecast.simulations)
            if not _store(forecast, before, tally) or time.monotonic() > end:
                break
    except SimulationError as error:
        problem = shortened(str(error), LONGEST_PROBLEM)
        Forecast.objects.filter(pk=forecast.pk, finished_at=None).update(
            finished_at=timezone.now(), problem=problem
        )
    finally:
        chunks.close()


def _store(forecast: Forecast, before: int, tally: Tally) -> bool:
    """Store the tally after `before` simulations; return False if the row has changed since."""
    done = tally.simulations
    is_finished = done >= forecast.simulations
    unchanged = Forecast.objects.filter(pk=forecast.pk, done=before, finished_at=None)
    return (
        unchanged.update(
            done=done,
            tally=tally.as_json(),
            attempts=0,
            finished_at=timezone.now() if is_finished else None,
        )
        > 0
    )


DEFAULT_TOP, MOST_TOP = 3, 256


def require_shown(caller: Caller, tournament: Tournament) -> None:
    """Raise NotFound if the organiser shows the forecast not, or not to the caller."""
    if not can_see_forecast(caller, tournament):
        detail = Text("the organiser shows no forecast of %(event)s", event=tournament.name)
        raise NotFound("forecast_off", detail)


def state_to_forecast(tournament: Tournament) -> ForecastState:
    """Return the current state of an event; raise Conflict if it is not running, or too large."""
    require_running(tournament)
    require_size(tournament)
    return load_forecast_state(tournament)


def require_possible(forecast: Forecast) -> None:
    """Raise Conflict for a forecast that failed."""
    task = task_as_json(forecast)
    if task["state"] == "failed":
        detail = Text(
            "the event cannot be simulated: %(detail)s",
            detail=forecast.problem or Text("the task failed"),
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
    default = min(DEFAULT_TOP, players)
    return requested_number(request, "top", default, least=1, most=players)
