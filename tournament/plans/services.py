"""Plan an event: store what to simulate, simulate it in short steps, delete old plans.

The sums of a step are stored with the number of simulations done, if no other worker has stored
them in the meantime. A step that is lost is simulated again with the same results, because each
simulation has its own seed.
"""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Unprocessable
from games.core.journal.chain import digest_of
from games.core.limits import charge_task, check_quota
from games.core.uploads.progress import Progress
from games.core.uploads.tasks import TaskProgress, requested_by
from games.models import Account
from games.models.attempts import MAX_ATTEMPTS, count_attempt
from tournament.models import Plan, Tournament
from tournament.plans.queries import DAY, event_plan, expired_plans, plan_task, unfinished_plans
from tournament.simulation.figures import Totals
from tournament.simulation.formats import (
    MOST_SIMULATED_PLAYERS,
    PlanError,
    make_event_plan,
    make_formats,
)
from tournament.simulation.plans import EventPlan, PlannedPlayer, PlanTask, PlanTotals, simulate
from tournament.simulation.simulator import simulate_in_chunks

PLAN_TASK: Final = "tournament.tasks.advance_plan"
STEP_SECONDS: Final = 5.0
"""Seconds after which a step stores what it has simulated."""

MOST_SIMULATED_AT_ONCE: Final = 2_000
"""Players x rounds x simulations of a plan that a request simulates at once, in about 0.3 s."""


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What an account asks for, and the totals of a plan that is small enough to be done."""

    event: EventPlan
    minutes: int
    pause: int
    aim: str
    tournament: Tournament | None
    totals: tuple[Totals, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the request as it is stored."""
        return {
            "plan": self.event.as_json(),
            "minutes": self.minutes,
            "pause": self.pause,
            "aim": self.aim,
        }

    @property
    def digest(self) -> str:
        """Return the digest of the whole request."""
        slug = self.tournament.slug if self.tournament else None
        return digest_of(self.as_json() | {"tournament": slug})


def check_formats(members: Mapping[str, Any]) -> None:
    """Raise Unprocessable for formats that no number of players can have."""
    try:
        make_formats(
            MOST_SIMULATED_PLAYERS,
            systems=members.get("systems", ["dutch"]),
            rounds=members.get("rounds", [1]),
            options=members.get("system_options", {}),
            tiebreaks=members.get("tiebreaks", ()),
        )
    except PlanError as error:
        raise _refused(error) from error


def _refused(error: PlanError) -> Unprocessable:
    errors = [
        {"pointer": each.at, "code": "invalid_plan", "detail": each.detail}
        for each in (error, *error.others)
        if isinstance(each, PlanError)
    ]
    return Unprocessable("invalid_plan", error.detail, errors, valid=list(error.valid))


def prepare_plan(
    players: tuple[PlannedPlayer, ...],
    body: Mapping[str, Any],
    *,
    draws: float,
    tournament: Tournament | None = None,
) -> PlanRequest:
    """Return the request to plan an event; a small one is simulated. Raises Unprocessable.

    `body` has the fields of `NewPlanSerializer`; without a seed, it follows from all others, so
    that the same request has the same result.
    """
    try:
        formats = make_formats(
            len(players),
            systems=body["systems"],
            rounds=body["rounds"],
            options=body["system_options"],
            tiebreaks=body["tiebreaks"],
        )
        fields = {name: body[name] for name in ("simulations", "first_seat", "top")}
        event = make_event_plan(players, formats, draws=draws, seed=body.get("seed", 0), **fields)
    except PlanError as error:
        raise _refused(error) from error
    if "seed" not in body:
        event = replace(event, seed=int(digest_of(event.as_json())[:12], 16))
    totals: tuple[Totals, ...] = ()
    if event.work <= MOST_SIMULATED_AT_ONCE:
        numbers = range(1, event.simulations + 1)
        totals = tuple(simulate(event, one, numbers) for one in formats)
    return PlanRequest(event, body["minutes"], body["pause"], body["aim"], tournament, totals)


