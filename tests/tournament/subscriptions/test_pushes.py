"""What browsers show by Web Push: readable by them alone, signed, and ended by a dead endpoint."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from py_vapid import Vapid02

from tests.events import Event
from tests.people import make_person
from tests.tournament.conftest import login
from tests.tournament.subscriptions.test_mails import PAGE, by_link, opponent_of
from tests.tournament.webhooks.receiver import LOOPBACK, Receiver, receiving, status
from tournament.models import Notice, PersonalLink, PushDevice, Subscription
from tournament.subscriptions.pushes import public_key
from tournament.tasks import send_pushes

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def text_of(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class Browser:
    """A browser with its keys, which reads what its push service has received."""

    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"

    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"key": text_of(point), "secret": text_of(self.secret)}

    def subscribe(self, client: Client, url: str) -> Any:
        return client.post(PAGE, {"action": "add-device", "url": url, **self.keys()})

    def read(self, body: bytes) -> Any:
        options = {"private_key": self.key, "auth_secret": self.secret, "version": "aes128gcm"}
        return json.loads(http_ece.decrypt(body, **options))


@pytest.fixture
def service(settings: Any) -> Iterator[Receiver]:
    """A push service on this machine, for a site with a key."""
    out = StringIO()
    call_command("push_key", stdout=out)
    settings.PUSH_KEY = out.getvalue().strip().removeprefix("PUSH_KEY=")
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiving(status(201)) as receiver:
        yield receiver


def send() -> int:
    send_pushes()
    Notice.objects.update(next_attempt_at=timezone.now())
    return send_pushes()


def test_a_browser_reads_what_is_pushed_and_by_whom(event: Event, service: Receiver) -> None:
    browser, client = Browser(), login(make_person("Ada"))
    assert browser.subscribe(client, service.url).status_code == 303
    page = client.get(PAGE).content.decode()
    assert f'data-key="{public_key()}"' in page
    assert "<noscript><p" in page
    event.publish(1)

    assert send() == 1

    (sent,) = service.received
    other, board, _ = opponent_of(event, "Ada")
    shown = browser.read(sent.body)
    assert shown["title"] == f"Spring Open, round 1: you play against {other} on board {board}"
    assert shown["body"].startswith("You are the ")
    assert shown["url"] == f"http://localhost:8000/e/spring/rounds/1/boards/{board}"
    assert sent.headers["ttl"] == "14400"
    token, key = re.fullmatch(r"vapid t=(\S+),k=(\S+)", sent.headers["authorization"]).groups()
    assert key == public_key()
    assert Vapid02.verify(sent.headers["authorization"])
    claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert (send(), Notice.objects.count()) == (0, 0)


@pytest.mark.parametrize(("code", "devices", "notices"), [(404, 0, 0), (410, 0, 0), (500, 1, 1)])
def test_a_dead_endpoint_ends_and_a_failing_one_is_tried_again(
    event: Event, service: Receiver, code: int, devices: int, notices: int
) -> None:
    service.answers[:] = [status(code)]
    Browser().subscribe(login(make_person("Ada")), service.url)
    event.publish(1)

    assert send() == 1
    assert (PushDevice.objects.count(), Notice.objects.count()) == (devices, notices)


def test_a_slow_endpoint_stops_nobody(event: Event, service: Receiver) -> None:
    read: list[int] = []

    def wait_for_the_other(connection: Any) -> None:
        while len(service.received) < 2:
            pass
        read.append(len(service.received))
        status(201)(connection)

    service.answers[:] = [wait_for_the_other, status(201)]
    for name in ("Ada", "Ben"):
        Browser().subscribe(login(make_person(name)), service.url)
    event.publish(1)

    assert (send(), read, Notice.objects.count()) == (2, [2], 0)


def test_a_browser_of_a_personal_link_opens_it(event: Event, service: Receiver) -> None:
    browser = Browser()
    browser.subscribe(by_link(event, "Player 1"), service.url)
    event.publish(1)
    send()

    link = PersonalLink.objects.get(entry__player__name="Player 1")
    shown = browser.read(service.received[0].body)
    assert shown["url"] == f"http://localhost:8000/e/spring/me#{link.token}"


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1/push", "http://push.example.org/", "https://localhost/", "push"]
)
def test_an_endpoint_of_a_private_network_is_refused(event: Event, settings: Any, url: str) -> None:
    settings.PUSH_KEY = text_of(b"k" * 32)
    answer = Browser().subscribe(login(make_person("Ada")), url)
    assert (answer.status_code, PushDevice.objects.count()) == (422, 0)


def test_a_reader_takes_all_browsers_away(event: Event, service: Receiver) -> None:
    client = login(make_person("Ada"))
    Browser().subscribe(client, service.url)
    event.publish(1)
    send_pushes()
    client.post(PAGE, {"action": "remove-devices"})
    assert (send(), service.received, Subscription.objects.count()) == (0, [], 1)


def test_the_worker_and_the_manifest_have_root_addresses(client: Client) -> None:
    worker, manifest = client.get("/worker.js"), client.get("/manifest.webmanifest")
    assert worker["Content-Type"].startswith("text/javascript")
    assert b"showNotification" in worker.content
    assert manifest.json()["display"] == "standalone"
    assert "manifest-src 'self'" in client.get("/")["Content-Security-Policy"]
