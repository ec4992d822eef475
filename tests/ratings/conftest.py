"""The people of the tests in this folder, and the pool that a fresh database has."""

import pytest

from ratings.models import Pool
from tests.people import ada, anonymous, ben, everyone, organiser, stranger

__all__ = ["ada", "anonymous", "ben", "everyone", "organiser", "stranger"]


@pytest.fixture
def star(db: None) -> Pool:
    return Pool.objects.get_or_create(code="star", defaults=STAR)[0]


STAR = {"name": "*Star", "preset": "decay", "casual_games": ["star-star"]}
"""What the migration makes; a test that commits empties the tables, the next makes it again."""
