"""The links of `/players/{id}` to what the API shows about the player's ratings."""

import pytest

from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


def test_every_link_of_a_rated_player_leads_to_something(star, anonymous):
    ann, bo = make_players(2)
    file_event(star, "cup", day(3), [make_game(ann, bo)])
    advance_pool(star.pk)
    links = anonymous.get(f"players/{ann.pk}").json()["links"]
    (pool,) = links.pop("pools")
    assert pool.pop("pool") == "star"
    links["head_to_head"] = links["head_to_head"].replace("{opponent}", str(bo.pk))
    query = f"?pool=star&results={bo.pk}:1"
    links["what_if"] = links["what_if"].replace("{?pool,results}", query)
    found = {name: anonymous.get(address).status_code for name, address in (links | pool).items()}
    assert found == dict.fromkeys(found, 200)
    assert len(found) == 8  # `rating_history` is in both


def test_an_unrated_player_has_no_links_to_pools(star, anonymous):
    (ann,) = make_players(1)
    assert anonymous.get(f"players/{ann.pk}").json()["links"]["pools"] == []
