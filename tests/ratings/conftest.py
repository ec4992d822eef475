"""The accounts of the tests in this folder, and the pool that every installation starts with."""

import pytest

from ratings.models import Pool
from tests.people import ada, anonymous, ben, everyone, officer, organiser, staff, stranger

__all__ = [
    "ada", "anonymous", "ben", "everyone", "officer", "organiser", "staff", "stranger",
]  # fmt: skip


@pytest.fixture
def star(db: None) -> Pool:
    return Pool.objects.get(code="star")
