"""Games store the ratings in the pool that their players had when they were paired."""

from typing import Any

import pytest

from games.models import Game, Player
from ratings.models import Pool, Rating
from ratings.runs.services import advance_pool
from tests.events import Event, make_event
from tests.people import Person
from tests.ratings.factories import day, file_event, make_game

pytestmark = pytest.mark.django_db

RATED = {"A": (1_550_000, 1), "B": (1_450_000, 1), "C": (None, None), "D": (None, None)}


def make_rated_event(organiser: Person, **settings: Any) -> Event:
    """Return a running event of A, who has beaten B in the pool, and of the unrated C and D."""
    pool = Pool.objects.get(code="star")
    players = [Player.objects.create(name=name, seed_rating=seed) for name, seed in SEEDS.items()]
    file_event(pool, "last year", day(1), [make_game(*players[:2])])
    advance_pool(pool.pk)
    event = make_event(organiser, **{"pool": "star", "system": "round-robin"} | settings)
    event.enter(*players)
    return event.step("open", "start")


SEEDS = {"A": 1500, "B": 1500, "C": 1400, "D": None}


def published(event: Event) -> dict[str, tuple[tuple[int | None, int | None], ...]]:
    """Return the ratings and numbers of games that the games store, by the names of the seats."""
    games = Game.objects.filter(stream=event.stream).order_by("pk")
    return {
        f"{game.first.name}{game.second.name}": (
            (game.first_rating, game.first_games),
            (game.second_rating, game.second_games),
        )
        for game in games.select_related("first", "second")
    }


def assert_published(event: Event, *pairs: str) -> None:
    assert published(event) == {pair: (RATED[pair[0]], RATED[pair[1]]) for pair in pairs}


def pools_of_games(organiser: Person, event: Event) -> list[str | None]:
    """Return the pools of the games; the filter finds those in the pool of the event."""
    slug = event.tournament.slug
    rows = organiser.get(f"games?tournament_slug={slug}").json()["results"]
    in_pool = organiser.get(f"games?tournament_slug={slug}&pool=star").json()["results"]
    assert in_pool == [row for row in rows if row["pool"]]
    return [row["pool"] for row in rows]


def test_games_store_the_ratings_at_pairing(organiser: Person) -> None:
    event = make_rated_event(organiser)

    event.publish(1)

    pairs = [f"{game.first.name}{game.second.name}" for game in event.games(1)]
    assert_published(event, *pairs)
    assert {name for pair in pairs for name in pair} == set("ABCD")
    Rating.objects.update(rating=2_000_000, games=50)
    assert_published(event, *pairs)
    assert pools_of_games(organiser, event) == ["star"] * 2


def test_a_return_game_has_the_ratings_by_its_own_seats(organiser: Person) -> None:
    event = make_rated_event(organiser, system="dutch", games_per_pairing=2)

    event.publish(1)

    pairs = [f"{game.first.name}{game.second.name}" for game in event.games(1)]
    assert_published(event, *pairs, *(pair[::-1] for pair in pairs))
    assert pools_of_games(organiser, event) == ["star"] * 4


def test_a_merged_player_has_the_rating_of_the_other(organiser: Person) -> None:
    event = make_rated_event(organiser)
    old, current = (event.tournament.entries.get(player__name=name).player for name in "CA")
    Player.objects.filter(pk=old.pk).update(merged_into=current)

    event.publish(1)

    seats = {
        name: values
        for pair, both in published(event).items()
        for name, values in zip(pair, both, strict=True)
    }
    assert seats == RATED | {"C": RATED["A"]}


def test_an_event_without_a_pool_stores_none(organiser: Person) -> None:
    event = make_rated_event(organiser, pool="")

    event.publish(1)

    assert set(published(event).values()) == {((None, None), (None, None))}
    assert pools_of_games(organiser, event) == [None] * 2
