"""The pages of webhooks: create, ping, replay, change and delete them, and read the log."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.events import Event
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.services import create_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/account/webhooks"
URL = "https://hooks.example.org/bot"


@pytest.fixture
def webhook(event: Event) -> Webhook:
    by: Any = event.owner.account
    return create_webhook(event.stream, URL, ["game.confirmed"], by=by)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_a_webhook_is_created_and_its_secret_shown_once(director: Client, event: Event) -> None:
    form = {
        "action": "create",
        "tournament_slug": "spring",
        "receiver_url": URL,
        "kinds[]": ["round.published"],
    }
    response = director.post(PAGE, form | {"format": ""})
    page = text_of(response)

    webhook = Webhook.objects.latest("pk")
    (secret,) = re.findall(r'class="secret">([^<]+)<', page)
    assert (secret, webhook.kinds) == (webhook.secret, ["round.published"])
    assert webhook.format == "object"
    assert f"{PAGE}/{webhook.pk}" in page
    assert response.headers["Cache-Control"] == "private, no-store"
    assert f'value="{URL}"' not in page
    for path in (PAGE, f"{PAGE}/{webhook.pk}"):
        assert secret not in text_of(director.get(path))


def test_a_rejected_form_says_why(director: Client, event: Event) -> None:
    form = {"action": "create", "tournament_slug": "spring", "receiver_url": "https://10.0.0.1/x"}
    rejected = director.post(PAGE, form)

    assert rejected.status_code == 422
    assert "the host has no public address" in text_of(rejected)
    assert 'value="https://10.0.0.1/x"' in text_of(rejected)


def test_the_buttons_of_a_webhook(director: Client, webhook: Webhook) -> None:
    def press(action: str, **fields: Any) -> None:
        response = director.post(f"{PAGE}/{webhook.pk}", {"action": action, **fields})
        assert response.status_code == 303, text_of(response)
        webhook.refresh_from_db()

    press("ping")
    ping = webhook.deliveries.get()
    ping.state = WebhookDelivery.State.GIVEN_UP
    ping.save()
    press("replay", delivery_id=ping.pk)
    assert webhook.deliveries.filter(state=WebhookDelivery.State.PENDING).exists()
    press("switch", active="false")
    assert webhook.stopped
    press("switch", active="true")
    press("edit", receiver_url=f"{URL}/2", format="mattermost", **{"kinds[]": ""})
    assert (webhook.url, webhook.kinds, webhook.stopped) == (f"{URL}/2", [], "")
    press("edit", receiver_url=f"{URL}/2", format="", **{"kinds[]": ""})
    assert webhook.format == "mattermost"
    page = text_of(director.post(f"{PAGE}/{webhook.pk}", {"action": "rotate"}))
    webhook.refresh_from_db()
    assert re.findall(r'class="secret">([^<]+)<', page) == [webhook.secret]

    sent = director.post(PAGE, {"action": "delete", "webhook_id": webhook.pk})
    assert (sent.status_code, Webhook.objects.exists()) == (303, False)


def test_others_see_nothing(open_page: OpenPage, webhook: Webhook, stranger: Person) -> None:
    assert URL not in text_of(open_page(PAGE, stranger))
    assert open_page(f"{PAGE}/{webhook.pk}", stranger).status_code == 404
    assert open_page(f"{PAGE}/{webhook.pk}", stranger, {"action": "ping"}).status_code == 404
    assert not webhook.deliveries.exists()
