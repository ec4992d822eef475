"""A browser asks for the messages of an event, and shows what is pushed to it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.events import make_event, make_players
from tests.people import make_person, make_player, player_of
from tests.tournament.subscriptions.test_pushes import Browser
from tests.tournament.webhooks.receiver import LOOPBACK, receiving, status
from tournament.models import Notice
from tournament.tasks import send_pushes

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = """([endpoint, p256dh, auth]) => {
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint, keys: { p256dh, auth } }) });
}"""  # noqa: E501
"""A headless browser has no push service of its own."""
RECORD = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, options) => {
    self.shown.push([title, options.body, options.data]);
  };
}"""
"""A headless browser is not allowed to show anything."""
SHOWN = """async () => {
  for (let left = 200; left && !self.shown.length; left -= 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return self.shown;
}"""


def test_what_is_pushed_is_shown(open_page: Callable[..., Page], settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    settings.PUSH_KEY = "k" * 42 + "A"
    event, browser = make_event(make_person("Olga")), Browser()
    ada = make_player("Ada", 1600)
    event.enter(player_of(ada), *make_players(1))
    event.step("open", "start")
    page = open_page("/e/spring/messages", account=ada.account)
    session = page.context.new_cdp_session(page)
    registrations: list[Any] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(told["registrations"]),
    )
    session.send("ServiceWorker.enable")

    with receiving(status(201)) as service:
        keys = browser.keys()
        page.evaluate(KEYS, [service.url, keys["key"], keys["secret"]])
        page.get_by_role("button", name="Show messages in this browser").click()
        expect(page.get_by_role("status")).to_contain_text("This browser shows the messages")
        event.publish(1)
        send_pushes()
        Notice.objects.update(next_attempt_at=timezone.now())
        send_pushes()
        content = browser.read(service.received[0].body)
    origin = page.evaluate("location.origin")
    number = registrations[-1]["registrationId"]
    pushed = {"origin": origin, "registrationId": number, "data": json.dumps(content)}
    (worker,) = page.context.service_workers
    worker.evaluate(RECORD)
    session.send("ServiceWorker.deliverPushMessage", pushed)

    assert worker.evaluate(SHOWN) == [[content["title"], content["body"], content["url"]]]
    assert content["title"] == "Spring Open, round 1: you play against Player 1 on board 1"
