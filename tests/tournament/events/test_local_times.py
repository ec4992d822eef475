"""Times of an event are those at its place, on the pages of its games too."""

from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.test import Client

from games.core.forms import with_zone
from games.core.text import moment_text, render_template
from tests.events import make_running
from tests.people import Person
from tournament.core.sheets import sheet_frame
from tournament.models import Tournament

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


def test_a_sheet_has_the_time_of_its_event() -> None:
    event = Tournament(slug="spring", name="Spring", starts_on=NOON, ends_on=NOON)
    event.time_zone = "Europe/Warsaw"
    assert sheet_frame(event, "a4", NOON).printed == "printed 1 Jul 2026, 14:00"


def test_a_time_without_an_event_is_that_of_the_site(in_paris: None) -> None:
    text = render_template("games/moment.html", {"at": NOON})
    assert text == ('<time datetime="2026-07-01T14:00:00+02:00" data-own>1 Jul 2026, 14:00</time>')
    assert moment_text(NOON) == "1 Jul 2026, 14:00 CEST"


def test_a_time_without_an_offset_gets_that_of_a_zone() -> None:
    assert with_zone("2026-07-01T14:00", "America/Lima") == "2026-07-01T14:00:00-05:00"
    assert with_zone("2026-07-01T14:00Z", "America/Lima") == "2026-07-01T14:00:00+00:00"
    for typed in ("noon", "", None):
        assert with_zone(typed, "America/Lima") == typed
