"""A form that is sent twice, such as by a double click, acts once."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from games.models import JournalLine, StoredResponse
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
    form = {"action": "create", "tournament": "spring", "url": "https://hooks.example.org/a"}
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
        form = {"action": "edit", "url": url, "csrfmiddlewaretoken": key}
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


@pytest.mark.django_db(transaction=True)
def test_ten_clicks_at_once_act_once(start: dict[str, Any]) -> None:
    browser: Client = start["browser"]
    webhook: Webhook = start["webhook"]
    page = f"{PAGE}/{webhook.pk}"
    form = {"action": "ping", "csrfmiddlewaretoken": key_of(browser.get(page))}

    def click(_: int) -> tuple[int, str]:
        try:
            other = Client(enforce_csrf_checks=True)
            other.cookies = browser.cookies
            response = other.post(page, form)
            return response.status_code, response["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=10) as pool:
        answers = set(pool.map(click, range(10)))

    assert answers == {(303, f"{page}?done=ping")}
    assert webhook.deliveries.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_form_whose_first_sending_is_not_finished(start: dict[str, Any]) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("on SQLite, any write waits for the only writer")
    browser: Client = start["browser"]
    page = f"{PAGE}/{start['webhook'].pk}"
    form = {"action": "ping", "csrfmiddlewaretoken": key_of(browser.get(page))}
    browser.post(page, form)
    row = StoredResponse.objects.get()
    row.delete()

    def click() -> HttpResponse:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '200ms'")  # as in a process of the service
            return browser.post(page, form)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")  # the next test may get the connection
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(max_workers=1) as pool:
        row.save(force_insert=True)  # as the first request does
        response = pool.submit(click).result()

    assert response.status_code == 409
    assert "the form was sent twice" in response.content.decode()
    assert "Idempotency" not in response.content.decode()
