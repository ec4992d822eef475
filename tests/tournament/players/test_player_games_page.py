"""The page of a player's games: those that the reader may see, also of a merged registration."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player
from tests.events import Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others; two rounds are played."""
    event = make_running(organiser, 3, rounds=3)
    event.enter(player_of(ada))
    for number in (1, 2):
        event.play(number)
    return event


def shown(browser: Client, player: Player) -> list[int]:
    page = browser.get(f"/players/{player.pk}/games")
    assert page.status_code == 200
    return [game["id"] for game in page.context["games"]]


def test_it_lists_the_games_that_the_reader_may_see(
    client: Client, organiser: Person, stranger: Person, ada: Person, event: Event
) -> None:
    player = player_of(ada)
    own = Game.objects.filter(first=player) | Game.objects.filter(second=player)
    expected = sorted(own.values_list("pk", flat=True), reverse=True)
    assert len(expected) == 2
    assert shown(client, player) == expected
    text = client.get(f"/players/{player.pk}/games").content.decode()
    assert event.tournament.name in text
    assert (
        f'href="/players/{player.pk}/games"' in client.get(f"/players/{player.pk}").content.decode()
    )

    other = Player.objects.create(name="Ada Moon")
    Player.objects.filter(pk=player.pk).update(merged_into=other)
    assert shown(client, other) == shown(client, player) == expected

    Tournament.objects.update(public=False)
    Game.objects.update(public=False)
    for browser, games in (
        (client, []),
        (login(stranger), []),
        (login(organiser), expected),
    ):
        assert shown(browser, other) == games
    assert client.get("/players/999999/games").status_code == 404
    assert client.get(f"/players/{other.pk}/games?cursor=x").status_code in (400, 404, 422)


def test_the_queries_do_not_grow_with_the_games(
    client: Client, ada: Person, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = f"/players/{player_of(ada).pk}/games"
    client.get(path)
    with django_assert_num_queries(5):
        client.get(path)
    event.publish(3)
    with django_assert_num_queries(5):
        client.get(path)
