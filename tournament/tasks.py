"""What Celery runs for tournaments: long explanations, each filled into its row."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from tournament import queries
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
