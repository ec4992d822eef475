"""The page of all games that the reader may see."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game
from tests.events import Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/games"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others; round 1 is played."""
    event = make_running(organiser, 3, rounds=3)
    event.enter(player_of(ada))
    event.play(1)
    return event


def listed(browser: Client, query: str = "") -> list[int]:
    page = browser.get(PAGE + query)
    assert page.status_code == 200
    return [game["id"] for game in page.context["games"]]


def test_the_games_that_the_reader_may_see_are_listed(
    client: Client, organiser: Person, event: Event
) -> None:
    played = sorted((game.pk for game in event.games(1)), reverse=True)
    assert listed(client) == played
    Game.objects.update(public=False)
    assert (listed(client), listed(login(organiser))) == ([], played)


def test_games_are_found_by_the_filters(client: Client, ada: Person, event: Event) -> None:
    own = [game.pk for game in event.games(1) if player_of(ada) in (game.first, game.second)]
    assert listed(client, f"?player={player_of(ada).pk}&state=confirmed&ruleset=star-star") == own
    assert listed(client, "?ruleset=hex") == []
    for part in ("Spring+Open&pool=", "spring", "+ing+o", "%00spring"):
        assert listed(client, f"?event={part}") == listed(client)
    assert listed(client, "?event=autumn") == []
    Game.objects.filter(pk=own[0]).update(stream="casual/1", event="Autumn")
    assert listed(client, "?event=Autumn") == own


def test_the_queries_do_not_grow_with_the_games(
    client: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert len(listed(client)) == 2
    with django_assert_num_queries(3):
        client.get(PAGE)
    Game.objects.filter(pk=event.games(1)[0].pk).update(public=False)
    with django_assert_num_queries(3):
        assert len(listed(client)) == 1
