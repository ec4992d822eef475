"""The opening explorer: the board with the next turns, the list of them, the newest games."""

import re
from html import unescape
from urllib.parse import quote_plus, urlencode

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import tasks
from games.models import Game
from tests.events import make_event, make_players
from tests.games.study.test_search_endpoint import prove
from tests.people import Person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

START = "/explorer?ruleset=star-star&board_size=4"


@pytest.fixture
def start(organiser: Person) -> list[int]:
    event = make_event(organiser)
    event.enter(*make_players(6))
    moves = ("S40 T41 A20 A30 resign", "T40 A41 R20 R10 resign", "S40 swap T41 resign")
    games = event.step("open", "start").publish()
    found = [prove(game, organiser, text).pk for game, text in zip(games, moves, strict=True)]
    tasks.index_games.run()
    return found


def open_page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, response.content[:300]
    return unescape(response.content.decode())


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of the first table's rows."""
    body = page.split("<tbody>")[1].split("</tbody>")[0] if "<tbody>" in page else ""
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S) for row in body.split("</tr>")]
    return [[re.sub("<.*?>", "", cell) for cell in row] for row in cells if row]


def test_the_page_lists_the_next_turns_with_their_results(client: Client, start: list[int]) -> None:
    page = open_page(client, START)

    assert [row[:5] for row in rows_of(page)] == [["1", "*40", "3", "33 %", "1 – 0 – 2"]]
    assert f'<a href="{START}&moves=%2A40">*40</a>' in page
    cells = re.findall(r'<a class="choice" href="([^"]*)" data-cell="([^"]*)"', page)
    assert cells == [(f"{START}&moves=%2A40", cell) for cell in ("*40", "A40", "R40", "S40", "T40")]


def test_turns_are_followed_by_links_in_the_orientation_of_the_page(
    client: Client, start: list[int]
) -> None:
    page = open_page(client, f"{START}&moves=T40")

    assert [row[1:3] for row in rows_of(page)] == [["*43", "2"], ["swap", "1"]]
    page = open_page(client, f"{START}&moves=T40+A41+R20")
    assert [row[1:3] for row in rows_of(page)] == [["R10", "1"], ["R30", "1"]]
    assert 'href="/explorer?ruleset=star-star&board_size=4&moves=T40+A41"' in page
    first, second, _ = start
    assert re.findall(r'href="/games/(\d+)/3"', page) == [str(second), str(first)]


def test_turns_that_cannot_be_played_are_explained(client: Client) -> None:
    page = open_page(client, f"{START}&moves=S40+S40", 422)
    assert 'value="S40 S40"' in page
    for path in (
        "/explorer?ruleset=chess",
        f"{START}7",
        f"{START}&swap=x",
        "/explorer?ruleset=%00",
    ):
        open_page(client, path, 422)


def test_a_game_leads_to_its_explorer(client: Client) -> None:
    address = client.get("/explorer?ruleset=hex")
    assert address.status_code == 303
    page = open_page(client, address["Location"])
    assert f'href="{address["Location"]}"' in open_page(client, "/rules/hex")
    assert 'role="gridcell"' in page


@pytest.mark.parametrize(("sent", "kept"), [("t30 S30 R10", "S30 T30 R10"), ("S30 A30", "2")])
def test_the_stones_of_a_handicap_stay_in_every_address(
    client: Client, sent: str, kept: str
) -> None:
    name = "handicap_stones" if kept.isdigit() else "handicap_cells"
    query = urlencode({"ruleset": "star-star", "board_size": "4", "handicap_cells": sent})
    content = client.get(f"/explorer?{query}").content.decode()
    assert f'name="{name}" value="{kept}"' in content
    assert f"{name}={quote_plus(kept)}" in content
    assert 'name="swap"' not in content


def test_the_page_takes_a_fixed_number_of_queries(
    client: Client, start: list[int], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (3, 1):
        Game.objects.filter(pk__in=start[count:]).update(void=True)
        with django_assert_num_queries(3):
            open_page(client, f"{START}&moves=S40")
