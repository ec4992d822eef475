"""Fixtures for tests of the running service."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.people import organiser
from tests.processes import ROOT, Service

__all__ = ["organiser"]

FIRST_START = """
import django

django.setup()
from deploy import embedded
from deploy.management.commands.up import Command

with embedded.single_instance():
    embedded.store_secret_key()
    Command().migrate()
    Command().bootstrap()
"""
"""What `manage.py up` does in an empty folder before it starts the worker."""


@pytest.fixture(scope="session")
def bootstrapped() -> Iterator[Path]:
    """A state folder after a first start; a copy of it starts faster than an empty folder."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer:
        folder = Path(outer, "var")
        variables = Service(folder).environment | {"DJANGO_SETTINGS_MODULE": "deploy.settings"}
        subprocess.run(
            [sys.executable, "-c", FIRST_START],
            cwd=ROOT,
            env=os.environ | variables,
            capture_output=True,
            check=True,
        )
        yield folder
