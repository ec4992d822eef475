"""Ranks in the live list, of one rating and of a page."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.models import Player
from ratings.lists.queries import find_rank, find_ranks, live_list
from ratings.models import Pool, Rating, Run

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


class TestRanks(TestCase):
    @given(st.lists(ROWS, max_size=12), st.booleans(), st.booleans())
    def test_a_rank_is_one_more_than_the_better_ratings(self, rows, provisional, inactive):
        pool = add_ratings(*rows)
        live = live_list(pool, provisional=provisional, inactive=inactive)
        page = list(live.ratings.values("rating", "player_id"))
        ratings = [row["rating"] for row in page]
        counted = [1 + sum(other > rating for other in ratings) for rating in ratings]
        assert [find_rank(live, rating) for rating in ratings] == counted
        for start in range(len(page)):
            assert find_ranks(live, page[start:]) == counted[start:]
