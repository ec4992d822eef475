"""The page that says how a game is rated, or why it is not."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def game(star: Pool) -> Game:
    """A game of Ann and Bo, filed together with a forfeit of Cy and Bo."""
    ann, bo, cy = make_players(3)
    game = make_game(ann, bo, event="Cup", round="1", played_on="2026-03-01")
    forfeit = make_game(cy, bo, event="Cup", round="2", termination="forfeit")
    file_event(star, "cup", day(3), [game, forfeit])
    return game


def states(client: Client, game: Game) -> list[tuple[str, str | None, int]]:
    pools = client.get(f"/games/{game.pk}/ratings").context["pools"]
    return [(row["state"], row["exclusion"], len(row["changes"])) for row in pools]


def test_the_page_says_how_a_game_is_rated(
    client: Client, star: Pool, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert states(client, game) == [("pending", None, 0)]
    advance_pool(star.pk)
    with django_assert_num_queries(4):
        assert states(client, game) == [("rated", None, 2)]
    assert states(client, Game.objects.get(round="2")) == [("excluded", "forfeit", 0)]
    unfiled = make_game(*Player.objects.order_by("pk")[:2], event="Other", round="1")
    assert states(client, unfiled) == []
    assert f'href="/games/{game.pk}/ratings"' in client.get(f"/games/{game.pk}").content.decode()
    Game.objects.filter(pk=game.pk).update(public=False)
    assert client.get(f"/games/{game.pk}/ratings").status_code == 404
