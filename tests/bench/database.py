"""An empty database for a benchmark: SQLite in a temporary folder."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def empty_database() -> Iterator[None]:
    """Set up Django with an empty database; enter this before importing models."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        os.environ["LOG_LEVEL"] = "ERROR"
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.STATIC_ROOT = Path(folder)  # static files are not collected here

        call_command("migrate", verbosity=0)
        yield
