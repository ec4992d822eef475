"""`/players/{id}/rating-history`, `/players/{id}/ratings`, `/games/{id}/rating-changes`."""

import json

import pytest
from django.conf import settings

from games.core.references import player_reference
from games.models import Game, Player, Role
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.people import problem_in
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(star):
    """Ann beat Bo and drew with Cy at the cup."""
    ann, bo, cy = make_players(3)
    games = [
        make_game(ann, bo, event="Cup", round="1", played_on="2026-03-01"),
        make_game(cy, ann, "1/2", event="Cup", round="2", swap=False),
        make_game(bo, cy, "1-0", event="Cup", round="2", termination="forfeit"),
    ]
    file_event(star, "cup", day(3), games)
    return ann, games


def test_the_games_of_a_pool_are_found(cup, star, anonymous):
    _, games = cup
    Pool.objects.create(code="other", name="Other", preset="fixed")

    def found(query: str) -> list[int]:
        return [row["id"] for row in anonymous.get(f"games?{query}").json()["results"]]

    # the third one, a forfeit, is not rated, but was proposed for the pool
    assert found("pool=star") == [game.pk for game in games]
    assert found("pool=star&round=2") == [game.pk for game in games[1:]]
    assert found("pool=other") == []


def test_each_change_is_explained_newest_first(cup, star, anonymous):
    ann, games = cup
    advance_pool(star.pk)
    last, first = anonymous.get(f"players/{ann.pk}/rating-history").json()["results"]
    assert first == {
        "player": player_reference(ann),
        "pool": "star",
        "run_number": 1,
        "game": {
            "id": games[0].pk,
            "url": f"{settings.PUBLIC_URL}/api/v1/games/{games[0].pk}",
            "page_url": f"{settings.PUBLIC_URL}/games/{games[0].pk}",
            "tournament": {"slug": "cup", "name": "Cup"},
            "round": 1,
            "board": None,
            "played_on": "2026-03-01",
        },
        "effective_at": "2026-03-03T00:00:00Z",
        "seat": "first",
        "opponent": player_reference(games[0].second),
        "score": "1",
        "before": 1500.0,
        "opponent_before": 1500.0,
        "handicap_part": 0.0,
        "expected": 0.5,
        "k": 100.0,
        "band": {"expected_at_pairing": None, "least": 0.05, "most": 0.95},
        "explanation": "K falls with the number of rated games",
        "change": 50.0,
        "after": 1555.731,
    }
    # Cy moved first without the pie rule: 40 points
    values = {name: last[name] for name in ("seat", "score", "handicap_part", "expected", "change")}
    assert values == {
        "seat": "second",
        "score": "0.5",
        "handicap_part": -40.0,
        "expected": 0.442688,
        "change": 5.731,
    }


def test_a_change_has_the_expected_score_at_pairing_and_the_band_of_the_pool(star, anonymous):
    ann, bo = make_players(2)
    paired = {"first_rating": 1700_000, "second_rating": 1500_000, "swap": False}
    file_event(star, "cup", day(1), [make_game(bo, ann, **paired), make_game(ann, bo)])
    Pool.objects.update(least_expected=10)
    advance_pool(star.pk)
    rows = anonymous.get(f"players/{ann.pk}/rating-history").json()["results"]
    limits = {"least": 0.1, "most": 0.9}
    # Bo moved first without the pie rule: 1500 - 1700 - 40 points
    assert [row["band"] for row in rows] == [
        {"expected_at_pairing": None, **limits},
        {"expected_at_pairing": 0.20076, **limits},
    ]


def test_nobody_sees_by_the_history_of_others_what_is_not_public(cup, star, everyone, ben):
    """The opponent's rating and the date would identify the opponent."""
    ann, games = cup
    account = everyone["player"].account
    Player.objects.filter(account=account).update(account=None)
    Player.objects.filter(pk=ann.pk).update(account=account)
    Role.objects.create(
        stream="tournament/cup", account=everyone["organiser"].account, role="owner"
    )
    advance_pool(star.pk)
    Game.objects.filter(pk=games[0].pk).update(public=False, stream="tournament/cup")
    path = f"players/{ann.pk}/rating-history"
    seen = {
        name: [row["game"]["id"] for row in person.get(path).json()["results"]]
        for name, person in (everyone | {"another player": ben}).items()
    }
    both, public = [games[1].pk, games[0].pk], [games[1].pk]
    assert seen == {
        "organiser": both,
        "player": both,
        "stranger": public,
        "anonymous": public,
        "another player": public,
    }
    problem_in(everyone["anonymous"].get(f"games/{games[0].pk}/rating-changes"), 404)
    lines = {
        (name, form): len(person.get(f"{path}.{form}").content.splitlines())
        for name, person in everyone.items()
        for form in ("csv", "ndjson")
    }
    assert lines == {
        (name, form): len(seen[name]) + (form == "csv")
        for name in everyone
        for form in ("csv", "ndjson")
    }


