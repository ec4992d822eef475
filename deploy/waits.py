"""How long a request and a task wait for the database and the broker, in seconds."""

from typing import Final

from django.conf import settings

REQUEST_WAIT: Final = 1.5
"""Seconds that a request waits for PostgreSQL: for a lock, a connection or a response."""

SQLITE_REQUEST_WAIT: Final = 5.0
"""Seconds that a request waits for the lock of SQLite.

SQLite has one writer at a time and does not serve those that wait in turn, so a shorter time would
reject writes of a busy service.
"""

TASK_WAIT: Final = 20.0
"""Seconds that a task or a command waits for a lock or a connection."""

REQUEST_BROKER_WAIT: Final = 0.2
"""Seconds that a request waits for the broker when it sends a task."""

TASK_BROKER_WAIT: Final = 2.0
"""Seconds that a task or a command waits for the broker."""


def wait_as_a_request() -> None:
    """Let this process, which has no connection yet, wait as long as a request may."""
    settings.DATABASES["default"]["OPTIONS"] = settings.REQUEST_DATABASE_OPTIONS
    settings.CELERY_BROKER_TRANSPORT_OPTIONS.update(settings.REQUEST_BROKER_OPTIONS)
