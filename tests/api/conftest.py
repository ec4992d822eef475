"""The people of the tests in this folder, and the OpenAPI schema."""

import json
from typing import Any

import pytest

from deploy.client_code.files import SCHEMA
from tests.events import event
from tests.people import ada, anonymous, ben, everyone, officer, organiser, staff, stranger
from tests.processes import ROOT

__all__ = [
    "ada", "anonymous", "ben", "event", "everyone", "officer", "organiser", "staff", "stranger",
]  # fmt: skip


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The stored schema, because to create it takes two seconds of each process.

    `tests/deploy/client/test_schema_files.py` fails unless it is what the service describes.
    """
    described: dict[str, Any] = json.loads((ROOT / SCHEMA).read_text(encoding="utf-8"))
    return described
