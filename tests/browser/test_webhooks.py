"""The pages of webhooks in a browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Role
from tests.browser.conftest import Check
from tests.events import Event, make_event, make_players
from tests.people import make_person
from tournament.models import Webhook


@pytest.fixture
def event(live_server: Any) -> Event:
    event = make_event(make_person("Rita"))
    event.enter(*make_players(2))
    return event.step("open", "start")


def test_the_pages_of_webhooks(open_page: Callable[..., Page], check: Check, event: Event) -> None:
    olga = make_person("Olga").account
    Role.objects.create(stream=event.stream, account=olga, role="director")
    page = open_page(f"/e/{event.tournament.slug}/run/links", account=olga)
    page.locator("main").get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address of the receiver").fill("https://hooks.example.org/a-results-bot")
    page.get_by_text("Only some kinds of entries").click()
    page.get_by_label("game.confirmed").check()
    check(page, "webhooks")
    page.get_by_role("button", name="Create the webhook").click()
    expect(page.locator(".secret")).to_have_text(re.compile("^whsec_"))
    check(page, "new-webhook")
    webhook = Webhook.objects.get()
    for number, (kind, state) in enumerate(
        (("round.published", "delivered"), ("game.confirmed", "given-up")), start=1
    ):
        webhook.deliveries.create(
            sequence=number, kind=kind, state=state, attempts=number, status=200 * number,
            attempted_at=webhook.created_at, excerpt="a text of the receiver " * 9,
        )  # fmt: skip
    page.get_by_role("link", name="Test it with a ping").click()
    page.get_by_role("button", name="Send a ping").click()
    page.get_by_role("status").filter(has_text="A ping will be sent").wait_for()
    check(page, "webhook")
    page.get_by_role("button", name="Delete the webhook and its log").click()
    page.get_by_text("There are no webhooks yet.").wait_for()
