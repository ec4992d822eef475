"""`/pools/{code}/lists`: publish the rating list of a day, and read it."""

import json
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from games.models import JournalLine, Player
from ratings.models import ListedRating, Pool, PublishedList, Rating, Run
from tests.people import URL, problem_in

pytestmark = pytest.mark.django_db

LISTS = "pools/star/lists"
ROWS = (("Ann", 1700, 10, 1), ("=B", 1700, 99, 1), ("New", 1900, 9, 1), ("Old", 1800, 99, 366))
"""The name, the rating in points, the games, the days since the last game."""


@pytest.fixture
def start(db):
    pool = Pool.objects.get(code="star")
    run = Run.objects.create(
        pool=pool, number=1, engine_version=1, parameter_digest="0", input_digest="1"
    )
    for name, rating, games, days in ROWS:
        Rating.objects.create(
            pool=pool,
            run=run,
            player=Player.objects.create(name=name, country="POR"),
            rating=rating * 1000,
            games=games,
            last_game_at=timezone.now() - timedelta(days=days),
        )
    pool.current_run = run
    pool.save()
    return {"pool": pool}


@pytest.fixture
def star(start):
    return start["pool"]


def publish(officer):
    """Publish the list of today and return its address."""
    answer = officer.post(LISTS)
    assert answer.status_code == 201, answer.content
    return answer["Location"].removeprefix(URL)


def names(answer):
    return [(row["rank"], row["player"]["name"]) for row in answer.json()["results"]]


def test_a_list_is_returned_and_journalled(one_day, star, officer, anonymous):
    answer = officer.post(LISTS)
    assert answer["ETag"] == anonymous.get(answer["Location"].removeprefix(URL))["ETag"]
    body = answer.json()
    today = str(timezone.now().date())
    assert body | {"rules": None, "published_at": None} == {
        "pool": "star",
        "published_on": today,
        "published_at": None,
        "run_number": 1,
        "input_digest": "1",
        "players": 2,
        "rules": None,
        "url": f"{settings.PUBLIC_URL}/api/v1/pools/star/lists/{today}",
        "page_url": f"{settings.PUBLIC_URL}/pools/star/lists/{today}",
        "ratings_url": f"{settings.PUBLIC_URL}/api/v1/pools/star/lists/{today}/ratings",
    }
    assert anonymous.get(answer["Location"]).json() == body
    assert anonymous.get(LISTS).json()["results"] == [body]
    line = JournalLine.objects.filter(stream="pool/star").latest("sequence")
    assert (line.kind, line.payload.body["players"]) == ("list.published", 2)


def test_the_rows_are_those_of_the_live_list(star, officer, anonymous):
    live = {end: anonymous.get(f"pools/star/ratings{end}").content for end in ("", ".csv")}
    path = publish(officer)
    assert names(anonymous.get(f"{path}/ratings")) == [(1, "Ann"), (1, "=B")]
    rows = anonymous.get(f"{path}/ratings").json()["results"]
    of_live = json.loads(live[""])["results"]
    there = [row["url"].replace("pools/star/", f"{path}/") for row in of_live]
    assert rows == [{**row, "url": url} for row, url in zip(of_live, there, strict=True)]
    assert anonymous.get(f"{path}/ratings.csv").content == live[".csv"]
    lines = anonymous.get(f"{path}/ratings.ndjson").content.decode().splitlines()
    assert [json.loads(line) for line in lines] == rows
    first = anonymous.get(f"{path}/ratings?limit=1")
    assert names(anonymous.get(first.json()["next"])) == [(1, "=B")]


def test_a_player_on_a_published_list(star, officer, anonymous):
    path = publish(officer)
    rows = anonymous.get(f"{path}/ratings").json()["results"]
    for row in rows:
        place = anonymous.get(row["url"]).json()
        del place["rules"]
        assert place == row
    provisional = Player.objects.get(name="New")
    problem_in(anonymous.get(f"{path}/ratings/{provisional.pk}"), 404)


