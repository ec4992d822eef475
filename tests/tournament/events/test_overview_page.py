"""The first page of an event."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tests.tournament.conftest import OpenPage
from tournament.core.pages import current_round
from tournament.models import Round, Tournament


@pytest.fixture
def event(organiser: Person, ada: Person, stranger: Person) -> Event:
    """An event of four players after one of three rounds, with a draft of the second."""
    event = make_event(organiser, tiebreaks=["PTS", "BH"])
    event.enter(player_of(ada), *make_players(3))
    event.step("open", "start").play(1)
    event.draft(2)
    return event


def test_the_conditions_and_rounds(open_page: OpenPage, event: Event) -> None:
    page = open_page("/e/spring").content.decode()

    for text in (
        "Spring Open",
        "*Star",
        "<dd>points; Buchholz</dd>",
        'href="/e/spring/rounds/1"',
        "being paired",
    ):
        assert text in page
    assert '<th scope="col" class="right">Points</th>' in page
    assert "/e/spring/rounds/2" not in page
    assert 'href="/e/spring/exports"' in page


def test_the_conditions_say_that_players_check_in(
    open_page: OpenPage, organiser: Person, event: Event
) -> None:
    words = "for each round. A player who has not checked in is not paired."
    assert words not in open_page("/e/spring").content.decode()
    make_event(organiser, slug="summer", check_in="round").step("open")
    assert words in open_page("/e/summer").content.decode()


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("stranger", ""),
        ("player", "/e/spring/me"),
        ("organiser", "/e/spring/run /e/spring/rounds/2"),
    ],
)
def test_who_sees_which_tabs(
    open_page: OpenPage, everyone: dict[str, Person], event: Event, name: str, links: str
) -> None:
    page = open_page("/e/spring", everyone[name]).content.decode()

    shown = ("/e/spring/me", "/e/spring/run", "/e/spring/rounds/2")
    assert " ".join(link for link in shown if f'href="{link}"' in page) == links


def test_a_private_event_does_not_exist_for_strangers(
    open_page: OpenPage, organiser: Person, stranger: Person, event: Event
) -> None:
    event.tournament.public = False
    event.tournament.save()

    assert open_page("/e/spring").status_code == 404
    assert open_page("/e/spring", stranger).status_code == 404
    assert open_page("/e/spring", organiser).status_code == 200


@pytest.mark.parametrize("slug", ["nowhere", "a%00b", "x" * 300, "%F0%9F%8C%9F"])
def test_an_unknown_event(open_page: OpenPage, slug: str) -> None:
    assert open_page(f"/e/{slug}").status_code == 404


def test_the_number_of_queries(
    open_page: OpenPage, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(11):
        open_page("/e/spring")


def test_the_first_boards_and_the_leaders(open_page: OpenPage, event: Event) -> None:
    page = open_page("/e/spring").content.decode()

    assert "Standings after round 1" in page
    assert page.count('href="/games/') == 2
    assert page.index('id="leaders"') < page.index('id="boards"')
    assert "data-live-events" in page

    event.publish(2)
    page = open_page("/e/spring").content.decode()
    assert "2 results are missing." in page
    assert page.index('id="boards"') < page.index('id="leaders"')


def test_an_event_before_its_first_round(open_page: OpenPage, organiser: Person) -> None:
    make_event(organiser, name="Autumn", slug="autumn").step("open")
    page = open_page("/e/autumn").content.decode()

    assert "Apply for a place" in page
    assert 'id="boards"' not in page
    assert "data-live-events" not in page


STATES = {
    # states and days of the rounds, and the round that is current; today is day 3
    "": (),
    "complete1 planned2": 1,
    "complete1 published2 planned3": 2,
    "published1 published2 published3": 1,
    "published1/1 published2/3 published3/5": 2,
    "complete1/1 published2/4 published3/5": 2,
    "complete1/1 complete2/2": 2,
}


@pytest.mark.parametrize("rounds", STATES)
def test_the_current_round(rounds: str) -> None:
    today = timezone.now().date()
    published = []
    for text in rounds.split():
        state, number, day = re.fullmatch(r"([a-z]+)(\d)(?:/(\d))?", text).groups()
        starts_on = today + timedelta(days=int(day) - 3) if day else None
        if state != "planned":
            published.append(Round(number=int(number), state=state, starts_on=starts_on))

    found = current_round(Tournament(time_zone="UTC"), published)

    assert (found.number if found else ()) == STATES[rounds]


def test_the_time_zone_has_its_name(open_page: OpenPage, organiser: Person) -> None:
    make_event(organiser, name="Autumn", slug="autumn", time_zone="Europe/Warsaw").step("open")

    page = open_page("/e/autumn").content.decode()

    assert "<dd>Poland: Warsaw</dd>" in page
    assert "Europe/Warsaw</dd>" not in page


def test_french_words_of_an_event_that_is_not_rated(
    client: Client, organiser: Person, event: Event
) -> None:
    page = client.get("/e/spring", headers={"Accept-Language": "fr"}).content.decode()

    assert "<dd>non coté</dd>" in page
