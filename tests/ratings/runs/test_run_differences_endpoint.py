"""`/pools/{code}/runs/{number}/differences/{earlier}`, also as CSV and NDJSON."""

import json

import pytest

from games.models import Game, Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.people import problem_in, statuses
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(db):
    """Run 1 rates two games, run 2 a third one; in run 3 the second game is annulled."""
    star = Pool.objects.get(code="star")
    ann, bo, cy, di = make_players(4)
    games = [make_game(ann, bo), make_game(cy, di), make_game(ann, cy)]
    file_event(star, "one", day(1), games[:1])
    file_event(star, "two", day(2), games[1:2])
    advance_pool(star.pk)
    file_event(star, "three", day(3), games[2:])
    advance_pool(star.pk)
    Game.objects.filter(pk=games[1].pk).update(state="annulled", winner="")
    advance_pool(star.pk)
    return {"games": games}


@pytest.fixture
def games(start):
    return start["games"]


def rows(answer):
    def text(rating):
        return "-" if rating is None else f"{rating['rating']:.3f} ({rating['games']})"

    def change(row):
        return "None" if row["difference"] is None else f"{row['difference']:.3f}"

    return [
        f"{row['player']['name'][-1]} {text(row['before'])} {text(row['after'])} {change(row)}"
        for row in answer.json()["results"]
    ]


# Run 2: 1550 - 1550, K = 92: 46 points. Run 3: 1550 - 1500, E = .571463 for A: 92 x .428537 and
# 100 x .428537.
DIFFERENCES = {
    (1, 0): ["A - 1550.000 (1) None", "B - 1450.000 (1) None",
             "C - 1550.000 (1) None", "D - 1450.000 (1) None"],
    (2, 1): ["A 1550.000 (1) 1596.000 (2) 46.000", "C 1550.000 (1) 1504.000 (2) -46.000"],
    (3, 2): ["A 1596.000 (2) 1589.425 (2) -6.575", "C 1504.000 (2) 1457.146 (1) -46.854",
             "D 1450.000 (1) - None"],
    (3, 1): ["A 1550.000 (1) 1589.425 (2) 39.425", "C 1550.000 (1) 1457.146 (1) -92.854",
             "D 1450.000 (1) - None"],
}  # fmt: skip


@pytest.mark.parametrize("runs", DIFFERENCES)
def test_the_players_whose_rating_differs_are_listed(games, anonymous, runs):
    answer = anonymous.get("pools/star/runs/{}/differences/{}".format(*runs))
    assert rows(answer) == DIFFERENCES[runs]


def test_pages(games, anonymous):
    page = anonymous.get("pools/star/runs/3/differences/1?limit=2")
    assert rows(page) == DIFFERENCES[3, 1][:2]
    assert rows(anonymous.get(page.json()["next"])) == DIFFERENCES[3, 1][2:]


def test_files_contain_the_same(games, anonymous):
    address = "pools/star/runs/3/differences/2"
    listed = anonymous.get(address).json()["results"]
    lines = anonymous.get(f"{address}.ndjson").content.decode().splitlines()
    assert [json.loads(line) for line in lines] == listed
    ids = [row["player"]["id"] for row in listed]
    answer = anonymous.get(f"{address}.csv")
    assert answer.content.decode().splitlines() == [
        "player,name,before,games_before,after,games,difference",
        f"{ids[0]},Player A,1596.000,2,1589.425,2,-6.575",
        f"{ids[1]},Player C,1504.000,2,1457.146,1,-46.854",
        f"{ids[2]},Player D,1450.000,1,,,",
    ]
    assert 'filename="star-runs-2-3.csv"' in answer["Content-Disposition"]


def test_everyone_may_read(games, everyone):
    for suffix in ("", ".csv", ".ndjson"):
        path = f"pools/star/runs/3/differences/1{suffix}"
        assert set(statuses(everyone, "GET", path).values()) == {200}


def test_players_of_a_private_game_are_shown_to_its_people_only(games, everyone):
    account = everyone["player"].account
    Player.objects.filter(account=account).update(account=None)
    Player.objects.filter(pk=games[2].first_id).update(account=account)
    Game.objects.filter(pk=games[2].pk).update(public=False)
    found = {
        name: [row[0] for row in rows(person.get("pools/star/runs/3/differences/0"))]
        for name, person in everyone.items()
    }
    assert found == {
        "organiser": ["B"], "player": ["A", "B", "C"], "stranger": ["B"], "anonymous": ["B"]
    }  # fmt: skip


@pytest.mark.parametrize("number", [1, 3])
def test_the_differences_take_three_queries(star, anonymous, number, django_assert_num_queries):
    people = make_players(2 * number)
    pairs = zip(people[::2], people[1::2], strict=True)
    file_event(star, "cup", day(1), [make_game(*pair) for pair in pairs])
    advance_pool(star.pk)
    with django_assert_num_queries(3):
        assert len(rows(anonymous.get("pools/star/runs/1/differences/0"))) == 2 * number


@pytest.mark.parametrize(
    "path",
    ["moon/runs/2/differences/1", "star/runs/9/differences/1", "star/runs/2/differences/2",
     "star/runs/1/differences/2", "star/runs/2/differences/x", "star/runs/2/differences/"],
)  # fmt: skip
def test_unknown_runs_and_a_wrong_order_are_not_found(games, anonymous, path):
    problem_in(anonymous.get(f"pools/{path}"), 404)
