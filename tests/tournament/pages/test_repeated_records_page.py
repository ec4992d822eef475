"""The page of the records that several games of an event have."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player
from tests.tournament.pages.conftest import login

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/records/repeated"


@pytest.fixture(scope="module")
def created(module_rows: None) -> dict[str, Any]:
    """A running event of four boards; round 1 is published."""
    organiser = make_person("Olga")
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(8))
    event.step("open", "start").publish(1)
    return {
        "organiser": organiser,
        "event": event,
        "ada": make_player("Ada"),
        "stranger": make_person("Stig"),
    }


def rule(event: Event, *boards: int) -> None:
    """Rule the games of some boards by the same record."""
    for board in boards:
        body = {"record": FIRST_WINS, "reason": "a slip"}
        assert event.owner.post(f"games/{event.games()[board].pk}/rule", body).status_code == 202
    settle()


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event) -> None:
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        assert login(person).get(PAGE).status_code == 403


def test_the_games_of_a_repeated_record_are_listed(
    director: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rule(event, 0)
    assert "No record of this event is in another game." in director.get(PAGE).content.decode()
    for path in ("/e/spring/run/disputes", "/e/spring/run/rounds/1/results"):
        assert f'href="{PAGE}"' in director.get(path).content.decode()
    for boards in ((1,), (2, 3)):
        rule(event, *boards)
        with django_assert_num_queries(10):
            page = director.get(PAGE)
    (record,) = page.context["repeated"]
    assert [game["game"] for game in record["games"]] == [game.pk for game in event.games()]
    for game in event.games():
        assert f'href="/games/{game.pk}"' in page.content.decode()
        assert f'href="/e/spring/run/games/{game.pk}"' in page.content.decode()
