"""Celery tasks of tournaments: explanations, forecasts, imports, messages; analyses of pools.

Those of the queue `analyses` are together here, because they take turns.
"""

from celery import shared_task
from django.utils import timezone

from games.core.broker import accept_hints
from games.core.turns import Due, run_in_turn, send_next
from games.core.uploads.services import import_in_turn
from games.models.attempts import attempt_each
from games.players.services import delete_players
from ratings.analyses.queries import analysis_task, unfinished_analyses
from ratings.analyses.services import ANALYSIS_TASK, delete_old_analyses, run_analysis
from tournament.entries.imports import ENTRIES_IMPORTER
from tournament.exchange.bundle import BUNDLE
from tournament.exchange.trf import TRF_IMPORTER
from tournament.forecasts.queries import due_forecasts, forecast_task
from tournament.forecasts.services import FORECAST_TASK, delete_outdated, run_step
from tournament.players.queries import expired_players
from tournament.results.records import RECORDS_IMPORTER
from tournament.rounds.explanations import (
    EXPLANATION_TASK,
    attempt,
    due_explanations,
    explanation_task,
)
from tournament.subscriptions.mails import send_due_mails
from tournament.subscriptions.notices import delete_old, queue_notices
from tournament.subscriptions.pushes import send_due_pushes
from tournament.webhooks import deliveries
from tournament.webhooks.queries import has_webhooks
from tournament.webhooks.sending import send_due

MOST_DELETED = 1000
"""Players that one sweep deletes."""


def computations_in_turn() -> list[Due]:
    """Return what waits in the queue `analyses`, for its turns."""
    explanations = due_explanations().values_list("pk", "requested_by", "requested_at")
    forecasts = due_forecasts().values_list("pk", "requested_at")
    analyses = unfinished_analyses().values_list("pk", "by", "created_at")
    return [
        *(Due(explanation_task(pk), EXPLANATION_TASK, pk, by, at) for pk, by, at in explanations),
        *(Due(forecast_task(pk), FORECAST_TASK, pk, None, at) for pk, at in forecasts),
        *(Due(analysis_task(pk), ANALYSIS_TASK, pk, by, at) for pk, by, at in analyses),
    ]


@shared_task(name=EXPLANATION_TASK)
def explain(_explanation_id: int = 0) -> None:
    """Compute the explanation whose turn it is."""
    run_in_turn(EXPLANATION_TASK, computations_in_turn, attempt)


@shared_task(name=FORECAST_TASK)
def forecast(_forecast_id: int = 0) -> None:
    """Simulate a step of the forecast whose turn it is."""
    run_in_turn(FORECAST_TASK, computations_in_turn, run_step)


@shared_task(name=ANALYSIS_TASK)
def analyse(_analysis_id: int = 0) -> None:
    """Compute the analysis of a pool whose turn it is."""
    run_in_turn(ANALYSIS_TASK, computations_in_turn, run_analysis)


@shared_task(name="tournament.tasks.compute_due")
def compute_due() -> None:
    """Send the task of what is due, if its message was lost or its worker died.

    Delete the analyses whose time is over, and the forecasts of events that are.
    """
    delete_old_analyses()
    delete_outdated()
    send_next(computations_in_turn())


@shared_task(name=ENTRIES_IMPORTER.task)
def import_entries(_upload_id: int = 0) -> None:
    """Import the entries of the upload whose turn it is."""
    import_in_turn(ENTRIES_IMPORTER)


@shared_task(name=RECORDS_IMPORTER.task)
def import_records(_upload_id: int = 0) -> None:
    """Import the records of the upload whose turn it is."""
    import_in_turn(RECORDS_IMPORTER)


@shared_task(name=TRF_IMPORTER.task)
def import_trf(_upload_id: int = 0) -> None:
    """Import the TRF file of the upload whose turn it is."""
    import_in_turn(TRF_IMPORTER)


@shared_task(name=BUNDLE.task)
def import_bundle(_upload_id: int = 0) -> None:
    """Import the bundle of the upload whose turn it is."""
    import_in_turn(BUNDLE)


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


@shared_task(name="tournament.tasks.send_messages")
def send_messages() -> int:
    """Send what readers of events have asked for, by mail; return how many mails were sent."""
    queue_notices()
    return send_due_mails()


@shared_task(name="tournament.tasks.send_pushes")
def send_pushes() -> int:
    """Send what readers of events have asked for to their browsers; return the attempts."""
    queue_notices()
    return send_due_pushes()


@shared_task(name="tournament.tasks.delete_old_messages")
def delete_old_messages() -> None:
    """Delete the addresses of events that are over, and messages that nothing has taken."""
    delete_old(at=timezone.now())


@shared_task(name="tournament.tasks.delete_unused_players")
def delete_unused_players() -> int:
    """Delete the players whom nobody has entered for half a year; return how many."""
    return delete_players(expired_players(timezone.now()).order_by("pk")[:MOST_DELETED], by=None)


@shared_task(name="tournament.tasks.delete_old_deliveries")
def delete_old_deliveries() -> int:
    """Delete the old deliveries in the logs of webhooks; return how many."""
    return deliveries.delete_old_deliveries(at=timezone.now())
