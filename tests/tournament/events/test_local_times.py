"""Times of an event are those at its place, on the pages of its games too."""

from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.test import Client

from games.core.text import moment_text, render_template
from ratings.batches.pages import with_zone
from tests.events import make_running
from tests.people import Person
from tournament.models import Webhook
from tournament.webhooks.services import create_webhook

pytestmark = pytest.mark.django_db
NOON: Final = datetime(2026, 7, 1, 12, tzinfo=UTC)


def test_reports_have_the_time_of_the_event(client: Client, organiser: Person) -> None:
    event = make_running(organiser, 2, time_zone="Europe/Warsaw")
    game = event.publish(1)[0]
    event.rule(game)
    client.force_login(organiser.account)
    for page in (
        f"/games/{game.pk}",
        f"/games/{game.pk}/reports",
        f"/e/spring/run/games/{game.pk}",
    ):
        content = client.get(page).content.decode()
        assert 'data-zone="Europe/Warsaw"' in content, page
        assert 'data-zone="UTC"' not in content, page


@pytest.fixture
def in_paris(settings: Any) -> None:
    """The site is in Paris, where it is two hours later than UTC in summer."""
    settings.SITE_TIME_ZONE = "Europe/Paris"


def test_webhooks_have_the_time_of_their_event(
    client: Client, organiser: Person, in_paris: None
) -> None:
    event = make_running(organiser, 2, time_zone="Europe/Warsaw")
    webhook = create_webhook(
        event.stream, "https://example.org/", ["game.confirmed"], by=organiser.account
    )
    Webhook.objects.filter(pk=webhook.pk).update(failing_since=NOON)
    client.force_login(organiser.account)
    content = client.get(f"/account/webhooks/{webhook.pk}").content.decode()
    assert 'data-zone="Europe/Warsaw">1 Jul 2026, 14:00 CEST' in content


def test_a_time_without_an_event_is_that_of_the_site(in_paris: None) -> None:
    text = render_template("games/moment.html", {"at": NOON})
    assert text == (
        '<time datetime="2026-07-01T14:00:00+02:00" data-own>1 Jul 2026, 14:00 CEST</time>'
    )
    assert moment_text(NOON) == "1 Jul 2026, 14:00 CEST"


def test_a_batch_is_moved_in_the_time_of_the_site(in_paris: None) -> None:
    assert with_zone({"effective_at": "2026-07-01T14:00"}, {}) == {
        "effective_at": "2026-07-01T14:00:00+02:00"
    }
    assert with_zone({"effective_at": "noon"}, {}) == {"effective_at": "noon"}
