"""The first page of an event."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tests.tournament.conftest import OpenPage
from tournament.core.pages import current_round
from tournament.models import Round, Tournament

pytestmark = pytest.mark.any_database


@pytest.fixture
def event(organiser: Person, ada: Person, stranger: Person) -> Event:
    """An event of four players after one of three rounds, with a draft of the second."""
    event = make_event(organiser, tiebreaks=["PTS", "BH"])
    event.enter(player_of(ada), *make_players(3))
    event.step("open", "start").play(1)
    event.draft(2)
    return event


def test_who_sees_which_tabs(
    open_page: OpenPage, everyone: dict[str, Person], event: Event
) -> None:
    own, run, draft = "/e/spring/me", "/e/spring/run", "/e/spring/rounds/2"
    for name, links in (("stranger", set()), ("player", {own}), ("organiser", {run, draft})):
        page = open_page("/e/spring", everyone[name]).content.decode()
        assert {link for link in (own, run, draft) if f'href="{link}"' in page} == links, name


def test_an_official_sees_one_bar_and_the_public_page_if_they_want(
    open_page: OpenPage, organiser: Person, stranger: Person, event: Event
) -> None:
    bars = re.compile(r'<nav class="(tabs[^"]*)"')
    step, back = 'id="next-step"', 'href="/e/spring/run">Direct the event'
    found = {
        (name, path): open_page(f"/e/spring{path}", person).content.decode()
        for name, person in (("organiser", organiser), ("stranger", stranger))
        for path in ("", "?public=1", "/standings")
    }
    shown = {key: (bars.findall(page), step in page, back in page) for key, page in found.items()}
    everyone = (["tabs"], False, False)
    assert shown == {
        ("organiser", ""): (["tabs sections"], True, False),
        ("organiser", "?public=1"): (["tabs"], False, True),
        ("organiser", "/standings"): (["tabs"], False, True),
        ("stranger", ""): everyone,
        ("stranger", "?public=1"): everyone,
        ("stranger", "/standings"): everyone,
    }


def test_the_number_of_queries(
    open_page: OpenPage, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(15):
        open_page("/e/spring")


def test_the_first_boards_and_the_leaders(open_page: OpenPage, event: Event) -> None:
    page = open_page("/e/spring").content.decode()

    assert page.count('href="/games/') == 2
    assert page.index('id="leaders"') < page.index('id="boards"')

    event.publish(2)
    page = open_page("/e/spring").content.decode()
    assert page.index('id="boards"') < page.index('id="leaders"')


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
