"""The people of the tests in this folder, and the OpenAPI schema."""

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.api.node import node as node


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The schema as the service describes itself, with each parameter in its place."""
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    shared = described["components"]["parameters"]
    for operation in [each for path in described["paths"].values() for each in path.values()]:
        operation["parameters"] = [
            shared[item["$ref"].rpartition("/")[2]] if "$ref" in item else item
            for item in operation.get("parameters", ())
        ]
    return described
