"""The page of a player with supposed results."""

from typing import Any

import pytest
from django.test import Client

from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Ann, who beat Bo; Cy beat Di."""
    star = Pool.objects.get(code="star")
    ann, bo, cy, di = make_players(4)
    file_event(star, "one", day(1), [make_game(ann, bo), make_game(cy, di)])
    advance_pool(star.pk)
    return {"ann": ann, "bo": bo, "cy": cy}


def test_supposed_results_against_names(client: Client, start: dict[str, Any]) -> None:
    path = f"/players/{start['ann'].pk}/what-if"
    assert client.get(path).context["found"] is None
    query = {
        "pool": "star",
        "opponent": ["yer b", "", str(start["cy"].pk)],
        "score": ["1", "", "0"],
    }

    page = client.get(path, query)

    found = [(row["opponent"]["name"], row["score"]) for row in page.context["found"]["rows"]]
    assert found == [("Player B", "1"), ("Player C", "0")]
    assert [line[2] for line in page.context["lines"]] == ["1", "0", "", "", "", ""]
    named = page.context["lines"][0][1].typed
    assert named.startswith("Player B #")
    many = {"opponent": [named] * 51, "score": ["1"] * 51}
    assert len(client.get(path, many).context["found"]["rows"]) == 50
    late = {"opponent": ["yer b"] * 12 + [named], "score": ["1"] * 13}
    assert len(client.get(path, late).context["found"]["rows"]) == 10
    assert "not rated" not in page.content.decode()
    Pool.objects.update(least_expected=40)
    assert "A game in which a player can expect less than 40 %" in client.get(path, query).text
    several = client.get(path, {"opponent": "play", "score": "1"})
    assert "Several players match" in several.content.decode()
    assert several.context["found"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"opponent": "yer a", "score": "1"}, 422),
        ({"opponent": "\0", "score": "1"}, 200),
        ({"opponent": "yer b", "score": "1", "pool": "moon"}, 422),
        ({"opponent": "yer b", "score": "2"}, 422),
    ],
)
def test_a_supposed_result_that_is_wrong_is_refused(
    client: Client, start: dict[str, Any], query: dict[str, str], status: int
) -> None:
    assert client.get(f"/players/{start['ann'].pk}/what-if", query).status_code == status
