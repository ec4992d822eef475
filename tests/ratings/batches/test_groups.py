"""Groups of players who play nearly only each other are shown to the officers of the pool."""

from itertools import combinations

import pytest

from games.models import Player
from ratings.batches.groups import find_closed_groups
from ratings.models import Pool
from tests.people import Person
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def players() -> list[Player]:
    """Five players who all have played each other, and three who have played only themselves."""
    pool, players = Pool.objects.get(code="star"), make_players(8)
    club, own = players[:5], players[5:]
    pairs = [*combinations(club, 2), *combinations(own, 2), *combinations(own, 2)]
    games = [make_game(*pair) for pair in pairs]
    file_event(pool, "spring", day(2), [*games, make_game(club[0], own[0])])
    return players


def test_a_group_that_plays_only_itself_is_found(players: list[Player]) -> None:
    pool = Pool.objects.get(code="star")
    assert find_closed_groups(pool) == []  # the three are linked by two games each

    games = [make_game(*pair) for pair in combinations(players[5:], 2)]
    file_event(pool, "autumn", day(3), games)

    named = [{"id": player.pk, "name": player.name} for player in players[5:]]
    assert find_closed_groups(pool) == [{"players": named, "games": 10, "inside": 9}]


def test_a_group_without_any_link_is_found(players: list[Player]) -> None:
    pool = Pool.objects.get(code="star")
    four = [Player.objects.create(name=f"Sock {number}") for number in range(4)]
    file_event(pool, "autumn", day(3), [make_game(*pair) for pair in combinations(four, 2)])

    (found,) = find_closed_groups(pool)
    assert [row["name"] for row in found["players"]] == ["Sock 0", "Sock 1", "Sock 2", "Sock 3"]
    assert (found["games"], found["inside"]) == (6, 6)


def test_the_players_of_a_small_pool_are_no_group() -> None:
    pool, players = Pool.objects.get(code="star"), make_players(4)
    games = [make_game(*pair) for pair in combinations(players, 2) for _ in range(3)]
    file_event(pool, "spring", day(2), games)
    assert find_closed_groups(pool) == []


def test_officers_see_them_before_they_publish(players: list[Player], officer: Person) -> None:
    pool = Pool.objects.get(code="star")
    file_event(pool, "autumn", day(3), [make_game(*pair) for pair in combinations(players[5:], 2)])

    officer.client.force_login(officer.account)
    page = officer.client.get("/officers/pools/star").content.decode()
    assert "nearly all their games are among themselves" in page
    assert "9 of their 10 games" in page
