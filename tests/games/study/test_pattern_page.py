"""The search for a pattern of stones: set by links on the board, or typed."""

import pytest
from django.test import Client

from games import tasks
from tests.events import make_event, make_players
from tests.games.study.test_explorer_page import open_page, rows_of
from tests.games.study.test_search_endpoint import prove
from tests.people import Person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

START = "/explorer/pattern?ruleset=star-star&board_size=4"


@pytest.fixture
def start(organiser: Person) -> list[int]:
    event = make_event(organiser)
    event.enter(*make_players(4))
    moves = ("S40 T41 A20 A30 resign", "T40 A41 R20 R10 resign")
    games = event.step("open", "start").publish()
    found = [prove(game, organiser, text).pk for game, text in zip(games, moves, strict=True)]
    tasks.index_games.run()
    return found


def choice_of(page: str, cell: str) -> tuple[str, str]:
    """Return where a cell of the board leads, and its title."""
    link = next(part for part in page.split("<a ") if f'data-cell="{cell}"' in part)
    return link.split('href="')[1].split('"')[0], link.split("<title>")[1].split("</title>")[0]


def test_a_pattern_is_set_by_the_links_of_the_cells(client: Client, start: list[int]) -> None:
    """A cell has a stone of the first seat, then of the second, is empty, and is not asked for."""
    page, titles = open_page(client, START), []
    assert rows_of(page) == []
    page = open_page(client, choice_of(page, "T40")[0])
    for _ in range(4):
        address, title = choice_of(page, "S40")
        titles.append(title)
        page = open_page(client, address)

    assert titles == ["S40", "S40: first", "S40: second", "S40: empty"]
    assert address == f"{START}&stones=first%3AT40"
    assert choice_of(open_page(client, f"{START}&stones=second:S40"), "S40")[0] == START


def test_the_games_with_the_pattern_are_listed(client: Client, start: list[int]) -> None:
    address = f"{START}&stones=first:S40;second:T41;empty:A30"

    page = open_page(client, address)

    assert len(rows_of(page)) == 2
    assert f'href="/games/{start[0]}/2"' in page
    assert 'value="first:S40;second:T41;empty:A30"' in page
    assert rows_of(open_page(client, f"{START}&stones=first:T41;second:S40")) == []
    assert len(rows_of(open_page(client, f"{START}&stones=first:T41;second:S40&exchange=1"))) == 2


@pytest.mark.parametrize("stones", ["first:Z99", "first"])
def test_a_wrong_pattern_comes_back_with_the_reason(client: Client, stones: str) -> None:
    page = open_page(client, f"{START}&stones={stones}", 422)

    assert 'role="alert"' in page
    assert rows_of(page) == []
