"""Request and compute analyses of the rated games of a pool."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Conflict
from games.core.journal.lines import append_line
from games.core.turns import TaskProgress
from games.core.uploads.progress import Progress
from games.models import Account
from games.models.attempts import MAX_ATTEMPTS, count_attempt
from games.rules.text import Text
from ratings.analyses.queries import (
    analysis_task,
    calibrate_pool,
    load_fair_play_games,
    unfinished_analyses,
)
from ratings.core.locking import lock_pool
from ratings.models import Analysis, Pool
from ratings.systems.research.calibration import NotEstimable
from ratings.systems.research.fair_play import report_as_json, review_games

ANALYSIS_TASK: Final = "tournament.tasks.analyse"
"""It takes turns with the explanations and forecasts of events."""

Compute: TypeAlias = Callable[[Pool, Mapping[str, Any], Progress], dict[str, Any]]


def _calibrate(pool: Pool, _parameters: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    return calibrate_pool(pool, progress).as_json()


def _review(pool: Pool, parameters: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    games = load_fair_play_games(pool, progress)
    return report_as_json(review_games(games, level=parameters["level"]))


ANALYSES: Final[dict[str, Compute]] = {
    Analysis.Kind.CALIBRATION: _calibrate,
    Analysis.Kind.FAIR_PLAY: _review,
}


def request_analysis(
    pool: Pool, kind: str, parameters: Mapping[str, Any], *, by: Account
) -> Analysis:
    """Request an analysis; raises Conflict while one of its kind is not finished."""
    with transaction.atomic():
        pool = lock_pool(pool.pk)
        unfinished = unfinished_analyses().filter(pool=pool, kind=kind).first()
        if unfinished is not None:
            detail = Text(
                "analysis %(number)s of this kind is not finished; wait until it is",
                number=unfinished.pk,
            )
            raise Conflict("analysis_unfinished", detail)
        analysis = Analysis.objects.create(pool=pool, kind=kind, parameters=dict(parameters), by=by)
        payload = {"analysis": analysis.pk, "kind": kind, **parameters}
        append_line(pool.stream, "analysis.requested", payload, by=by)
        send_on_commit(ANALYSIS_TASK, analysis.pk)
    return analysis


def delete_old_analyses() -> int:
    """Delete the analyses whose time is over; return how many there were."""
    expired = timezone.now() - timedelta(days=settings.ANALYSIS_DAYS)
    deleted, _ = Analysis.objects.filter(finished_at__lt=expired).delete()
    return deleted


def run_analysis(number: int) -> None:
    """Compute an analysis, unless it is finished or running; give it up after some attempts."""
    by = Analysis.objects.filter(pk=number).values_list("by", flat=True).first()
    progress = TaskProgress.begin(analysis_task(number), by)
    if progress is None:
        return
    try:
        due = unfinished_analyses().filter(attempts__lt=MAX_ATTEMPTS)
        with count_attempt(due, number) as is_due:
            if is_due:
                _compute(Analysis.objects.select_related("pool").get(pk=number), progress)
            else:
                _fail(
                    number, "given_up", Text("the task failed %(count)s times", count=MAX_ATTEMPTS)
                )
    finally:
        progress.end()


def _compute(analysis: Analysis, progress: Progress) -> None:
    try:
        result = ANALYSES[analysis.kind](analysis.pool, analysis.parameters, progress)
    except NotEstimable as error:
        _fail(analysis.pk, "not_estimable", str(error))
    else:
        _finish(analysis.pk, result=result)


def _fail(number: int, code: str, detail: str) -> None:
    _finish(number, problem={"code": code, "detail": detail})


def _finish(number: int, **outcome: dict[str, Any]) -> None:
    unfinished_analyses().filter(pk=number).update(finished_at=timezone.now(), **outcome)
