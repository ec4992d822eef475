"""The accounts of the tests in this folder, and the pool that every installation starts with."""

import pytest

from ratings.models import Pool


@pytest.fixture
def star(db: None) -> Pool:
    return Pool.objects.get(code="star")
