"""`/handicap`: the recommended handicap of two players, with its reason and uncertainty."""

from typing import Any
from urllib.parse import urlencode

import pytest

from games.core.references import player_reference
from games.models import Player
from ratings.models import Pool, Rating
from ratings.runs.services import advance_pool
from tests.people import Person, problem_in
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Ann with 1750 and 40 games, Bo with 1500 and 90, Cy without a game."""
    Pool.objects.update(handicap_table="v1")
    star = Pool.objects.get(code="star")
    players = make_players(3)
    file_event(star, "cup", day(1), [make_game(players[0], players[1])])
    advance_pool(star.pk)
    for player, (rating, games) in zip(players, [(1_750_000, 40), (1_500_000, 90)], strict=False):
        Rating.objects.filter(player=player).update(rating=rating, games=games)
    return {"players": players}


@pytest.fixture
def players(start: dict[str, Any]) -> list[Player]:
    found: list[Player] = start["players"]
    return found


def ask(who: Person, first_player: Player, second_player: Player, **params: Any) -> Any:
    players = {"first_player_id": first_player.pk, "second_player_id": second_player.pk}
    values = {"pool": "star", "board_size": "10", **players} | params
    return who.get(f"handicap?{urlencode(values, safe='%')}")


def test_a_handicap_is_recommended_with_its_reason(
    players: list[Player], anonymous: Person, django_assert_num_queries: Any
) -> None:
    ann, bo, _ = players
    with django_assert_num_queries(6):  # the pool, both players, their ids, ratings, changes
        found = ask(anonymous, ann, bo, kind="stones").json()
    assert found == {
        "pool": "star",
        "table": "v1",
        "player": player_reference(bo),
        "opponent": player_reference(ann),
        "handicap": {"seat": "second", "stones": 3},
        "handicap_text": "second 3 stones",
        "value": 280,
        "expected": 0.543066,
        "limited": False,
        "reason": (
            "the ratings differ by 250, of which 100 % are given; this is worth 280 rating points "
            "by table v1, so 54 % of the score can be expected for the weaker player"
        ),
        # 1.96 times the root of the sum of the squares of both deviations.
        "uncertainty": {
            "difference": 250,
            "low": -1,
            "high": 501,
            "low_handicap": None,
            "low_handicap_text": None,
            "high_handicap": {"seat": "second", "stones": 6},
            "high_handicap_text": "second 6 stones",
            "provisional": False,
        },
    }


@pytest.mark.parametrize(
    ("params", "handicap", "value"),
    [
        ({}, "second 3 stones", 280),
        ({"kind": "first_move"}, "first move", 40),
        ({"kind": "stones", "share": 80}, "second 2 stones", 195),
        ({"kind": "stones", "cap": 1}, "second 1 stone", 110),
        ({"kind": "points", "swap": 0}, "second 15 points", 95),
        ({"kind": "stones", "board_size": 4}, None, 0),
        ({"ruleset": "star-y"}, "second 3 stones", 280),
    ],
)
def test_the_game_and_the_catalogue(
    players: list[Player], anonymous: Person, params: Any, handicap: str | None, value: int
) -> None:
    found = ask(anonymous, players[0], players[1], **params).json()
    assert (found["handicap_text"], found["value"]) == (handicap, value)


def test_it_says_when_no_more_can_be_given(players: list[Player], anonymous: Person) -> None:
    """At most two thirds of the points that can be overcome, with the true expected score."""
    Pool.objects.update(handicap_table="v2")
    ann, bo, _ = players
    Rating.objects.filter(player=ann).update(rating=2_800_000)

    found = ask(anonymous, bo, ann, kind="points", board_size=4).json()

    assert (found["player"]["id"], found["handicap_text"]) == (bo.pk, "first 5 points")
    chance = 1 / (1 + 10 ** ((1300 - 742) / 400))
    assert (found["value"], found["expected"], found["limited"]) == (742, round(chance, 6), True)


def test_equal_players_with_few_games(players: list[Player], anonymous: Person) -> None:
    ann, bo, _ = players
    Rating.objects.update(rating=1_500_000, games=5)
    found = ask(anonymous, ann, bo, kind="stones").json()
    assert (found["handicap_text"], found["expected"]) == (None, 0.5)
    uncertainty = found["uncertainty"]
    assert (uncertainty["low_handicap_text"], uncertainty["provisional"]) == (None, True)
    assert uncertainty["low"] == -uncertainty["high"] < 0


def test_the_interval_in_a_pool_of_fide(
    star: Pool, players: list[Player], anonymous: Person
) -> None:
    """It is that of both ratings on the list; ratings far from the start are less certain.

    Both started at 1500, before the pool had this system.
    """
    ann, bo, _ = players
    Pool.objects.update(preset="fide-2024")
    margins = []
    for rating, games in [(1_750_000, 40), (1_750_000, 20), (2_000_000, 40)]:
        Rating.objects.filter(player=ann).update(rating=rating, games=games)
        found = ask(anonymous, ann, bo).json()["uncertainty"]
        margins.append(found["high"] - found["difference"])
    assert margins == [280, 459, 515]


def test_a_merged_player_has_the_rating_of_the_other(
    players: list[Player], anonymous: Person
) -> None:
    ann, bo, _ = players
    old = Player.objects.create(name="Bo once", merged_into=bo)
    assert ask(anonymous, ann, old).json()["player"]["id"] == bo.pk
    problem_in(ask(anonymous, bo, old), 422, "same_player")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"first_player_id": 10**12}, "invalid_parameter"),
        ({"ruleset": "hex", "board_size": 11}, "no_handicap_table"),
        ({"ruleset": "star-y", "kind": "points"}, "invalid_parameter"),
        ({"kind": "first_move", "swap": "false"}, "invalid_parameter"),
    ],
)
def test_what_cannot_be_recommended(
    players: list[Player], anonymous: Person, params: Any, code: str
) -> None:
    problem_in(ask(anonymous, players[0], players[1], **params), 422, code)


def test_an_unrated_player_has_no_handicap(players: list[Player], anonymous: Person) -> None:
    ann, _, cy = players
    problem_in(ask(anonymous, ann, cy), 422, "invalid_parameter")
