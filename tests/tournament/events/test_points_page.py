"""The points of an event, on a page of its directors."""

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run/points"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """An event in registration with Ada and two others."""
    event = make_event(organiser)
    event.enter(player_of(ada), *make_players(2))
    event.step("open")
    return event


def save(browser: Client, query: str = "", **points: str) -> HttpResponse:
    tag = browser.get(PAGE).context["if_match"]
    fields = {f"points.{name}": value for name, value in points.items()}
    return browser.post(PAGE + query, {"action": "save", "if_match": tag} | fields)


def test_points_are_previewed_stored_and_cleared(director: Client, event: Event) -> None:
    preview = save(director, "?dry_run=1", win="3", draw="1")
    assert preview.status_code == 200
    event.tournament.refresh_from_db()
    assert event.tournament.points == {}

    assert save(director, win="3", draw="1", half_bye="0,5").status_code == 303
    event.tournament.refresh_from_db()
    assert event.tournament.points == {"win": "3", "draw": "1", "half_bye": "0.5"}
    assert JournalLine.objects.latest("pk").kind == "tournament.edited"
    shown = {
        field.name: (field.value, field.help) for field in director.get(PAGE).context["fields"]
    }
    assert shown["points.win"] == ("3", "Now: 3")
    assert shown["points.forfeit_win"] == ("", "Now: 3")
    assert shown["points.half_bye"] == ("0.5", "Now: 0.5")

    assert save(director, win="", draw="½").status_code == 303
    event.tournament.refresh_from_db()
    assert event.tournament.points == {"draw": "1/2"}


def test_after_the_start_they_are_fixed(director: Client, event: Event) -> None:
    event.step("start")

    assert save(director, win="3").status_code == 409


def test_every_text_that_is_no_number_is_refused_at_its_field(director: Client) -> None:
    wrong = {"win": "many", "draw": "1/0", "loss": "\0", "half_bye": "9" * 70}

    rejected = save(director, **wrong, full_bye="1")

    assert rejected.status_code == 422
    shown = {field.name: field.errors for field in rejected.context["fields"] if field.errors}
    assert shown == {
        f"points.{name}": (f"{value[:60]!r} is not a number of points",)
        for name, value in wrong.items()
    }
    unknown = save(director, win="0", colour="3")
    assert unknown.status_code == 422
    assert "points" in unknown.context["form"].errors
