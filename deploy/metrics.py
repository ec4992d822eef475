"""Metrics of the service as text, in the exposition format 0.0.4 of Prometheus.

They are computed from the rows at each request, so every process returns the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from redis import RedisError

from deploy.tasks import tick_age
from tournament.queries.webhooks import count_deliveries, count_webhooks, load_overdue

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Gauge:
    """A metric: its name, what it is, and its values by the value of a label, if it has one."""

    name: str
    text: str
    values: Mapping[str, float]
    label: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the metric."""
        yield f"# HELP {self.name} {self.text}"
        yield f"# TYPE {self.name} gauge"
        for key, value in self.values.items():
            label = f'{{{self.label}="{key}"}}' if self.label else ""
            yield f"{self.name}{label} {value:g}"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics."""
    lines = [line for gauge in (*webhook_gauges(), *worker_gauges()) for line in gauge.lines()]
    return HttpResponse(
        "\n".join([*lines, ""]),
        content_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store"},
    )


def webhook_gauges() -> list[Gauge]:
    """Return the metrics of webhooks; three queries."""
    number, seconds = load_overdue(timezone.now())
    return [
        Gauge(
            "perihelion_webhooks",
            "Webhooks by condition: those that work, those whose last attempt failed, the stopped.",
            count_webhooks(),
            "condition",
        ),
        Gauge(
            "perihelion_webhook_deliveries",
            "Deliveries in the log of the last 30 days, and pending ones, by state.",
            count_deliveries(),
            "state",
        ),
        Gauge(
            "perihelion_webhook_deliveries_due",
            "Deliveries whose attempt is due.",
            {"": number},
        ),
        Gauge(
            "perihelion_webhook_oldest_due_seconds",
            "Seconds for which the oldest of them is due, 0 without any.",
            {"": seconds},
        ),
    ]


def worker_gauges() -> list[Gauge]:
    """Return the age of the last tick; nothing before the first, or without the broker."""
    try:
        age = tick_age()
    except (RedisError, OSError):
        age = None
    values = {} if age is None else {"": round(age, 1)}
    return [
        Gauge("perihelion_tick_age_seconds", "Seconds since the last tick of a worker.", values)
    ]
