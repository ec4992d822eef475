"""Analyses of pools, and how far their tasks are."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.core.errors import NotFound
from games.imports.task_progress import read_progress
from games.rules.text import Text
from ratings.models import Analysis, Pool


class AnalysisState(TextChoices):
    """How far the task of an analysis is."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


UNFINISHED_ANALYSIS_STATES = (AnalysisState.WAITING, AnalysisState.RUNNING)


def unfinished_analyses() -> "QuerySet[Analysis]":
    """Return the analyses that have neither a result nor a problem, the oldest first."""
    return Analysis.objects.filter(finished_at=None).order_by("pk")


def expired_analyses() -> "QuerySet[Analysis]":
    """Return the analyses that were finished more than `ANALYSIS_DAYS` ago."""
    return Analysis.objects.filter(
        finished_at__lt=timezone.now() - timedelta(days=settings.ANALYSIS_DAYS)
    )


def pool_analyses(pool: Pool) -> "QuerySet[Analysis]":
    """Return the analyses of a pool, with the officers who requested them."""
    return Analysis.objects.filter(pool=pool).select_related("by")


def find_analysis(pool: Pool, number: int) -> Analysis:
    """Return the analysis of a pool with this number; raises NotFound."""
    found = pool_analyses(pool).filter(pk=number).first()
    if found is None:
        raise NotFound(
            "not_found",
            Text("there is no analysis %(number)s of %(pool)s", number=number, pool=pool.code),
        )
    return found


def analysis_task(number: int) -> str:
    """Return the id of the task of an analysis."""
    return f"analysis-{number}"


def summary_as_json(pool: Pool, analysis: Analysis) -> dict[str, Any]:
    """Return the JSON of an analysis in a list, without its result."""
    progress = None
    if analysis.finished_at:
        state = "failed" if analysis.problem else "done"
    else:
        progress = read_progress(analysis_task(analysis.pk))
        state = "waiting" if progress is None else "running"
    by = analysis.by
    return {
        "id": analysis.pk,
        "pool": pool.code,
        "kind": analysis.kind,
        "parameters": analysis.parameters,
        "by": None if by is None else {"id": by.pk, "name": by.name},
        "created_at": analysis.created_at,
        "finished_at": analysis.finished_at,
        "state": state,
        "progress": progress,
    }


def analysis_as_json(pool: Pool, analysis: Analysis) -> dict[str, Any]:
    """Return the JSON of an analysis."""
    outcome = {"result": analysis.result, "problem": analysis.problem}
    return summary_as_json(pool, analysis) | outcome
