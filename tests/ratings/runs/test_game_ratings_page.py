"""The page that says how a game is rated, or why it is not."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(star: Pool) -> Game:
    """A game of Ann and Bo, filed together with a forfeit of Cy and Bo."""
    ann, bo, cy = make_players(3)
    game = make_game(ann, bo, event="Cup", round="1", played_on="2026-03-01")
    forfeit = make_game(cy, bo, event="Cup", round="2", termination="forfeit")
    file_event(star, "cup", day(3), [game, forfeit])
    return game


def text_of(client: Client, game: Game) -> str:
    response = client.get(f"/games/{game.pk}/ratings")
    assert response.status_code == 200
    return response.content.decode()


def test_the_changes_of_both_players_are_shown(
    client: Client, star: Pool, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert "will be rated soon" in text_of(client, game)
    advance_pool(star.pk)
    with django_assert_num_queries(4):
        page = text_of(client, game)
    for player in (game.first, game.second):
        assert f'<a href="/players/{player.pk}">{player.name}</a>' in page
    assert "/pools/star/runs/1" in page
    assert f'href="/games/{game.pk}/ratings"' in client.get(f"/games/{game.pk}").content.decode()


def test_a_reason_is_given_for_a_game_that_is_not_rated(
    client: Client, star: Pool, game: Game
) -> None:
    advance_pool(star.pk)
    forfeit = Game.objects.get(round="2")
    assert "forfeited" in text_of(client, forfeit)
    unfiled = make_game(*Player.objects.order_by("pk")[:2], event="Other", round="1")
    assert "No pool has this game" in text_of(client, unfiled)


def test_a_game_that_the_reader_may_not_see_has_no_page(client: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(public=False)
    assert client.get(f"/games/{game.pk}/ratings").status_code == 404
    assert client.get("/games/99999/ratings").status_code == 404
