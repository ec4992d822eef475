"""What the page of entries says when places are taken, and what a late entry changes."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db
ENTRIES = "/e/spring/run/entries"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Three players in an event with four places."""
    event = make_event(organiser, system="dutch", places=4)
    event.enter(*make_players(3, by=organiser))
    return event.step("open")


@pytest.fixture
def director(client: Client, organiser: Person) -> Client:
    client.force_login(organiser.account)
    return client


def text_of(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_a_taken_place_names_the_control_of_the_settings(director: Client, event: Event) -> None:
    event.enter(Player.objects.create(name="Eva"))
    page = text_of(director.get(ENTRIES))
    assert (
        "all 4 places are taken; to accept more players, raise the number of places in the settings"
        in page
    )
    assert "`" not in page


def test_a_list_that_is_too_long_says_how_many_places_are_free(
    director: Client, event: Event
) -> None:
    lines = "name\n" + "\n".join(f"New {number}" for number in range(2))
    rejected = director.post(ENTRIES, {"action": "import", "file": lines})
    assert rejected.status_code == 409
    assert "there are 2 new players, and 1 of 4 places are free; leave some out, or" in text_of(
        rejected
    )


def test_a_late_entry_says_whom_it_renumbers(director: Client, event: Event) -> None:
    event.step("start").play(1)
    assert "printed card" not in text_of(director.get(ENTRIES)).replace("printed cards are", "", 1)
    eva = Player.objects.create(name="Eva", seed_rating=2000)
    sent = director.post(ENTRIES, {"action": "enter", "player": str(eva.pk)})
    page = text_of(director.get(sent["Location"]))
    assert "The player is entered." in page
    assert "3 players have other numbers than when the papers were printed." in page
    assert "4 printed cards are out of date." in page
    director.cookies["django_language"] = "de"
    assert "3 Spieler haben andere Nummern als beim Druck der Blätter." in text_of(
        director.get(ENTRIES)
    )
