"""Times of an event are those at its place, on the pages of its games too."""

from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.test import Client

from games.core.accounts.adapter import AccountAdapter
from games.core.forms import with_zone
from games.core.text import moment_text, render_template
from games.models import Message
from ratings.batches.pages import moved_body
from tests.events import make_running
from tests.people import Person
from tournament.core.sheets import sheet_frame
from tournament.models import Tournament, Webhook
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
    assert 'data-zone="Europe/Warsaw">1 Jul 2026, 14:00</time>' in content


def test_a_sheet_has_the_time_of_its_event() -> None:
    event = Tournament(slug="spring", name="Spring", starts_on=NOON, ends_on=NOON)
    event.time_zone = "Europe/Warsaw"
    assert sheet_frame(event, "a4", NOON).printed == "printed 1 Jul 2026, 14:00"


def test_a_time_without_an_event_is_that_of_the_site(in_paris: None) -> None:
    text = render_template("games/moment.html", {"at": NOON})
    assert text == ('<time datetime="2026-07-01T14:00:00+02:00" data-own>1 Jul 2026, 14:00</time>')
    assert moment_text(NOON) == "1 Jul 2026, 14:00 CEST"


def test_a_batch_is_moved_in_the_time_of_the_site(in_paris: None) -> None:
    assert moved_body({"effective_at": "2026-07-01T14:00"}, {}) == {
        "effective_at": "2026-07-01T14:00:00+02:00"
    }


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026-07-01T14:00", "2026-07-01T14:00:00-05:00"),
        ("2026-07-01T14:00Z", "2026-07-01T14:00:00+00:00"),
        ("2026-07-01", "2026-07-01T00:00:00-05:00"),
        ("noon", "noon"),
        ("", ""),
        (None, None),
    ],
)
def test_a_time_without_an_offset_gets_that_of_a_zone(typed: Any, expected: Any) -> None:
    assert with_zone(typed, "America/Lima") == expected


def test_a_new_event_is_in_the_time_zone_of_the_site(
    client: Client, organiser: Person, in_paris: None
) -> None:
    client.force_login(organiser.account)
    assert (
        '<option value="Europe/Paris" selected>France: Paris</option>'
        in client.get("/new").content.decode()
    )


def test_a_message_has_the_time_of_the_site(organiser: Person, in_paris: None) -> None:
    context = {"timestamp": NOON, "ip": "192.0.2.1", "user_agent": "Firefox"}
    AccountAdapter().send_mail("account/email/password_changed", "olga@example.org", context)
    text = "on 1 Jul 2026, 14:00 CEST from the address 192.0.2.1 with Firefox."
    assert text in Message.objects.get().text
