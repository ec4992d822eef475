"""The page of a game, its files, and the page in a frame of another site."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game
from games.play.services import rule_game
from tests.events import FIRST_WINS, make_event, make_players, settle
from tests.people import Person, player_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person, stranger: Person) -> dict[str, Any]:
    """Round 1 of six players: a proven game, one with a result only, one without a report.

    A second event is private, with a proven game.
    """
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben), *make_players(4))
    games = event.step("open", "start").publish()
    rule_game(games[0], by=organiser.account, reason="the sheet", record=FIRST_WINS)
    rule_game(games[1], by=organiser.account, reason="seen", result="11-10")
    private = make_event(organiser, slug="closed", public=False)
    private.enter(*make_players(2))
    hidden = private.step("open", "start").publish()[0]
    rule_game(hidden, by=organiser.account, reason="the sheet", record=FIRST_WINS)
    settle()
    return {
        "organiser": organiser,
        "ada": ada,
        "ben": ben,
        "stranger": stranger,
        "event": event,
        "games": [*games, hidden],
    }


def visitor(person: Person | None) -> Client:
    client = Client()
    if person:
        client.force_login(person.account)
    return client


def open_page(path: str, person: Person | None = None, status: int = 200) -> str:
    response = visitor(person).get(path)
    assert response.status_code == status, response.content[:300]
    return response.content.decode()


@pytest.fixture
def games(start: dict[str, Any]) -> list[Game]:
    found: list[Game] = start["games"]
    return found


def test_a_proven_game_is_replayed(games: list[Game]) -> None:
    proven = games[0]
    page = open_page(f"/games/{proven.pk}")

    for words in (
        'href="/e/spring"',
        'href="/e/spring/rounds/1"',
        'href="/rules/star-star"',
        f'rel="prev" href="/games/{proven.pk}/1"',
        f'href="/games/{proven.pk}/2" aria-current="true">T10</a>',
        'aria-label="S10, first, single stone"',
    ):
        assert words in page
    assert 'rel="next"' not in page
    assert "the sheet" not in page


def test_a_position_has_an_address(games: list[Game]) -> None:
    base = f"/games/{games[0].pk}"
    for path, words, absent in (
        ("?ply=1", 'aria-label="S10, ', 'aria-label="T10, '),
        ("/1?names=1", '/2?names=1"', "numbers=1"),
    ):
        page = open_page(f"{base}{path}")
        assert words in page
        assert absent not in page
    for path in ("/3", "?ply=-1", "?ply=%00"):
        open_page(f"{base}{path}", status=404)


def test_reports_are_shown_to_players_and_officials(start: dict[str, Any]) -> None:
    path = f"/games/{start['games'][0].pk}"
    readers = {"organiser": True, "ada": True, "stranger": False}

    assert {name: "the sheet" in open_page(path, start[name]) for name in readers} == readers


def test_a_private_game_is_hidden(start: dict[str, Any]) -> None:
    hidden = f"/games/{start['games'][3].pk}"
    for path in ("", ".svg", ".txt", "/1.svg", "/1/about?about=chain&cell=S10", "/embed"):
        open_page(f"{hidden}{path}", start["stranger"], status=404)
        # Other sites show public games only, to every reader.
        open_page(f"{hidden}{path}", start["organiser"], status=404 if path == "/embed" else 200)


def test_the_files_of_a_game(games: list[Game]) -> None:
    text, svg = "text/plain; charset=utf-8", "image/svg+xml; charset=utf-8"
    for path, media_type, words in (
        (".svg", svg, "T10"),
        ("/1.svg", svg, "After turn 1 of 2"),
        (".txt", text, "S10 T10 agreed 11-10"),
        ("/2.txt", text, "S10 T10 agreed 11-10"),
        ("/1.txt", text, "1. S10\n"),
        (".json", "application/json", '"result": "11-10"'),
        ("/1.json", "application/json", '"moves": ["S10"]'),
    ):
        response = visitor(None).get(f"/games/{games[0].pk}{path}")
        assert (response.status_code, response["Content-Type"]) == (200, media_type)
        assert words in response.content.decode()
    for path in (".svg", ".txt", "/0.svg", "/0/about?about=chain&cell=S10"):
        open_page(f"/games/{games[1].pk}{path}", status=404)


def test_other_sites_may_show_a_public_game(games: list[Game]) -> None:
    path = f"/games/{games[0].pk}/embed"
    response = visitor(None).get(path)

    assert "frame-ancestors *" in response["Content-Security-Policy"]
    assert "X-Frame-Options" not in response
    assert f'rel="prev" href="{path}/1"' in response.content.decode()
    whole = visitor(None).get(f"/games/{games[0].pk}")
    assert whole["X-Frame-Options"] == "DENY"


def test_the_queries_of_a_game(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = visitor(None)
    for game in (games[0], games[2]):
        with django_assert_num_queries(5):
            client.get(f"/games/{game.pk}")


def test_the_bounds_of_the_score_begin_with_the_first_turn(games: list[Game]) -> None:
    pages = [open_page(f"/games/{games[0].pk}/{ply}") for ply in (0, 1)]
    assert ['class="points"' in page for page in pages] == [False, True]
