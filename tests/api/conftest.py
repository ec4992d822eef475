"""The people and events of the tests in this folder, and the API's description."""

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.people import ada, anonymous, ben, everyone, organiser, stranger

__all__ = ["ada", "anonymous", "ben", "everyone", "organiser", "stranger"]


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The description as it is served; made once, for that takes a second."""
    return SchemaGenerator().get_schema(request=None, public=True)
