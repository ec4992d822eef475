"""The points of an event, on a page of its directors."""

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of

pytestmark = pytest.mark.django_db
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


def test_only_officials_see_them(
    client: Client, ada: Person, stranger: Person, event: Event
) -> None:
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(PAGE).status_code == 403
        assert client.post(PAGE, {"action": "save", "if_match": "*"}).status_code == 403


def test_points_are_previewed_stored_and_cleared(director: Client, event: Event) -> None:
    preview = save(director, "?dry_run=1", win="3", draw="1")
    assert "The points are valid" in preview.content.decode()
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


@pytest.mark.parametrize(
    ("points", "detail"),
    [
        ({"win": "0"}, "a win must be worth more than a loss"),
        ({"colour": "3"}, "unknown result: colour"),
    ],
)
def test_impossible_points_stay_in_the_form_with_the_reason(
    director: Client, event: Event, points: dict[str, str], detail: str
) -> None:
    rejected = save(director, **points)

    assert rejected.status_code == 422
    assert detail in rejected.context["form"].errors["points"][0]
    values = {field.name: field.value for field in rejected.context["fields"]}
    assert values.get("points.win", "") == points.get("win", "")
    event.tournament.refresh_from_db()
    assert event.tournament.points == {}


def test_after_the_start_they_are_fixed(director: Client, event: Event) -> None:
    event.step("start")

    assert "its points are fixed" in director.get(PAGE).content.decode()
    assert save(director, win="3").status_code == 409


def test_it_needs_few_queries(
    director: Client, event: Event, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    director.get(PAGE)
    with django_assert_max_num_queries(15):
        director.get(PAGE)


def test_every_text_that_is_no_number_is_refused_at_its_field(director: Client) -> None:
    wrong = {"win": "many", "draw": "1/0", "loss": "\0", "half_bye": "9" * 40}

    rejected = save(director, **wrong, full_bye="1")

    assert rejected.status_code == 422
    shown = {field.name: field.errors for field in rejected.context["fields"] if field.errors}
    assert shown == {
        f"points.{name}": (f"{value[:20]!r} is not a number of points",)
        for name, value in wrong.items()
    }
    labels = [error["label"] for error in rejected.context["listed_errors"]]
    assert labels == ["Won game", "Drawn game", "Lost game", "Half-point bye"]
