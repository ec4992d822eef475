"""`/health/metrics`: django-prometheus counts requests, and one collector reads what is ours.

Its metrics are computed from the rows at each request, so every process returns the same.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis import RedisError

from deploy.health import health_parts
from deploy.tasks import beat_age, tick_ages
from games.core.accounts.mail import waiting_links
from games.core.checks import check_ages, failed_checks
from games.core.uploads.tasks import due_uploads
from games.models import Message, Report
from ratings.analyses.queries import unfinished_analyses
from ratings.core.pools import differing_pools
from ratings.models import Batch
from ratings.models.batches import DUE
from tournament.forecasts.queries import due_forecasts
from tournament.models import Notice
from tournament.webhooks.queries import (
    count_deliveries,
    count_webhooks,
    due_deliveries,
    load_overdue,
)

DUE_ROWS: Final[dict[str, tuple[str, Callable[[], "QuerySet[Any]"], str]]] = {
    "report": ("results", lambda: Report.objects.filter(settled_at=None), "received_at"),
    "rating": ("ratings", lambda: Batch.objects.filter(DUE), "filed_at"),
    "upload": ("imports", due_uploads, "created_at"),
    "email": (
        "mail",
        waiting_links,
        "created_at",
    ),
    "notice": (
        "mail",
        lambda: Notice.objects.filter(next_attempt_at__lte=timezone.now()),
        "next_attempt_at",
    ),
    "message": ("mail", lambda: Message.objects.all(), "created_at"),
    "delivery": ("webhooks", lambda: due_deliveries(timezone.now()), "next_attempt_at"),
    "analysis": ("analyses", unfinished_analyses, "created_at"),
    "forecast": ("analyses", due_forecasts, "requested_at"),
}
"""What waits for a worker: its queue, the rows, and the column that says since when."""


class ServiceCollector(Collector):
    """The metrics of the service, and what `/health/ready` finds."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics."""
        overdue, seconds = load_overdue(timezone.now())
        due = oldest_due()
        yield gauge("oldest_due_seconds", "Age of the oldest row that waits.", due, "kind")
        text = "Age of the oldest row that waits for a worker of the queue."
        yield gauge("queue_oldest_due_seconds", text, oldest_of_queues(due), "queue")
        text = "Seconds since a worker of the queue has run a tick."
        yield gauge("tick_age_seconds", text, ask_broker(tick_ages), "queue")
        text = "Seconds since the scheduler (beat) has sent a tick."
        yield gauge("beat_age_seconds", text, ask_broker(beat))
        text = "Seconds since the records were verified, or a backup made, by check."
        yield gauge("check_age_seconds", text, ask_broker(check_ages), "check")
        text = "1 for each such check that failed the last time, else 0."
        yield gauge("check_failed", text, ask_broker(failed_checks), "check")
        broken = {name: float(bool(problem)) for name, problem in health_parts().items()}
        yield gauge("broken", "1 for each part that /health/ready names, else 0.", broken, "part")
        differing = {"": float(differing_pools().count())}
        yield gauge("differing_pools", "Pools whose ratings a recomputation changes.", differing)
        text = (
            "Webhooks by condition: those that work, those whose last attempt failed, the stopped."
        )
        yield gauge("webhooks", text, count_webhooks(), "condition")
        text = "Deliveries in the log of the last 30 days, and pending ones, by state."
        yield gauge("webhook_deliveries", text, count_deliveries(), "state")
        yield gauge("webhook_deliveries_due", "Deliveries whose attempt is due.", {"": overdue})
        text = "Seconds for which the oldest of them is due, 0 without any."
        yield gauge("webhook_oldest_due_seconds", text, {"": seconds})


def gauge(name: str, text: str, values: Any, label: str = "") -> GaugeMetricFamily:
    """Return a metric: its name, what it is, and its values, by label if it has one."""
    family = GaugeMetricFamily(f"perihelion_{name}", text, labels=[label] if label else [])
    for key, value in values.items():
        family.add_metric([key] if label else [], value)
    return family


def oldest_due() -> dict[str, float]:
    """Return the age in seconds of the oldest due row of each kind, 0 without any."""
    now = timezone.now()
    found = {}
    for kind, (_, rows, column) in DUE_ROWS.items():
        first = rows().order_by().aggregate(first=Min(column))["first"]
        found[kind] = max((now - first).total_seconds(), 0.0) if first else 0.0
    return found


def oldest_of_queues(due: Mapping[str, float]) -> dict[str, float]:
    """Return the age of the oldest due row of each queue."""
    return {
        queue: max((due[kind] for kind, (name, *_) in DUE_ROWS.items() if name == queue), default=0)
        for queue in settings.CELERY_TASK_QUEUES
    }


def ask_broker(read: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Return what the broker has stored; nothing while it does not respond."""
    try:
        return {name: round(age, 1) for name, age in read().items()}
    except (RedisError, OSError):
        return {}


def beat() -> dict[str, float]:
    """Return the age of the last tick that was sent, nothing before the first."""
    age = beat_age()
    return {} if age is None else {"": age}


OURS: Final = CollectorRegistry(auto_describe=False)
OURS.register(ServiceCollector())


@require_safe
@cache_control(no_store=True)
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics."""
    response: HttpResponse = ExportToDjangoView(request)
    response.content += generate_latest(OURS)
    return response
