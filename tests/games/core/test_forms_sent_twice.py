"""A form that is sent twice, such as by a double click, acts once."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import JournalLine
from tests.events import make_event
from tests.people import Person
from tournament.models import Webhook
from tournament.webhooks.services import create_webhook

PAGE = "/account/webhooks"


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """An event with a webhook, and a browser in which the organiser is logged in."""
    event = make_event(organiser)
    by: Any = organiser.account
    client = Client(enforce_csrf_checks=True)
    client.force_login(by)
    webhook = create_webhook(event.stream, "https://hooks.example.org/", [], by=by)
    return {"event": event, "webhook": webhook, "browser": client}


def key_of(response: HttpResponse) -> str:
    """Return the key of the forms of a page."""
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', response.content.decode())[0]


def test_a_form_acts_once(start: dict[str, Any]) -> None:
    browser: Client = start["browser"]
    webhook: Webhook = start["webhook"]
    page = f"{PAGE}/{webhook.pk}"
    form = {"action": "ping", "csrfmiddlewaretoken": key_of(browser.get(page))}

    first, again = browser.post(page, form), browser.post(page, form)

    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"])
    assert (first.status_code, first["Location"]) == (303, f"{page}?done=ping")
    assert webhook.deliveries.count() == 1
    form["csrfmiddlewaretoken"] = key_of(browser.get(page))
    assert browser.post(page, form).status_code == 303
    assert webhook.deliveries.count() == 2


def test_a_secret_is_shown_to_who_sends_the_form_twice(start: dict[str, Any]) -> None:
    browser: Client = start["browser"]
    key = key_of(browser.get(PAGE))
    form = {
        "action": "create",
        "tournament_slug": "spring",
        "receiver_url": "https://hooks.example.org/a",
    }
    form["csrfmiddlewaretoken"] = key

    first, again = browser.post(PAGE, form), browser.post(PAGE, form)

    webhook = Webhook.objects.latest("pk")
    assert Webhook.objects.count() == 2
    assert first.content == again.content
    assert webhook.secret in again.content.decode()
    for response in (first, again):
        assert response["Cache-Control"] == "private, no-store"
        assert response["Content-Type"] == "text/html; charset=utf-8"


def test_what_is_typed_later_is_another_write(start: dict[str, Any]) -> None:
    browser: Client = start["browser"]
    webhook: Webhook = start["webhook"]
    page = f"{PAGE}/{webhook.pk}"
    key = key_of(browser.get(page))

    for url in ("https://10.0.0.1/", "https://hooks.example.org/b", "https://hooks.example.org/c"):
        form = {"action": "edit", "receiver_url": url, "csrfmiddlewaretoken": key}
        expected = 422 if "10.0" in url else 303
        assert browser.post(page, form).status_code == expected

    webhook.refresh_from_db()
    assert webhook.url == "https://hooks.example.org/c"
    assert JournalLine.objects.filter(kind="webhook.edited").count() == 2


def test_a_form_needs_no_quota(start: dict[str, Any], settings: Any) -> None:
    """The key of a form was not asked for, so the quota of keys does not refuse it."""
    settings.QUOTAS = {**settings.QUOTAS, "responses": 0}
    browser: Client = start["browser"]
    webhook: Webhook = start["webhook"]
    page = f"{PAGE}/{webhook.pk}"
    form = {"action": "ping", "csrfmiddlewaretoken": key_of(browser.get(page))}

    assert browser.post(page, form).status_code == 303
