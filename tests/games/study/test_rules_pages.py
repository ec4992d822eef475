"""The pages of the rules: the list, a page for each game, its sample game."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.rules.registry import GAMES

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("code", GAMES)
def test_a_game_has_its_rules_its_board_and_a_sample(client: Client, code: str) -> None:
    page, rules = open_page(client, f"/rules/{code}"), GAMES[code]

    for words in (
        f"<h1>{rules.name}</h1>",
        '<p class="goal">',
        f"/rules/{code}/board.svg?board_size={rules.boards[0]}&amp;names=1",
        f'rel="next" href="/rules/{code}/1?names=1"',
        f'href="/rules/referee?ruleset={code}"',
        "Before the first turn.",
        'role="gridcell"',
    ):
        assert words in page
    assert 'rel="prev"' not in page
    for board in {rules.boards[0], rules.boards[-1]}:
        picture = client.get(
            f"/rules/{code}/board.svg", {"board_size": board}, headers={"Accept-Language": "de"}
        )
        assert f"{rules.name}, Brett {board}</title>" in picture.content.decode()


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/rules/hex/1", 200, "1. a6: a new chain, 1 side."),
        ("/rules/hex/1/about?about=chain&cell=a6", 200, "Single stone, 1 side: a6."),
        ("/rules/hex/999", 404, "This record has the plies 0 to"),
        ("/rules/chess", 404, "There is no game"),
        ("/rules/hex/1/about?about=chain&cell=z9", 422, ""),
    ],
)
def test_addresses_of_a_sample(client: Client, path: str, status: int, words: str) -> None:
    assert words in open_page(client, path, status)