def request_plan(request: PlanRequest, *, by: Account) -> Plan:
    """Return the account's plan of this request; a new one is due unless its results are known.

    A plan that was given up is tried again. Raises QuotaReached after too many plans in 24 hours.
    """
    digest = request.digest
    with transaction.atomic():
        # The account is locked because parallel requests would all be within its quota.
        Account.objects.select_for_update(no_key=True).get(pk=by.pk)
        plan = Plan.objects.filter(by=by, digest=digest).select_related("tournament").first()
        if plan is None:
            recent = Plan.objects.filter(by=by, created_at__gt=timezone.now() - DAY)
            check_quota("plans_per_day", recent.count() + 1, by=by)
            if not request.totals:
                waiting = unfinished_plans().filter(by=by).count()
                check_quota("waiting_jobs", waiting + 1, by=by)
            plan = _create(request, digest, by)
        elif plan.has_failed:
            plan.finished_at, plan.has_failed, plan.attempts = None, False, 0
            plan.save(update_fields=["finished_at", "has_failed", "attempts"])
        if plan.finished_at is None:
            send_on_commit(PLAN_TASK, plan.pk)
    return plan


def advance_plan(number: int) -> None:
    """Simulate one step of a plan, unless a worker does; give it up after some failures."""
    progress = TaskProgress.begin(plan_task(number), requested_by(Plan.objects.all(), number))
    if progress is None:
        return
    try:
        due = unfinished_plans().filter(attempts__lt=MAX_ATTEMPTS)
        with count_attempt(due, number) as is_due:
            if is_due:
                plan = Plan.objects.get(pk=number)
                with charge_task(plan.by_id):
                    simulate_step(plan, progress)
            else:
                unfinished_plans().filter(pk=number).update(
                    finished_at=timezone.now(), has_failed=True
                )
    finally:
        progress.end()
    if unfinished_plans().filter(pk=number).exists():
        send_on_commit(PLAN_TASK, number)


def delete_old_plans() -> int:
    """Delete the plans whose time is over; return how many there were."""
    deleted, _ = expired_plans().delete()
    return deleted


def _create(request: PlanRequest, digest: str, by: Account) -> Plan:
    """Return a new plan, with the totals of an equal one of any account if there is one."""
    event = request.event
    simulated = digest_of(event.as_json())
    totals = [totals.as_json() for totals in request.totals]
    if not totals:
        same = Plan.objects.filter(simulated=simulated, done=event.simulations).first()
        totals = same.totals if same else []
    now = timezone.now()
    return Plan.objects.create(
        by=by,
        tournament=request.tournament,
        digest=digest,
        simulated=simulated,
        request=request.as_json(),
        totals=totals,
        done=event.simulations if totals else 0,
        created_at=now,
        finished_at=now if totals else None,
    )


def simulate_step(plan: Plan, progress: Progress) -> None:
    """Simulate all formats for `STEP_SECONDS`, in processes of their own, and store the totals."""
    event, until = event_plan(plan), time.monotonic() + STEP_SECONDS
    stored = [Totals.parse(value) for value in plan.totals] or [Totals()] * len(event.formats)
    totals = PlanTotals(tuple(stored))
    with closing(
        simulate_in_chunks(
            PlanTask(event),
            start=plan.done,
            stop=event.simulations,
            processes=settings.SIMULATION_PROCESSES,
        )
    ) as chunks:
        for chunk in chunks:
            totals += chunk
            progress("simulating", totals.simulations, event.simulations)
            if time.monotonic() > until:
                break
    is_finished = totals.simulations >= event.simulations
    unfinished_plans().filter(pk=plan.pk, done=plan.done).update(
        done=totals.simulations,
        totals=[total.as_json() for total in totals.formats],
        attempts=0,
        finished_at=timezone.now() if is_finished else None,
    )
