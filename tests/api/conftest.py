"""The people of the tests in this folder, and the OpenAPI schema."""

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The schema as the service describes itself."""
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return described
