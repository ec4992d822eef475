"""Celery tasks of tournaments: explanations of large rounds, and imports."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from games.imports.uploads import run_import
from tournament import queries
from tournament.imports.bundle import BUNDLE
from tournament.imports.entries import ENTRIES
from tournament.imports.records import RECORDS
from tournament.imports.trf import TRF
from tournament.models import Explanation
from tournament.services import explanations

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""The age after which an explanation without a body counts as lost."""


@shared_task(name="tournament.tasks.explain")
def explain(explanation_id: int) -> None:
    """Compute an explanation, unless it exists or failed too often."""
    explanations.attempt(explanation_id)


@shared_task(name="tournament.tasks.explain_due")
def explain_due() -> int:
    """Compute the explanations whose message was lost; return how many were attempted."""
    due = Explanation.objects.filter(
        body__isnull=True,
        attempts__lt=queries.MOST_ATTEMPTS,
        requested_at__lt=timezone.now() - PATIENCE,
    ).order_by("pk")
    attempted = list(due.values_list("pk", flat=True)[:20])
    for pk in attempted:
        try:
            explanations.attempt(pk)
        except Exception:
            log.exception("explanation %s failed; the others continue", pk)
    return len(attempted)


@shared_task(name=ENTRIES.task)
def import_entries(upload_id: int) -> None:
    """Import the entries of an upload."""
    run_import(ENTRIES, upload_id)


@shared_task(name=RECORDS.task)
def import_records(upload_id: int) -> None:
    """Import the records of an upload."""
    run_import(RECORDS, upload_id)


@shared_task(name=TRF.task)
def import_trf(upload_id: int) -> None:
    """Import the TRF file of an upload."""
    run_import(TRF, upload_id)


@shared_task(name=BUNDLE.task)
def import_bundle(upload_id: int) -> None:
    """Import the bundle of an upload."""
    run_import(BUNDLE, upload_id)
