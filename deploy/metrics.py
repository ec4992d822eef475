"""`/health/metrics`: django-prometheus counts requests, and one collector reads what is ours.

Its metrics are computed from the rows at each request, so every process returns the same.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

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

from deploy.tasks import tick_age
from games.core.uploads.tasks import due_uploads
from games.models import EmailLink, Message, Report
from ratings.analyses.queries import unfinished_analyses
from ratings.core.pools import differing_pools
from ratings.models import Batch
from ratings.models.batches import DUE
from tournament.forecasts.queries import due_forecasts
from tournament.plans.queries import unfinished_plans
from tournament.webhooks.queries import (
    count_deliveries,
    count_webhooks,
    due_deliveries,
    load_overdue,
)

DUE_ROWS: Final[dict[str, tuple[Callable[[], "QuerySet[Any]"], str]]] = {
    "report": (lambda: Report.objects.filter(settled_at=None), "received_at"),
    "rating": (lambda: Batch.objects.filter(DUE), "filed_at"),
    "upload": (due_uploads, "created_at"),
    "email": (lambda: EmailLink.objects.filter(sent_at=None, revoked_at=None), "created_at"),
    "message": (lambda: Message.objects.all(), "created_at"),
    "delivery": (lambda: due_deliveries(timezone.now()), "next_attempt_at"),
    "analysis": (unfinished_analyses, "created_at"),
    "forecast": (due_forecasts, "requested_at"),
    "plan": (unfinished_plans, "created_at"),
}
"""What waits for a worker: the rows, and the column that says since when."""


class ServiceCollector(Collector):
    """The metrics of the service; one query for each kind of due rows, and five others."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics."""
        overdue, seconds = load_overdue(timezone.now())
        yield gauge("oldest_due_seconds", "Age of the oldest row that waits.", oldest_due(), "kind")
        yield gauge("tick_age_seconds", "Seconds since the last tick of a worker.", ticks())
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
    for kind, (rows, column) in DUE_ROWS.items():
        first = rows().order_by().aggregate(first=Min(column))["first"]
        found[kind] = max((now - first).total_seconds(), 0.0) if first else 0.0
    return found


def ticks() -> dict[str, float]:
    """Return the age of the last tick; nothing before the first, or without the broker."""
    try:
        age = tick_age()
    except (RedisError, OSError):
        age = None
    return {} if age is None else {"": round(age, 1)}


OURS: Final = CollectorRegistry(auto_describe=False)
OURS.register(ServiceCollector())


@require_safe
@cache_control(no_store=True)
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics."""
    response: HttpResponse = ExportToDjangoView(request)
    response.content += generate_latest(OURS)
    return response
