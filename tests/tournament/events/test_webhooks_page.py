"""The pages of webhooks: create, ping, replay, change and delete them, and read the log."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.services import create_webhook

pytestmark = pytest.mark.django_db
PAGE = "/account/webhooks"
URL = "https://hooks.example.org/bot"


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """A running event with a webhook."""
    event = make_event(organiser)
    event.enter(*make_players(2))
    event.step("open", "start")
    by: Any = organiser.account
    webhook = create_webhook(event.stream, URL, ["game.confirmed"], by=by)
    return {"event": event, "webhook": webhook}


@pytest.fixture
def webhook(start: dict[str, Any]) -> Webhook:
    found: Webhook = start["webhook"]
    return found


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_a_webhook_is_created_and_its_secret_shown_once(director: Client, event: Event) -> None:
    form = {"action": "create", "tournament": "spring", "url": URL, "kinds[]": ["round.published"]}
    response = director.post(PAGE, form)
    page = text_of(response)

    webhook = Webhook.objects.latest("pk")
    (secret,) = re.findall(r'class="secret">([^<]+)<', page)
    assert (secret, webhook.kinds) == (webhook.secret, ["round.published"])
    assert f"{PAGE}/{webhook.pk}" in page
    assert response.headers["Cache-Control"] == "private, no-store"
    assert f'value="{URL}"' not in page
    for path in (PAGE, f"{PAGE}/{webhook.pk}"):
        assert secret not in text_of(director.get(path))


def test_a_rejected_form_says_why(director: Client, event: Event) -> None:
    form = {"action": "create", "tournament": "spring", "url": "https://10.0.0.1/x"}
    rejected = director.post(PAGE, form)

    assert rejected.status_code == 422
    assert "10.0.0.1 is not a public address" in text_of(rejected)
    assert 'value="https://10.0.0.1/x"' in text_of(rejected)


def test_the_page_of_a_webhook_shows_its_log(director: Client, webhook: Webhook) -> None:
    WebhookDelivery.objects.create(
        webhook=webhook, sequence=7, kind="game.confirmed", state="given-up", attempts=11,
        status=500, problem="the response has the status 500", excerpt="<b>ouch</b>",
    )  # fmt: skip
    page = text_of(director.get(f"{PAGE}/{webhook.pk}"))

    assert "given up" in page
    assert "the response has the status 500" in page
    assert "&lt;b&gt;ouch" in page
    assert webhook.secret not in page


def post(director: Client, webhook: Webhook, action: str, **fields: Any) -> str:
    response = director.post(f"{PAGE}/{webhook.pk}", {"action": action, **fields})
    assert response.status_code == 303, text_of(response)
    return text_of(director.get(response["Location"]))


def test_the_buttons_of_a_webhook(director: Client, webhook: Webhook) -> None:
    assert "A ping will be sent" in post(director, webhook, "ping")
    ping = webhook.deliveries.get()
    ping.state = WebhookDelivery.State.GIVEN_UP
    ping.save()
    assert "sent again" in post(director, webhook, "replay", delivery_id=ping.pk)
    assert "stopped by hand" in post(director, webhook, "switch", active="false")
    assert "Stop it" in post(director, webhook, "switch", active="true")
    post(director, webhook, "edit", url=f"{URL}/2", **{"kinds[]": ""})
    webhook.refresh_from_db()
    assert (webhook.url, webhook.kinds, webhook.stopped) == (f"{URL}/2", [], "")


def test_a_new_secret_is_shown_once(director: Client, webhook: Webhook) -> None:
    page = text_of(director.post(f"{PAGE}/{webhook.pk}", {"action": "rotate"}))

    webhook.refresh_from_db()
    assert re.findall(r'class="secret">([^<]+)<', page) == [webhook.secret]


def test_a_webhook_is_deleted(director: Client, webhook: Webhook) -> None:
    sent = director.post(PAGE, {"action": "delete", "webhook_id": webhook.pk})

    assert "The webhook is deleted." in text_of(director.get(sent["Location"]))
    assert not Webhook.objects.exists()


def test_others_see_nothing(open_page: OpenPage, webhook: Webhook, stranger: Person) -> None:
    assert open_page(PAGE)["Location"] == "/login?next=%2Faccount%2Fwebhooks"
    assert URL not in text_of(open_page(PAGE, stranger))
    assert open_page(f"{PAGE}/{webhook.pk}", stranger).status_code == 404
    assert open_page(f"{PAGE}/{webhook.pk}", stranger, {"action": "ping"}).status_code == 404
    assert not webhook.deliveries.exists()


def test_the_run_pages_lead_here(director: Client, event: Event) -> None:
    page = text_of(director.get(f"/e/{event.tournament.slug}/run/links"))
    (path,) = re.findall(r'href="(/account/webhooks[^"]*)"', page)

    form = text_of(director.get(path))
    assert f'<option value="{event.tournament.slug}" selected>' in form
