"""The page of the records that several games of an event have."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.events import Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/records/repeated"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event of four boards; round 1 is published."""
    event = make_running(organiser, 7, rounds=1)
    event.enter(player_of(ada))
    event.publish(1)
    return event


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event) -> None:
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        assert login(person).get(PAGE).status_code == 403


def test_the_games_of_a_repeated_record_are_listed(
    director: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = event.games()
    event.rule(games[0])
    assert "No record of this event is in another game." in director.get(PAGE).content.decode()
    for path in ("/e/spring/run/disputes", "/e/spring/run/rounds/1/results"):
        assert f'href="{PAGE}"' in director.get(path).content.decode()
    for repeating in (games[1:2], games[2:]):
        for game in repeating:
            event.rule(game)
        with django_assert_num_queries(9):
            page = director.get(PAGE)
    (record,) = page.context["repeated"]
    assert [game["id"] for game in record["games"]] == [game.pk for game in games]
    for game in games:
        assert f'href="/games/{game.pk}"' in page.content.decode()
        assert f'href="/e/spring/run/games/{game.pk}"' in page.content.decode()
