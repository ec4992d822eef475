"""Celery tasks of tournaments: explanations, forecasts, imports, webhooks."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from games.core.broker import accept_hints
from games.core.uploads.services import run_import
from games.models.attempts import attempt_each
from tournament.entries.imports import ENTRIES_IMPORTER
from tournament.exchange.bundle import BUNDLE
from tournament.exchange.trf import TRF_IMPORTER
from tournament.forecasts.queries import due_forecasts
from tournament.forecasts.services import FORECAST_TASK, delete_outdated, run_step
from tournament.results.records import RECORDS_IMPORTER
from tournament.rounds.explanations import attempt, due_explanations
from tournament.webhooks import deliveries
from tournament.webhooks.queries import has_webhooks
from tournament.webhooks.sending import send_due

PATIENCE = timedelta(minutes=10)
"""The age after which an explanation without a body counts as lost."""


@shared_task(name="tournament.tasks.explain")
def explain(explanation_id: int) -> None:
    """Compute an explanation, unless it exists or failed too often."""
    attempt(explanation_id)


@shared_task(name="tournament.tasks.explain_due")
def explain_due() -> int:
    """Compute the explanations whose message was lost; return how many were attempted."""
    due = due_explanations().filter(requested_at__lt=timezone.now() - PATIENCE).order_by("pk")
    attempted = list(due.values_list("pk", flat=True)[:20])
    return attempt_each(attempted, attempt, what="explanation")


@shared_task(name=FORECAST_TASK)
def forecast(forecast_id: int) -> None:
    """Simulate a step of a forecast."""
    run_step(forecast_id)


@shared_task(name="tournament.tasks.forecast_due")
def forecast_due() -> int:
    """Simulate a step of each forecast whose message was lost; return how many were due.

    A forecast that a worker computes is skipped. Those of events that are over are deleted.
    """
    delete_outdated()
    due = list(due_forecasts().values_list("pk", flat=True))
    return attempt_each(due, run_step, what="forecast")


@shared_task(name=ENTRIES_IMPORTER.task)
def import_entries(upload_id: int) -> None:
    """Import the entries of an upload."""
    run_import(ENTRIES_IMPORTER, upload_id)


@shared_task(name=RECORDS_IMPORTER.task)
def import_records(upload_id: int) -> None:
    """Import the records of an upload."""
    run_import(RECORDS_IMPORTER, upload_id)


@shared_task(name=TRF_IMPORTER.task)
def import_trf(upload_id: int) -> None:
    """Import the TRF file of an upload."""
    run_import(TRF_IMPORTER, upload_id)


@shared_task(name=BUNDLE.task)
def import_bundle(upload_id: int) -> None:
    """Import the bundle of an upload."""
    run_import(BUNDLE, upload_id)


@shared_task(name="tournament.tasks.send_webhooks")
def send_webhooks() -> int:
    """Send the entries of the feeds that are due to webhooks; return the number of attempts.

    New lines send this task at once; while there is no webhook, only every few seconds.
    """
    if has_webhooks():
        accept_hints()
    return send_due()


@shared_task(name="tournament.tasks.send_webhook_notices")
def send_webhook_notices() -> int:
    """Tell the owners of webhooks that were stopped; return how many were due."""
    due = deliveries.due_notices()
    return attempt_each(due, deliveries.send_notice, what="notice of webhook")


@shared_task(name="tournament.tasks.delete_old_deliveries")
def delete_old_deliveries() -> int:
    """Delete the old deliveries in the logs of webhooks; return how many."""
    return deliveries.delete_old_deliveries(at=timezone.now())