def test_a_published_list_never_changes(star, officer, anonymous):
    path = publish(officer)
    addresses = [path, *(f"{path}/ratings{end}" for end in ("", ".csv", ".ndjson", ".html"))]
    before = [anonymous.get(address).content for address in addresses]

    Rating.objects.filter(player__name="Ann").update(rating=2_000_000, games=500)
    Rating.objects.filter(player__name="=B").delete()
    star.parameters = {"k0": 500}
    star.save()

    assert [anonymous.get(address).content for address in addresses] == before
    assert names(anonymous.get("pools/star/ratings")) == [(1, "Ann")]


def test_a_published_list_keeps_its_intervals(star, officer, anonymous):
    path = publish(officer)
    rows = anonymous.get(f"{path}/ratings").json()["results"]
    ListedRating.objects.update(start=1600_000, least=20, most=90)
    later = anonymous.get(f"{path}/ratings").json()["results"]
    assert [row["games_at_once"] for row in later] == [{"least": 2.0, "most": 9.0}] * 2
    assert all(row["interval"] != other["interval"] for row, other in zip(rows, later, strict=True))


def test_a_list_of_an_earlier_version_shows_the_intervals_of_then(star, officer, anonymous):
    """It took the seed of today as the start, and games one at a time."""
    path = publish(officer)
    Player.objects.filter(name="Ann").update(seed_rating=1600)
    assert "rated one at a time" not in anonymous.get(path).json()["rules"]["interval"]
    ListedRating.objects.update(start=None, least=None, most=None)
    ann, other = anonymous.get(f"{path}/ratings").json()["results"]
    for said in (path, f"{path}/ratings"):
        assert "rated one at a time" in anonymous.get(said).json()["rules"]["interval"]
    assert ann["interval"] == {"low": 1504, "high": 2006}
    assert ann["games_at_once"] == other["games_at_once"] == {"least": 1.0, "most": 1.0}


def test_a_year_later_its_players_are_still_listed_as_active(star, officer, anonymous):
    path = publish(officer)
    year_ago = timezone.now() - timedelta(days=400)
    PublishedList.objects.update(published_at=year_ago)
    ListedRating.objects.update(last_game_at=year_ago - timedelta(days=1))
    rows = anonymous.get(f"{path}/ratings").json()["results"]
    assert [row["inactive"] for row in rows] == [False, False]


def test_a_day_has_one_list(one_day, star, officer):
    publish(officer)
    problem_in(officer.post(LISTS), 409, "list_published")
    assert ListedRating.objects.count() == 2


def test_a_pool_without_a_run_has_nothing_to_publish(star, staff):
    Pool.objects.create(code="other", name="Other", preset="fixed")
    problem_in(staff.post("pools/other/lists"), 409, "no_run")


def test_the_lists_are_newest_first_in_two_queries(
    one_day, star, officer, anonymous, django_assert_num_queries
):
    for number in range(1, 4):
        publish(officer)
        earlier = timezone.now().date() - timedelta(days=10 - number)
        PublishedList.objects.filter(published_on=timezone.now().date()).update(
            published_on=earlier
        )
    with django_assert_num_queries(2):
        days = [row["published_on"] for row in anonymous.get(LISTS).json()["results"]]
    assert (len(days), days) == (3, sorted(days, reverse=True))


@pytest.mark.parametrize("path", [f"{LISTS}/2020-01-01", f"{LISTS}/2026-02-30/ratings"])
def test_an_unknown_list_is_not_found(star, anonymous, path):
    problem_in(anonymous.get(path), 404)


@pytest.mark.parametrize("rows", [1, 3])
def test_a_published_list_takes_three_queries(
    star, officer, anonymous, rows, django_assert_num_queries
):
    Rating.objects.update(games=10, last_game_at=timezone.now())
    for rating in Rating.objects.order_by("pk")[rows:]:
        rating.delete()
    path = publish(officer)
    with django_assert_num_queries(3):
        assert len(names(anonymous.get(f"{path}/ratings"))) == rows
