"""The wall view of an event, and the state that it polls."""

import pytest
from pytest_django import DjangoAssertNumQueries

from games.play.services import rule_game
from tests.events import Event, make_running, settle
from tests.people import Person
from tests.tournament.conftest import OpenPage
from tournament.models import Round

pytestmark = pytest.mark.any_database

STATE = "/e/spring/wall/state"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Five players after one of three rounds, with the second published."""
    event = make_running(organiser, 5, tiebreaks=["PTS", "BH"])
    event.play(1)
    event.publish(2)
    return event


def test_the_state_changes_with_a_result(
    one_day: None, open_page: OpenPage, organiser: Person, event: Event
) -> None:
    first = open_page(STATE)
    state = first.json()
    assert (state["round"], state["round_state"], state["missing"]) == (2, "published", 2)
    known = {"If-None-Match": first["ETag"]}
    assert open_page(STATE, headers=known).status_code == 304

    rule_game(event.games(2)[0], by=organiser.account, reason="seen", result="11-10")
    settle()

    changed = open_page(STATE, headers=known)
    assert (changed.status_code, changed.json()["missing"]) == (200, 1)
    assert "11-10" in open_page("/e/spring/wall").content.decode()


def test_a_draft_is_not_on_the_wall_of_an_official(
    open_page: OpenPage, organiser: Person, event: Event
) -> None:
    Round.objects.filter(tournament=event.tournament, number=2).update(state="drafted")

    assert "Round 1 of 3" in open_page("/e/spring/wall", organiser).content.decode()
    assert open_page(STATE, organiser).json()["round"] == 1


def test_before_the_first_round(open_page: OpenPage, event: Event) -> None:
    Round.objects.filter(tournament=event.tournament).update(state="planned")

    assert open_page("/e/spring/wall").status_code == 200
    assert open_page(STATE).json()["round"] is None


def test_the_number_of_queries(
    open_page: OpenPage, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    known = {"If-None-Match": open_page(STATE)["ETag"]}
    with django_assert_num_queries(2):
        open_page(STATE, headers=known)
    with django_assert_num_queries(4):
        open_page(STATE)
