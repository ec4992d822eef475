"""The opening explorer: the board with the next turns, the list of them, the newest games."""

import re
from html import unescape
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import tasks
from games.models import Game
from tests.events import make_event, make_players
from tests.games.study.test_search_endpoint import prove
from tests.people import Person

pytestmark = pytest.mark.django_db

START = "/explorer?ruleset=star-star&board_size=4"


@pytest.fixture
def start(organiser: Person) -> dict[str, list[int]]:
    found = {}
    for slug, public in (("spring", True), ("hidden", False)):
        event = make_event(organiser, slug=slug, public=public)
        event.enter(*make_players(6))
        moves = ("S40 T41 A20 A30 resign", "T40 A41 R20 R10 resign", "S40 swap T41 resign")
        games = event.step("open", "start").publish()
        found[slug] = [
            prove(game, organiser, text).pk for game, text in zip(games, moves, strict=True)
        ]
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


def test_the_page_lists_the_next_turns_with_their_results(client: Client, start: Any) -> None:
    page = open_page(client, START)

    assert [row[:5] for row in rows_of(page)] == [["1", "*40", "3", "33 %", "1 – 0 – 2"]]
    assert "3 public games begin like this." in page
    assert f'<a href="{START}&moves=%2A40">*40</a>' in page
    cells = re.findall(r'<a class="choice" href="([^"]*)" data-cell="([^"]*)"', page)
    assert cells == [(f"{START}&moves=%2A40", cell) for cell in ("*40", "A40", "R40", "S40", "T40")]


def test_turns_are_followed_by_links_in_the_orientation_of_the_page(
    client: Client, start: Any
) -> None:
    page = open_page(client, f"{START}&moves=T40")

    assert [row[1:3] for row in rows_of(page)] == [["*43", "2"], ["swap", "1"]]
    page = open_page(client, f"{START}&moves=T40+A41+R20")
    assert [row[1:3] for row in rows_of(page)] == [["R10", "1"], ["R30", "1"]]
    assert 'href="/explorer?ruleset=star-star&board_size=4&moves=T40+A41"' in page
    first, second, _ = start["spring"]
    assert re.findall(r'href="/games/(\d+)/3"', page) == [str(second), str(first)]
    ended = open_page(client, f"{START}&moves=T40+swap+A41")
    assert "1 public game begins like this. 1 of them ended here." in ended


def test_a_private_event_is_neither_counted_nor_listed(
    client: Client, start: Any, organiser: Person
) -> None:
    page = open_page(client, f"{START}&moves=S40")
    listed = set(map(int, re.findall(r'href="/games/(\d+)/1"', page)))
    assert listed == set(start["spring"])

    Game.objects.filter(pk__in=start["spring"]).update(public=False)
    page = open_page(client, f"{START}&moves=S40")
    assert "0 public games begin like this." in page
    assert "No game begins like this." in page
    assert rows_of(page) == []


def test_turns_that_cannot_be_played_are_explained(client: Client) -> None:
    page = open_page(client, f"{START}&moves=S40+S40", 422)
    assert "S40 was filled at ply 1" in page
    assert 'value="S40 S40"' in page
    assert "The index" not in page
    for path in (
        "/explorer?ruleset=chess",
        f"{START}7",
        f"{START}&swap=x",
        "/explorer?ruleset=%00",
    ):
        open_page(client, path, 422)
    many = open_page(client, f"{START}&moves=" + "S40+" * 17, 422)
    assert "the index contains the first 16" in many


def test_a_game_leads_to_its_explorer(client: Client) -> None:
    address = client.get("/explorer?ruleset=hex")
    assert address.status_code == 303
    page = open_page(client, address["Location"])
    assert f'href="{address["Location"]}"' in open_page(client, "/rules/hex")
    assert 'role="gridcell"' in page
    assert "No game begins like this." in page


def test_a_game_leads_to_the_games_with_its_opening(client: Client, start: Any) -> None:
    address = f'href="{START}&moves=S40+T41'

    assert f'{address}+A20+A30"' in open_page(client, f"/games/{start['spring'][0]}")
    assert f'{address}"' in open_page(client, f"/games/{start['spring'][0]}/2")


@pytest.mark.parametrize(
    ("sent", "kept"), [("3", "3"), ("t30 S30 R10", "S30 T30 R10"), ("S30 A30", "2")]
)
def test_the_stones_of_a_handicap_stay_in_every_address(
    client: Client, sent: str, kept: str
) -> None:
    query = urlencode({"ruleset": "star-star", "board_size": "4", "handicap_stones": sent})
    content = client.get(f"/explorer?{query}").content.decode()
    assert f'name="handicap_stones" value="{kept}"' in content
    assert f"handicap_stones={quote_plus(kept)}" in content
    assert 'name="swap"' not in content


def test_the_explorer_without_a_game_shows_the_first_one(client: Client) -> None:
    answer = client.get("/explorer")

    assert (answer.status_code, answer["Location"]) == (
        303,
        "/explorer?ruleset=star-star&board_size=6",
    )


def test_the_page_takes_a_fixed_number_of_queries(
    client: Client, start: Any, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (3, 1):
        Game.objects.filter(pk__in=start["spring"][count:]).update(void=True)
        with django_assert_num_queries(3):
            open_page(client, f"{START}&moves=S40")
