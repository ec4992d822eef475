"""`/e/SLUG/ratings`: what the results of an event change, before and after its rating."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.models import Game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import Event, make_event, make_players
from tests.people import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(db: None) -> Event:
    """One of two rounds by four players rated 1499 to 1496; the first seat wins every game."""
    event = make_event(make_person("Olga"), pool="star", system="dutch", rounds=2)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    return event


def words_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_the_changes_are_expected_and_then_rated(client: Client, event: Event) -> None:
    event: Event = event
    path = f"/e/{event.tournament.slug}/ratings"
    words = words_of(client, path)
    assert "The event is not rated yet." in words
    winner, loser = event.games(1)[0].first, event.games(1)[0].second
    row = f"{winner.name} 1 1 0.50 {loser.seed_rating + 736} 1499 49.7 1549"
    assert row in words
    tables = client.get(f"/e/{event.tournament.slug}/standings").content.decode()
    assert f'href="{path}"' in tables

    event.play(2)
    event.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)
    assert "The event is rated; these are the changes." in words_of(client, path)


def test_an_event_without_a_pool_or_results(client: Client, event: Event) -> None:
    event: Event = event
    path = f"/e/{event.tournament.slug}"
    for game in event.games(1):
        game.rated = False
        game.save()
    assert "No rated game of this event has a result yet." in words_of(client, f"{path}/ratings")
    type(event.tournament).objects.update(pool="", rated=False)
    assert "The event requests no rating." in words_of(client, f"{path}/ratings")
    assert f"{path}/ratings" not in client.get(f"{path}/standings").content.decode()


def test_the_queries_are_constant(
    client: Client, event: Event, django_assert_num_queries: Any
) -> None:
    event: Event = event
    path = f"/e/{event.tournament.slug}/ratings"
    with django_assert_num_queries(13):
        assert len(client.get(path).context["rows"]) == 4
    Game.objects.filter(pk=event.games(1)[0].pk).update(termination="forfeit")
    with django_assert_num_queries(13):
        assert len(client.get(path).context["rows"]) == 2
