"""The page of a player with supposed results."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.models import Game, Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players, ratings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Run 1: Ann beats Bo, Cy beats Di. Run 2: Ann beats Cy. Run 3: the second game is annulled."""
    star = Pool.objects.get(code="star")
    ann, bo, cy, di = make_players(4)
    games = [make_game(ann, bo), make_game(cy, di), make_game(ann, cy)]
    file_event(star, "one", day(1), games[:2])
    advance_pool(star.pk)
    file_event(star, "two", day(2), games[2:])
    advance_pool(star.pk)
    Game.objects.filter(pk=games[1].pk).update(state="annulled", winner="")
    advance_pool(star.pk)
    return {"star": star, "ann": ann, "bo": bo, "cy": cy, "games": games}


def words_of(page: Any) -> str:
    return " ".join(strip_tags(page.content.decode().replace("<", " <")).split())


def test_supposed_results_against_names(client: Client, start: dict[str, Any]) -> None:
    path = f"/players/{start['ann'].pk}/what-if"
    assert client.get(path).context["found"] is None
    before = ratings_of(start["star"])
    query = {
        "pool": "star",
        "opponent": ["yer b", "", str(start["cy"].pk)],
        "score": ["1", "", "0"],
    }

    page = client.get(path, query)

    words = words_of(page)
    assert "1589 would become " in words
    assert "Player B 1450 1 " in words
    assert "Player C 1457 0 " in words
    assert [line[2] for line in page.context["lines"]] == ["1", "0", "", "", "", ""]
    named = page.context["lines"][0][1].typed
    assert named.startswith("Player B #")
    twelve = {"opponent": [named] * 12, "score": ["1"] * 12}
    assert len(client.get(path, twelve).context["found"]["results"]) == 12
    late = {"opponent": ["yer b"] * 12 + [named], "score": ["1"] * 13}
    assert len(client.get(path, late).context["found"]["results"]) == 10
    assert ratings_of(start["star"]) == before
    several = client.get(path, {"opponent": "play", "score": "1"})
    assert "Several players match" in words_of(several)
    assert several.context["found"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"opponent": "yer a", "score": "1"}, 422),
        ({"opponent": "yer b", "score": "2"}, 422),
        ({"opponent": "\0", "score": "1"}, 200),
        ({"opponent": "yer b", "score": "1", "pool": "moon"}, 422),
        ({"opponent": ["1"] * 60, "score": ["1"] * 60}, 422),
    ],
)
def test_a_supposed_result_that_is_wrong_is_refused(
    client: Client, start: dict[str, Any], query: dict[str, Any], status: int
) -> None:
    opponents = query["opponent"]
    if isinstance(opponents, list):
        query = query | {"opponent": [str(start["ann"].pk)] * len(opponents)}
    assert client.get(f"/players/{start['ann'].pk}/what-if", query).status_code == status


def test_a_player_without_a_rating_may_suppose_results(
    client: Client, start: dict[str, Any]
) -> None:
    eve = Player.objects.create(name="Eve", seed_rating=1700)
    words = words_of(client.get(f"/players/{eve.pk}/what-if?opponent=yer+b&score=0.5"))
    assert "1700 would become " in words
    assert client.get(f"/players/{10**17}/what-if").status_code == 404
