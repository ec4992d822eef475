"""How players came to their ratings, which the intervals depend on."""

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from ratings.models import Pool
from ratings.runs.queries import History, load_histories
from ratings.runs.services import advance_pool
from ratings.systems.intervals import Sizes
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


def play(pool: Pool, first: Player, second: Player) -> None:
    for name, at, count in (("cup", 2, 3), ("spring", 9, 1)):
        file_event(
            pool, name, day(at), [make_game(first, second, event=name) for _ in range(count)]
        )
    advance_pool(pool.pk)


def test_the_start_is_that_of_the_first_game_and_not_the_seed_of_today(
    star: Pool, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ann, bo = make_players(2, seed=1600)
    play(star, ann, bo)
    Player.objects.update(seed_rating=2000)
    # K is 100 in the first event and 80 in the second: (9 x 100 + 80) / (3 x 100 + 80) is 2.6.
    history = History(1600_000, Sizes(2.6, 2.9), 4)
    with django_assert_num_queries(1):
        found = load_histories([star], [ann.pk, bo.pk])
    assert found == {(star.pk, ann.pk): history, (star.pk, bo.pk): history}


def test_the_events_of_a_month_are_one_batch_in_the_system_of_fide(db: None) -> None:
    pool = Pool.objects.create(code="world", name="World", preset="fide-2024")
    ann, bo = make_players(2, seed=1600)
    play(pool, ann, bo)
    history = History(1600_000, Sizes(4.0, 4.0), 4)
    assert load_histories([pool], [ann.pk]) == {(pool.pk, ann.pk): history}
