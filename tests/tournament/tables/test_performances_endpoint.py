"""`/tournaments/{slug}/performances`: performances, and the changes before and after the rating."""

from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from games.core.references import player_reference
from games.models import Game, Player
from ratings.models import Pool, Rating
from ratings.runs.services import advance_pool
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """One of two rounds by four players rated 1499 to 1496; the first seat wins every game."""
    event = make_event(organiser, pool="star", system="dutch", rounds=2)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    return event


def rows(person: Person, event: Event) -> dict[str, dict[str, Any]]:
    body = person.get(f"{event.path}/performances").json()
    return {row["player"]["name"]: row for row in body["rows"]}


def test_a_running_event_has_expected_changes(event: Event, anonymous: Person) -> None:
    body = anonymous.get(f"{event.path}/performances").json()
    games = event.games(1)
    winner, loser = games[0].first, games[0].second
    assert (body["pool"], body["state"], len(body["rows"])) == ("star", "expected", 4)
    assert (body["tournament"]["slug"], body["round"]) == ("spring", 1)
    entry = Entry.objects.get(player=winner)
    found = rows(anonymous, event)
    assert found[winner.name] == {
        "id": entry.pk,
        "number": entry.pairing_number,
        "player": player_reference(winner),
        "games": 1,
        "score": "1",
        # 1499 against 1497: E is 0.502878, K is 100
        "expected": 0.502878,
        "performance": loser.seed_rating + 736,
        "before": 1499.0,
        "change": 49.712,
        "month_change": None,
        "after": 1548.712,
    }
    assert found[loser.name]["performance"] == winner.seed_rating - 800
    assert [row["performance"] for row in body["rows"]] == sorted(
        (row["performance"] for row in body["rows"]), reverse=True
    )


def test_a_final_event_has_the_changes_of_the_run(event: Event, anonymous: Person) -> None:
    event.play(2)
    expected = anonymous.get(f"{event.path}/performances").json()
    event.step("review", "finalise")
    assert anonymous.get(f"{event.path}/performances").json() == expected
    advance_pool(Pool.objects.get(code="star").pk)
    assert anonymous.get(f"{event.path}/performances").json() == expected | {"state": "rated"}


def test_only_rated_games_count(event: Event, anonymous: Person) -> None:
    Game.objects.filter(pk=event.games(1)[0].pk).update(termination="forfeit")
    found = rows(anonymous, event)
    assert len(found) == 2
    Game.objects.update(rated=False)
    assert rows(anonymous, event) == {}


def test_an_event_without_a_pool_has_no_ratings(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, slug="other")
    event.step("open")
    body = anonymous.get(f"{event.path}/performances").json()
    assert body == {
        "tournament": {"slug": "other", "name": event.tournament.name},
        "round": 0,
        "pool": None,
        "state": "unrated",
        "rows": [],
    }


@pytest.fixture
def month(organiser: Person, db: None) -> list[Event]:
    """Two events of one month in a pool of FIDE's system, of the same four players."""
    Pool.objects.update(preset="fide-2024")
    players = make_players(4)
    for player, rating in zip(players, (2000, 1900, 1800, 1700), strict=True):
        player.seed_rating = rating
        player.save()
    events = []
    for slug in ("one", "two"):
        event = make_event(organiser, slug=slug, pool="star", system="dutch", rounds=1)
        event.enter(*players)
        event.step("open", "start").play(1, "0-1")
        event.step("review", "finalise")
        events.append(event)
    advance_pool(Pool.objects.get(code="star").pk)
    return events


def test_the_change_of_the_event_and_of_its_month(month: list[Event], anonymous: Person) -> None:
    """Each lost game costs the stronger one 40 x .76; both are rated on the ratings before."""
    found = [rows(anonymous, event) for event in month]
    for name in found[0]:
        first, second = (Decimal(table[name]["change"]) for table in found)
        months = {table[name]["month_change"] for table in found}
        after = {Decimal(table[name]["after"]) - Decimal(table[name]["before"]) for table in found}
        assert len(months) == 1
        assert {Decimal(text) for text in months} == after
        assert abs(first + second - after.pop()) < 1
    strongest = found[0][max(found[0], key=lambda name: found[0][name]["before"])]
    assert (strongest["change"], strongest["month_change"]) == (-30.4, -61.0)


def test_who_falls_below_1400_is_unrated(organiser: Person, anonymous: Person, db: None) -> None:
    Pool.objects.update(preset="fide-2024")
    players = make_players(4)
    for player, rating in zip(players, (2000, 1900, 1800, 1400), strict=True):
        player.seed_rating = rating
        player.save()
    event = make_event(organiser, slug="one", pool="star", system="dutch", rounds=1)
    event.enter(*players)
    event.step("open", "start").play(1, "0-1")
    event.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)

    found = rows(anonymous, event)
    (fallen,) = [row for row in found.values() if row["before"] == 1400]
    assert (fallen["after"], fallen["month_change"]) == (None, None)


@pytest.mark.parametrize(("age", "k"), [(17, 40.0), (19, 20.0)])
def test_expected_changes_have_the_k_of_juniors(
    month: list[Event], anonymous: Person, organiser: Person, age: int, k: str
) -> None:
    """With thirty games; what is supposed has the same K as what will be rated."""
    weakest, *_, strongest = Rating.objects.order_by("rating")
    for rating in (weakest, strongest):
        rating.games, rating.state[1] = 60, 60
        rating.save()
    born = timezone.now().year - age
    Player.objects.filter(pk=weakest.player_id).update(birth_year=born)
    results = [{"opponent_id": strongest.player_id, "score": "1"}]
    path = f"players/{weakest.player_id}/what-if"
    found = anonymous.post(path, {"pool": "star", "results": results}).json()
    assert [row["k"] for row in found["rows"]] == [k]
