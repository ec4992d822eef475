"""Times of an event are those at its place, on the pages of its games too."""

import pytest
from django.test import Client

from tests.events import make_running
from tests.people import Person

pytestmark = pytest.mark.django_db


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
