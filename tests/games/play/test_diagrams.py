"""`record.svg` and `board.svg`: content, permissions, parameters, caching."""

import re
import struct
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from django.http import HttpResponse
from pytest_django import DjangoAssertNumQueries

from games.models import Game
from games.rules.registry import GAMES
from tests.events import TAGS, make_event
from tests.people import Person, player_of, problem_in

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "rulesets/star-star/board.svg"


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    event = make_event(organiser, rounds=1)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    event.rule(game, TAGS + "S40 T40 A40 agreed 11-10\n")
    return {"game": game}


@pytest.fixture
def game(start: dict[str, Any]) -> Game:
    """A game whose result a record proves: three plies, then an agreed score."""
    found: Game = start["game"]
    return found


def svg_of(response: HttpResponse) -> ElementTree.Element:
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)


def texts(response: HttpResponse) -> Counter[str]:
    return Counter("".join(text.itertext()) for text in svg_of(response).iter(f"{SVG}text"))


def test_a_record_is_drawn_with_the_players_names(anonymous: Person, game: Game) -> None:
    response = anonymous.get(f"games/{game.pk}/record.svg")

    assert svg_of(response).find(f"{SVG}title").text == "Ada – Ben, *Star, board 4"
    assert {
        "After turn 3 of 3 · last A40 · agreed 11-10 · first wins",
        "Ada 11",
        "Ben 10",
    } <= texts(response).keys()


def test_a_record_is_drawn_at_any_ply(anonymous: Person, game: Game) -> None:
    path = f"games/{game.pk}/record.svg?ply="
    for ply, text in (("0", "After turn 0 of 3"), ("2", "After turn 2 of 3 · last T40")):
        assert text in texts(anonymous.get(path + ply))
    assert texts(anonymous.get(f"{path}3")) == texts(anonymous.get(path.partition("?")[0]))
    for ply in ("4", "-1", "last"):
        problem = problem_in(anonymous.get(path + ply), 422, "invalid_parameter")
        assert problem["errors"][0]["parameter"] == "ply"
        assert problem.get("max", 3) == 3


def test_names_and_numbers_are_optional(anonymous: Person, game: Game) -> None:
    path = f"games/{game.pk}/record.svg?ply=2"

    plain = texts(anonymous.get(path))
    assert plain == texts(anonymous.get(path + "&names=0&numbers=0"))
    assert texts(anonymous.get(path + "&numbers=1")) - plain == Counter(("1", "2"))
    named = texts(anonymous.get(path + "&names=1&numbers=1"))
    assert {"S40", "T40", "A40"} <= named.keys()
    assert named > texts(anonymous.get(path + "&numbers=1"))


def test_an_unknown_board_option_or_game_is_rejected_with_the_valid_ones(
    anonymous: Person,
) -> None:
    problem = problem_in(anonymous.get(f"{BOARD}?board_size=5"), 422, "invalid_parameter")
    assert problem["valid"] == ["4", "6", "8", "10"]

    path = "rulesets/star/board.svg?board_size=5x6"
    problem = problem_in(anonymous.get(f"{path}&options=total-separation"), 422)
    assert problem["valid"] == ["two-point-corners"]
    known = anonymous.get(f"{path}&options=two-point-corners")
    assert known.content != anonymous.get(path).content
    problem_in(anonymous.get("rulesets/chess/board.svg"), 404, "unknown_ruleset")
    problem = problem_in(anonymous.get("rulesets/chess/board.svg?board_size=4"), 404)
    assert (problem["code"], problem["valid"]) == ("unknown_ruleset", list(GAMES))


def test_a_board_is_a_picture_for_other_sites(anonymous: Person) -> None:
    response = anonymous.get("/rules/star-star/board.png?board_size=4")
    assert response["Content-Type"] == "image/png"
    assert response["Cache-Control"] == "public, max-age=86400"
    assert struct.unpack(">8sI4sII", response.content[:24]) == (
        b"\x89PNG\r\n\x1a\n", 13, b"IHDR", 1200, 630,
    )  # fmt: skip
    assert anonymous.get("/rules/star-star/board.png?board_size=5").status_code == 422


def test_a_diagram_loads_nothing(anonymous: Person) -> None:
    response = anonymous.get(BOARD + "?board_size=4")
    policy = dict(
        part.split(" ", 1) if " " in part else (part, "")
        for part in response["Content-Security-Policy"].split("; ")
    )

    assert policy == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "sandbox": "",
    }
    assert not re.search(rb'<style|\sstyle="', response.content)
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_diagram_takes_few_queries(
    anonymous: Person, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        anonymous.get(f"games/{game.pk}/record.svg")
    with django_assert_num_queries(0):
        anonymous.get(BOARD + "?board_size=4")
