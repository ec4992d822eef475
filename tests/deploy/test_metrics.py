"""`/health/metrics`: what Prometheus reads about webhooks and the worker."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from deploy.tasks import BEAT, TICK
from games.core.broker import connect
from games.core.checks import SUCCEEDED
from games.models import Account, EmailLink
from ratings.models import Pool
from tests.people import add_second_factor
from tests.processes import Broker
from tournament.models import Webhook, WebhookDelivery

pytestmark = pytest.mark.django_db
NOTHING = {
    'perihelion_webhooks{condition="working"}': 0,
    'perihelion_webhooks{condition="failing"}': 0,
    'perihelion_webhooks{condition="stopped-owner"}': 0,
    'perihelion_webhooks{condition="stopped-gone"}': 0,
    'perihelion_webhooks{condition="stopped-failures"}': 0,
    'perihelion_webhook_deliveries{state="pending"}': 0,
    'perihelion_webhook_deliveries{state="delivered"}': 0,
    'perihelion_webhook_deliveries{state="given_up"}': 0,
    'perihelion_webhook_deliveries{state="withdrawn"}': 0,
    "perihelion_webhook_deliveries_due": 0,
    "perihelion_webhook_oldest_due_seconds": 0,
    "perihelion_differing_pools": 0,
    **{
        f'perihelion_oldest_due_seconds{{kind="{kind}"}}': 0
        for kind in (
            "report", "rating", "upload", "email", "notice", "message", "delivery", "analysis",
            "forecast",
        )
    },
    **{
        f'perihelion_queue_oldest_due_seconds{{queue="{queue}"}}': 0
        for queue in ("results", "ratings", "mail", "webhooks", "imports", "analyses")
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(settings: pytest.FixtureRequest) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"


def read(client: Client) -> dict[str, float]:
    """Return our values by name and label; each metric has a sentence and a type."""
    response = client.get("/health/metrics")
    assert (response.status_code, response["Content-Type"].split(";")[0]) == (200, "text/plain")
    text = response.content.decode()
    assert 'django_http_requests_total_by_method_total{method="GET"}' in text
    lines = [line for line in text.splitlines() if "perihelion_" in line]
    values = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    names = {name.partition("{")[0] for name, _, _ in values}
    assert names <= {line.split()[2] for line in lines if line.startswith("# HELP ")}
    assert names <= {line.split()[2] for line in lines if line.endswith(" gauge")}
    return {name: float(value) for name, _, value in values}


def make_webhook(**fields: object) -> Webhook:
    owner, is_new = Account.objects.get_or_create(email="olga@example.org", is_staff=True)
    if is_new:
        add_second_factor(owner)  # without it, staff get nothing by webhooks
    return Webhook.objects.create(owner=owner, stream="pool/star", url="https://x/", **fields)


def test_without_webhooks_and_broker_every_number_is_zero(client: Client) -> None:
    found = read(client)

    parts = {key: found.pop(key) for key in list(found) if key.startswith("perihelion_broken")}
    away = ("broker", "beat", "worker", "clock")
    assert {name: parts[f'perihelion_broken{{part="{name}"}}'] for name in (*away, "mail")} == {
        **dict.fromkeys(away, 1),
        "mail": 0,
    }
    assert found == NOTHING


@pytest.mark.parametrize("count", [1, 3])
def test_webhooks_and_deliveries_are_counted(
    client: Client, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    for stopped in ("", "owner", "gone", "failures"):
        make_webhook(stopped=stopped)
    for _ in range(count):
        webhook = make_webhook(failing_since=now)
        for number, (state, seconds) in enumerate(
            [("delivered", None), ("given_up", None), ("withdrawn", None), ("pending", 90),
             ("pending", 900), ("pending", -60)]
        ):  # fmt: skip
            due = None if seconds is None else now - timedelta(seconds=seconds)
            WebhookDelivery.objects.create(
                webhook=webhook, sequence=number, kind="pool.rated", state=state,
                next_attempt_at=due,
            )  # fmt: skip

    with django_assert_num_queries(24):
        found = {
            key: value for key, value in read(client).items() if "perihelion_broken" not in key
        }

    seconds = found.pop("perihelion_webhook_oldest_due_seconds")
    assert 90 <= found.pop('perihelion_queue_oldest_due_seconds{queue="webhooks"}') < 600
    assert 90 <= found.pop('perihelion_oldest_due_seconds{kind="delivery"}') < 600
    assert 90 <= seconds < 600  # a later entry is not due before the first one
    assert found == {name: value for name, value in NOTHING.items() if name in found} | {
        'perihelion_webhooks{condition="working"}': 1,
        'perihelion_webhooks{condition="failing"}': count,
        'perihelion_webhooks{condition="stopped-owner"}': 1,
        'perihelion_webhooks{condition="stopped-gone"}': 1,
        'perihelion_webhooks{condition="stopped-failures"}': 1,
        'perihelion_webhook_deliveries{state="pending"}': 3 * count,
        'perihelion_webhook_deliveries{state="delivered"}': count,
        'perihelion_webhook_deliveries{state="given_up"}': count,
        'perihelion_webhook_deliveries{state="withdrawn"}': count,
        "perihelion_webhook_deliveries_due": count,
    }


@pytest.mark.processes
def test_the_age_of_the_last_tick(
    client: Client, broker: Broker, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = broker.address
    at = (datetime.now(UTC) - timedelta(seconds=20)).isoformat()
    connect().hset(TICK, mapping={"results": at, "mail": at})
    connect().set(BEAT, at)

    found = read(client)

    names = ['tick_age_seconds{queue="results"}', 'tick_age_seconds{queue="mail"}']
    for name in (*names, "beat_age_seconds"):
        assert 19 < found[f"perihelion_{name}"] < 60


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_the_last_checks_and_their_results(
    client: Client, broker: Broker, settings, tmp_path: Path
) -> None:
    settings.REDIS_URL = broker.address
    for command in ("verify_journal", "verify_state", "verify_ratings"):
        call_command(command)
    call_command("backup", str(tmp_path / "backup"))
    connect().hincrby(SUCCEEDED, "state", -3600)
    with pytest.raises(CommandError, match="already"):
        call_command("backup", str(tmp_path / "backup"))

    found = read(client)

    checks = ("journal", "state", "ratings", "backup")
    ages = [found[f'perihelion_check_age_seconds{{check="{name}"}}'] for name in checks]
    assert [round(age, -3) for age in ages] == [0, 4000, 0, 0]
    failed = [found[f'perihelion_check_failed{{check="{name}"}}'] for name in checks]
    assert failed == [0, 0, 0, 1]
    call_command("verify_state", "pool/star")  # not everything
    assert read(client)['perihelion_check_age_seconds{check="state"}'] >= 3600


def test_the_age_of_the_oldest_due_row_and_the_pools_that_differ(client: Client) -> None:
    Pool.objects.filter(code="star").update(differences=["a change is stored as ..."])
    for hours in (1, 2):
        EmailLink.objects.create(
            kind=EmailLink.Kind.INVITATION, email="a@example.org",
            created_at=timezone.now() - timedelta(hours=hours),
            expires_at=timezone.now() + timedelta(hours=9),
        )  # fmt: skip

    found = read(client)

    assert 7200 <= found['perihelion_oldest_due_seconds{kind="email"}'] < 7300
    assert 7200 <= found['perihelion_queue_oldest_due_seconds{queue="mail"}'] < 7300
    assert found['perihelion_queue_oldest_due_seconds{queue="results"}'] == 0
    assert found["perihelion_differing_pools"] == 1
