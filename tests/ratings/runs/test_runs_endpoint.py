"""`/pools/{code}/runs`, `/pools/{code}/runs/{number}` and its changes."""

import pytest

from games.models import Game, Player
from ratings.runs.services import advance_pool
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(star):
    """A first run rates two games; the second run rates the first game with another result."""
    ann, bo = make_players(2)
    games = [make_game(ann, bo), make_game(bo, ann)]
    file_event(star, "cup", day(3), games)
    advance_pool(star.pk)
    Game.objects.filter(pk=games[0].pk).update(winner="second")
    advance_pool(star.pk)
    return games


def scores(answer):
    return [
        (row["game"]["id"], row["player"]["id"], row["score"]) for row in answer.json()["results"]
    ]


def test_runs_are_listed_newest_first_in_two_queries(star, anonymous, django_assert_num_queries):
    ann, bo = make_players(2)
    for number in range(1, 4):
        batch = file_event(star, f"cup-{number}", day(number), [make_game(ann, bo)])
        run = advance_pool(star.pk)
    with django_assert_num_queries(2):
        runs = anonymous.get("pools/star/runs").json()["results"]
    assert [run["number"] for run in runs] == [3, 2, 1]
    assert [anonymous.get(f"pools/star/runs/{run['number']}").json() for run in runs] == runs
    current = anonymous.get("pools/star").json()["run"]
    assert current == runs[0]
    assert (current["from_batch_id"], current["input_digest"]) == (batch.pk, run.input_digest)


def test_the_changes_of_a_run_remain_when_a_later_run_replaces_them(games, anonymous):
    ann, bo = games[0].first_id, games[0].second_id
    second = [(games[1].pk, bo, "1"), (games[1].pk, ann, "0")]
    assert scores(anonymous.get("pools/star/runs/1/changes")) == [
        (games[0].pk, ann, "1"),
        (games[0].pk, bo, "0"),
        *second,
    ]
    assert scores(anonymous.get("pools/star/runs/2/changes")) == [
        (games[0].pk, ann, "0"),
        (games[0].pk, bo, "1"),
        *second,
    ]
    for order, pages in {"oldest": second, "newest": [(games[0].pk, ann, "0")]}.items():
        page = anonymous.get(f"pools/star/runs/2/changes?limit=3&order={order}")
        last = anonymous.get(page.json()["next"])
        assert scores(last) == pages[-1:]
        assert scores(anonymous.get(last.json()["previous"])) == scores(page)


def test_the_changes_by_a_private_game_are_those_of_its_people(games, everyone):
    account = everyone["player"].account
    Player.objects.filter(account=account).update(account=None)
    Player.objects.filter(pk=games[0].first_id).update(account=account)
    Game.objects.filter(pk=games[0].pk).update(public=False)
    found = {
        name: len(scores(person.get("pools/star/runs/1/changes")))
        for name, person in everyone.items()
    }
    assert found == {"organiser": 2, "player": 4, "stranger": 2, "anonymous": 2}


@pytest.mark.parametrize("number", [1, 3])
def test_the_changes_of_a_run_take_three_queries(
    star, anonymous, number, django_assert_num_queries
):
    ann, bo = make_players(2)
    file_event(star, "cup", day(1), [make_game(ann, bo) for _ in range(number)])
    advance_pool(star.pk)
    with django_assert_num_queries(3):
        assert len(scores(anonymous.get("pools/star/runs/1/changes"))) == 2 * number
