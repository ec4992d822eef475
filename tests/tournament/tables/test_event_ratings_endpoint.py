"""`/tournaments/{slug}/ratings`: performances, and the changes before and after the rating."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in, statuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """One of two rounds by four players rated 1499 to 1496; the first seat wins every game."""
    event = make_event(organiser, pool="star", system="dutch", rounds=2)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    return event


def rows(person: Person, event: Event) -> dict[str, dict[str, Any]]:
    body = person.get(f"{event.path}/ratings").json()
    return {row["player"]["name"]: row for row in body["rows"]}


def test_everyone_may_read_every_format(event: Event, everyone: dict[str, Person]) -> None:
    for suffix in ("", ".json", ".csv", ".ndjson", ".html", ".pdf"):
        path = f"{event.path}/ratings{suffix}"
        assert set(statuses(everyone, "GET", path).values()) == {200}


def test_a_running_event_has_expected_changes(event: Event, anonymous: Person) -> None:
    body = anonymous.get(f"{event.path}/ratings").json()
    games = event.games(1)
    winner, loser = games[0].first, games[0].second
    assert (body["pool"], body["state"], len(body["rows"])) == ("star", "expected", 4)
    found = rows(anonymous, event)
    assert found[winner.name] == {
        "player": {"id": winner.pk, "name": winner.name},
        "games": 1,
        "score": "1.0",
        # 1499 against 1497: E is 0.502878, K is 100
        "expected": "0.502878",
        "performance": loser.seed_rating + 736,
        "before": "1499.000",
        "change": "49.712",
        "after": "1548.712",
    }
    assert found[loser.name]["performance"] == winner.seed_rating - 800
    assert [row["performance"] for row in body["rows"]] == sorted(
        (row["performance"] for row in body["rows"]), reverse=True
    )


def test_a_final_event_has_the_changes_of_the_run(event: Event, anonymous: Person) -> None:
    event.play(2)
    expected = anonymous.get(f"{event.path}/ratings").json()
    event.step("review", "finalise")
    assert anonymous.get(f"{event.path}/ratings").json() == expected
    advance_pool(Pool.objects.get(code="star").pk)
    assert anonymous.get(f"{event.path}/ratings").json() == expected | {"state": "rated"}


def test_only_rated_games_count(event: Event, anonymous: Person) -> None:
    Game.objects.filter(pk=event.games(1)[0].pk).update(termination="forfeit")
    found = rows(anonymous, event)
    assert len(found) == 2
    Game.objects.update(rated=False)
    assert rows(anonymous, event) == {}


def test_the_columns_of_the_file(event: Event, anonymous: Person) -> None:
    lines = anonymous.get(f"{event.path}/ratings.csv").content.decode().splitlines()
    assert lines[0] == "id,name,games,score,expected,performance,before,change,after"
    assert len(lines) == 5


def test_an_event_without_a_pool_has_no_ratings(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, slug="other")
    event.step("open")
    body = anonymous.get(f"{event.path}/ratings").json()
    assert body == {"pool": None, "state": "unrated", "rows": []}
    problem_in(anonymous.get("tournaments/moon/ratings"), 404, "not_found")


@pytest.mark.parametrize("players", [2, 6])
def test_the_ratings_take_as_many_queries_for_more_players(
    organiser: Person,
    anonymous: Person,
    players: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser, slug="other", pool="star", system="dutch", rounds=1)
    event.enter(*make_players(players))
    event.step("open", "start").play(1)
    with django_assert_num_queries(9):
        assert len(rows(anonymous, event)) == players
