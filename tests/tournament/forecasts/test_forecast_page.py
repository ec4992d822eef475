"""The page of a forecast: the progress of its task, then the table and the plot."""

from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_event, make_players, run_due
from tests.people import Person
from tests.tournament.conftest import login
from tournament.forecasts import services as steps

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/e/spring/forecast"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Three rounds by four players, of which the first is complete."""
    event = make_event(organiser, system="dutch", rounds=3)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    return event


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Simulate 20 times, in one process."""
    monkeypatch.setattr(steps, "SIMULATIONS", 20)
    settings.SIMULATION_PROCESSES = 1


def text_of(client: Client, page: str = PAGE) -> str:
    answer = client.get(page)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_waits_for_the_simulations(event: Event, client: Client) -> None:
    button = '<button name="action" value="request">'
    assert button in text_of(client, f"{PAGE}?top=2")
    asked = client.post(f"{PAGE}?top=2", {"action": "request"})
    page = text_of(client, asked["Location"])
    assert ('<noscript><meta http-equiv="refresh"' in page, button in page) == (True, False)
    run_due()
    page = text_of(client, f"{PAGE}?top=2")
    assert "refresh" not in page
    assert page.count('<a href="/e/spring/players/') == 4
    plot = "/api/v1/tournaments/spring/forecast.svg?top=2"
    assert plot in page
    picture = client.get(plot)
    assert picture["Content-Type"] == "image/svg+xml; charset=utf-8"


def test_other_pages_lead_to_it_while_it_is_shown(
    event: Event, client: Client, organiser: Person
) -> None:
    assert PAGE in text_of(client, "/e/spring")
    organiser.patch(event.path, {"forecast": "officials"})
    assert PAGE not in text_of(client, "/e/spring")
    assert client.get(PAGE).status_code == 404
    assert PAGE in text_of(login(organiser), "/e/spring?public=1")
    organiser.patch(event.path, {"forecast": "off"})
    assert login(organiser).get(PAGE).status_code == 404


def test_an_event_that_is_over_says_so_and_leads_back(event: Event, client: Client) -> None:
    event.play(2)
    event.play(3)
    event.step("review", "finalise")

    answer = client.get(PAGE)

    assert answer.status_code == 409
    assert 'href="/e/spring/standings"' in answer.content.decode()
