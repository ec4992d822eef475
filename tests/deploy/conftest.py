"""Fixtures for tests of the running service."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Service, running


@pytest.fixture(scope="session")
def bootstrapped() -> Iterator[Path]:
    """A state folder after a first start; a copy of it starts faster than an empty folder."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer:
        with running(Service(Path(outer, "var"))) as service:
            assert service.interrupt() == 0
        yield service.folder
