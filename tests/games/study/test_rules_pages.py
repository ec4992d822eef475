"""The pages of the rules: the list, a page for each game, its sample game."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.rules.registry import GAMES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def open_page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, response.content[:300]
    return response.content.decode()


def test_the_list_has_every_game(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        page = open_page(client, "/rules")

    assert [code for code in GAMES if f'href="/rules/{code}"' not in page] == []
    pictures = [address.split('"')[0] for address in page.split('<img src="')[1:]]
    assert [address.split("/")[2] for address in pictures] == list(GAMES)
    assert {client.get(address).status_code for address in pictures} == {200}


@pytest.mark.parametrize("code", ["star", "twixt", "queens"])
def test_a_game_has_its_rules_its_board_and_a_sample(client: Client, code: str) -> None:
    page, rules = open_page(client, f"/rules/{code}"), GAMES[code]

    for words in (
        f"<h1>{rules.name}</h1>",
        f"/rules/{code}/board.svg?board_size={rules.boards[0]}&amp;names=1",
        f'rel="next" href="/rules/{code}/1?names=1"',
        f'href="/rules/referee?ruleset={code}"',
        'role="gridcell"',
    ):
        assert words in page
    assert 'rel="prev"' not in page


def test_addresses_of_a_sample(client: Client) -> None:
    assert "Single stone" in open_page(client, "/rules/hex/1/about?about=chain&cell=a6")
    for question in ("about=chain&cell=z9", "about=all&cell=a6"):
        open_page(client, f"/rules/hex/1/about?{question}", 422)
    for path in ("/rules/hex/999", "/rules/chess"):
        open_page(client, path, 404)