def test_the_files_have_the_changes_of_the_pages(cup, star, anonymous):
    ann, games = cup
    Game.objects.filter(pk=games[0].pk).update(event="=Cup")
    advance_pool(star.pk)
    path = f"players/{ann.pk}/rating-history"
    rows = anonymous.get(path).json()["results"]
    lines = anonymous.get(f"{path}.ndjson").content.decode().splitlines()
    assert [json.loads(line) for line in lines] == rows
    answer = anonymous.get(f"{path}.csv?pool=star")
    assert answer.content.decode().splitlines()[::2] == [
        "pool,run,game,tournament,tournament_name,round,board,played_on,effective_at,seat,"
        "opponent_player,opponent,score,before,opponent_before,handicap_part,expected,expected_at_pairing,k,change,after,explanation",
        f"star,1,{games[0].pk},cup,'=Cup,1,,2026-03-01,2026-03-03T00:00:00.000000Z,first,"
        f"{games[0].second_id},Player B,1,1500.000,1500.000,0.000,0.500000,,100.000,50.000,"
        "1555.731,K falls with the number of rated games",
    ]
    Pool.objects.create(code="other", name="Other", preset="fixed")
    assert anonymous.get(f"{path}.ndjson?pool=other").content == b""


@pytest.mark.parametrize("number", [1, 3])
def test_a_history_takes_two_queries(star, anonymous, number, django_assert_num_queries):
    ann, bo = make_players(2)
    file_event(star, "cup", day(1), [make_game(ann, bo) for _ in range(number)])
    advance_pool(star.pk)
    with django_assert_num_queries(2):
        results = anonymous.get(f"players/{ann.pk}/rating-history").json()["results"]
    assert len(results) == number


def test_histories_and_ratings_by_pool(cup, star, anonymous):
    ann, games = cup
    other = Pool.objects.create(code="all", name="All", preset="fixed")
    file_event(other, "cup", day(3), games[:1])
    advance_pool(star.pk)
    advance_pool(other.pk)
    path = f"players/{ann.pk}/rating-history"
    assert [row["pool"] for row in anonymous.get(path).json()["results"]] == ["all", "star", "star"]
    assert [row["pool"] for row in anonymous.get(f"{path}?pool=all").json()["results"]] == ["all"]
    problem_in(anonymous.get(f"{path}?pool=moon"), 422, "invalid_parameter")
    ratings = anonymous.get(f"players/{ann.pk}/ratings").json()["results"]
    rows = [(row["pool"], row["rating"], row["games"], row["provisional"]) for row in ratings]
    assert rows == [("all", 1512.0, 1, True), ("star", 1555.731, 2, True)]


def test_a_game_has_a_state_in_each_pool(cup, star, anonymous):
    _, games = cup
    ratings = [anonymous.get(f"games/{game.pk}/rating-changes").json()["results"] for game in games]
    assert [
        [(row["pool"], row["state"], row["exclusion"]) for row in rows] for rows in ratings
    ] == [
        [("star", "pending", None)],
        [("star", "pending", None)],
        [("star", "excluded", "forfeit")],
    ]
    advance_pool(star.pk)
    (row,) = anonymous.get(f"games/{games[1].pk}/rating-changes").json()["results"]
    assert row["state"] == "rated"
    assert [(change["player"]["id"], change["change"]) for change in row["changes"]] == [
        (games[1].first_id, -5.731),
        (games[1].second_id, 5.731),
    ]
    unfiled = make_game(games[0].first, games[0].second, rated=False)
    assert anonymous.get(f"games/{unfiled.pk}/rating-changes").json()["results"] == []
