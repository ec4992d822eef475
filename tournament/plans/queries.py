"""Plans of events: the players of an event who would play, and how far a plan is."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from games.core.decimals import estimate
from games.core.errors import require_found
from games.core.waits import given_up
from games.models import Account
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text
from ratings.lists.queries import find_histories
from ratings.models import Pool, Rating
from ratings.systems.elo import MILLI
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import find_preset
from tournament.models import Entry, Plan, Tournament
from tournament.simulation.comparison import ComparedFormat, Day, compare_formats
from tournament.simulation.figures import Totals
from tournament.simulation.plans import EventPlan, PlannedPlayer, sort_players
from tournament.simulation.player_lines import make_player

UNFINISHED: Final = ("waiting",)
STATES: Final = (*UNFINISHED, "done", "failed")
DAY: Final = timedelta(days=1)


def load_planned_players(
    tournament: Tournament, error: int | None = None
) -> tuple[PlannedPlayer, ...]:
    """Return the accepted entries of an event as players of a plan, in two or three queries.

    If the event takes its seeds from the pool, so does the plan. The error of a rating follows from
    the number of rated games in the pool of the event; without any, and for all players if it is
    given, it is `error`, in points.
    """
    entries = tournament.entries.filter(state=Entry.State.ACCEPTED)
    rows = list(entries.values_list("seed_rating", "player_id", "player__merged_into_id"))
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.pool else None
    if pool is None:
        return sort_players(make_player(rating, error) for rating, *_ in rows)
    system = find_preset(pool.preset, pool.parameters)
    ids = [merged or player for _, player, merged in rows]
    rated = {
        rating.player_id: rating for rating in Rating.objects.filter(pool=pool, player__in=ids)
    }
    histories = dict(zip(rated, find_histories(pool, list(rated)), strict=True))
    takes_pool = tournament.seed_source == Tournament.SeedSource.POOL
    players = []
    for (seed, *_), player in zip(rows, ids, strict=True):
        rating = rated.get(player)
        if rating is None or not rating.rating:
            players.append(make_player(seed, error))
            continue
        history = histories[player]
        deviation = deviation_of(
            system,
            rating.rating,
            rating.games,
            pool.spread,
            start=history.start,
            sizes=history.sizes,
        )
        points = max(1, (rating.rating + MILLI // 2) // MILLI) if takes_pool else seed
        players.append(make_player(points, round(deviation / MILLI) if error is None else error))
    return sort_players(players)


def find_plan(number: int, by: Account) -> Plan:
    """Return a plan of an account; raises NotFound for those of others."""
    plan = Plan.objects.filter(pk=number, by=by).select_related("tournament").first()
    return require_found(plan, Text("you have no plan %(number)s", number=number))


def own_plans(by: Account) -> "QuerySet[Plan]":
    """Return the plans of an account, newest first."""
    return Plan.objects.filter(by=by).order_by("-pk")


def unfinished_plans() -> "QuerySet[Plan]":
    """Return the plans that lack simulations and are not given up, the oldest first."""
    return Plan.objects.filter(finished_at=None).order_by("pk")


def event_plan(plan: Plan) -> EventPlan:
    """Return what a plan simulates."""
    return EventPlan.parse(plan.request["plan"])


def compared_formats(plan: Plan, event: EventPlan) -> tuple[ComparedFormat, ...]:
    """Return the formats of a plan with the simulations done so far."""
    totals = [Totals.parse(value) for value in plan.totals] or [Totals()] * len(event.formats)
    day = Day(plan.request["minutes"], plan.request["pause"])
    return compare_formats(event.formats, totals, len(event.players), day)


def plan_task(number: int) -> str:
    """Return the id of the task of a plan."""
    return f"plan-{number}"


def plan_progress(number: int) -> dict[str, Any] | None:
    """Return the task of a plan as JSON, with its owner; None if there is no such plan."""
    plan = Plan.objects.filter(pk=number).first()
    return None if plan is None else task_of_plan(plan)


def task_of_plan(plan: Plan) -> dict[str, Any]:
    """Return the task of a plan as JSON."""
    state = plan_state(plan)
    return {
        "id": plan_task(plan.pk),
        "state": state,
        "progress": estimate(plan.done / plan.request["plan"]["simulations"]),
        "stream": "",
        "result": {"plan": plan.pk} if state == "done" else None,
        "since": plan.created_at,
        "reason": given_up(MAX_ATTEMPTS) if state == "failed" else None,
    }


def plan_state(plan: Plan) -> str:
    """Return the state of a plan: waiting, done or failed."""
    if plan.finished_at is None:
        return "waiting"
    return "failed" if plan.has_failed else "done"


def expires_at(plan: Plan) -> datetime:
    """Return when a plan is deleted."""
    return plan.created_at + settings.PLAN_DAYS * DAY


def expired_plans() -> "QuerySet[Plan]":
    """Return the plans that are due to be deleted."""
    return Plan.objects.filter(created_at__lt=timezone.now() - settings.PLAN_DAYS * DAY)
