"""A database of a bench's own: SQLite in a folder that goes when the bench ends."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def empty_database() -> Iterator[None]:
    """Django set up on an empty database; to be entered before any model is imported."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        os.environ["LOG_LEVEL"] = "ERROR"
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.STATIC_ROOT = Path(folder)  # nothing collects static files here

        call_command("migrate", verbosity=0)
        yield
