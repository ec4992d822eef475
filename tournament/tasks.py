"""What Celery runs for tournaments: long explanations and imports, each filled into its row."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from games.imports.uploads import run_import
from tournament import queries
from tournament.imports.importers import BUNDLE, ENTRIES, RECORDS, REPORT
from tournament.models import Explanation
from tournament.services import explanations

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""After which an explanation that nobody has brought is taken for lost."""


@shared_task(name="tournament.tasks.explain")
def explain(explanation_id: int) -> None:
    """Fill in one explanation, unless it is there or has failed too often."""
    explanations.attempt(explanation_id)


@shared_task(name="tournament.tasks.explain_due")
def explain_due() -> int:
    """Fill in the explanations whose message was lost; how many were tried."""
    due = Explanation.objects.filter(
        body__isnull=True,
        attempts__lt=queries.MOST_ATTEMPTS,
        asked_at__lt=timezone.now() - PATIENCE,
    ).order_by("pk")
    tried = list(due.values_list("pk", flat=True)[:20])
    for pk in tried:
        try:
            explanations.attempt(pk)
        except Exception:
            log.exception("explanation %s could not be made; the others go on", pk)
    return len(tried)


@shared_task(name=ENTRIES.task)
def import_entries(upload_id: int) -> None:
    """Enter everybody in a file."""
    run_import(ENTRIES, upload_id)


@shared_task(name=RECORDS.task)
def import_records(upload_id: int) -> None:
    """Put every record of a file to its game."""
    run_import(RECORDS, upload_id)


@shared_task(name=REPORT.task)
def import_report(upload_id: int) -> None:
    """Make the tournament of a report."""
    run_import(REPORT, upload_id)


@shared_task(name=BUNDLE.task)
def import_bundle(upload_id: int) -> None:
    """Make the event of a bundle."""
    run_import(BUNDLE, upload_id)
