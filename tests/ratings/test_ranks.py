"""Ranks by the blocks of a pool: the same as by counting all ratings."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.models import Player
from ratings import tasks
from ratings.models import Pool, Rating, RatingBlock, Run
from ratings.queries.lists import live_list
from ratings.queries.ranks import find_rank
from ratings.services.blocks import refresh_blocks

pytestmark = pytest.mark.django_db

ROWS = st.tuples(st.integers(1_498_000, 1_502_000), st.integers(8, 12), st.integers(363, 368))
"""A rating in milli, games, days since the last game."""


def add_ratings(*rows):
    pool = Pool.objects.get(code="star")
    run = Run.objects.create(pool=pool, number=1, engine_version=1)
    Pool.objects.update(current_run=run)
    players = Player.objects.bulk_create(Player(name="P") for _ in rows)
    now = timezone.now()
    for player, (rating, games, days) in zip(players, rows, strict=True):
        last = now - timedelta(days=days)
        Rating.objects.create(
            pool=pool, run=run, player=player, rating=rating, games=games, last_game_at=last
        )
    pool.refresh_from_db()
    return pool


class TestBlocks(TestCase):
    @given(st.lists(ROWS, max_size=12), st.booleans(), st.booleans())
    def test_ranks_by_blocks_are_those_by_counting(self, rows, provisional, inactive):
        pool = add_ratings(*rows)
        live = live_list(pool, provisional=provisional, inactive=inactive)
        ratings = list(live.ratings.values_list("rating", flat=True))
        counted = [find_rank(live, rating) for rating in ratings]
        assert counted == [1 + sum(other > rating for other in ratings) for rating in ratings]
        assert refresh_blocks(pool.pk) == bool(rows)
        assert [find_rank(live, rating) for rating in ratings] == counted


def test_a_negative_rating_has_its_own_block(star):
    pool = add_ratings((-500, 20, 1), (-1500, 20, 1), (500, 20, 1))
    refresh_blocks(pool.pk)
    assert sorted(RatingBlock.objects.values_list("points", "listed")) == [
        (-2, 1), (-1, 1), (0, 1),
    ]  # fmt: skip
    assert [find_rank(live_list(pool), rating) for rating in (500, -500, -1500)] == [1, 2, 3]


def test_blocks_are_due_after_a_run_and_on_the_next_day(star):
    pool = add_ratings((1_500_000, 20, 1))
    assert refresh_blocks(pool.pk)
    assert not refresh_blocks(pool.pk)
    RatingBlock.objects.update(counted_on=timezone.now().date() - timedelta(days=1))
    assert find_rank(live_list(pool), 1_400_000) == 2
    assert refresh_blocks(pool.pk)
    Rating.objects.update(rating=1_300_000)
    Pool.objects.update(current_run=Run.objects.create(pool=pool, number=2, engine_version=1))
    pool.refresh_from_db()
    assert find_rank(live_list(pool), 1_400_000) == 1
    assert refresh_blocks(pool.pk)
    assert RatingBlock.objects.get().points == 1300


def test_the_tasks_count_the_blocks(star):
    pool = add_ratings((1_500_000, 20, 1))
    tasks.advance_pool.run(pool.pk)
    assert RatingBlock.objects.get().counted_on == timezone.now().date()
    RatingBlock.objects.update(counted_on=timezone.now().date() - timedelta(days=1))
    tasks.sweep_pools.run()
    assert RatingBlock.objects.get().counted_on == timezone.now().date()


@pytest.mark.long
def test_a_million_players_take_few_rows(star, anonymous, officer):
    """EXPLAIN ANALYZE on two cores: about 2 ms for 100 players or a page, 1.2 ms for a place."""
    if connection.vendor != "postgresql":
        pytest.skip("EXPLAIN ANALYZE counts rows on PostgreSQL only")
    pool = add_ratings((1_500_000, 20, 1))
    with connection.cursor() as cursor:
        cursor.execute("SELECT setseed(0.5)")
        cursor.execute(
            """
            INSERT INTO games_player
            SELECT (player).* FROM (
                SELECT jsonb_populate_record(p, jsonb_build_object('id', p.id + n)) AS player
                FROM games_player p, generate_series(1, 1000000) n
            ) made
            """
        )
        cursor.execute(
            """
            INSERT INTO ratings_rating (pool_id, player_id, run_id, rating, games, last_game_at)
            SELECT r.pool_id, r.player_id + n, r.run_id,
                (1500000 + 300000 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()))::int,
                (40 * random())::int, now() - random() * interval '500 days'
            FROM ratings_rating r, generate_series(1, 1000000) n
            """
        )
        refresh_blocks(pool.pk)
        cursor.execute("ANALYZE")
    pages = ["ratings?limit=100"]
    middle = live_list(pool).ratings.filter(rating__lt=1_500_000).first()
    pages.append(f"ratings?cursor=after_{middle.rating}_{middle.player_id}")
    pages.append(f"ratings/{middle.player_id}")
    day = officer.post("pools/star/lists").json()["published_on"]
    pages += [f"lists/{day}/{page}" for page in pages]
    times = dict.fromkeys(pages, 0)
    for page in pages:
        with CaptureQueriesContext(connection) as queries:
            assert anonymous.get(f"pools/star/{page}").status_code == 200
        for query in queries.captured_queries:
            if query["sql"].startswith("SELECT"):
                plans = [explain(query["sql"]) for _ in range(3)]
                rows = plans[0][0]
                times[page] += min(milliseconds for _, milliseconds in plans)
                assert rows < 10_000, query["sql"]
    print("milliseconds of SQL:", times)


def explain(sql):
    """Return the rows that a query reads, and the milliseconds that it takes."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        (plan,) = cursor.fetchone()[0]
    return count_rows(plan["Plan"]), plan["Execution Time"]


def count_rows(plan):
    """Return the rows that the nodes of a plan return or remove."""
    own = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return own * plan["Actual Loops"] + sum(map(count_rows, plan.get("Plans", [])))
