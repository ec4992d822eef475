"""How long a request and a task wait for the database, in seconds."""

from typing import Final

REQUEST_WAIT: Final = 1.5
"""Seconds that a request waits for PostgreSQL: for a lock, a connection or a response."""

SQLITE_REQUEST_WAIT: Final = 5.0
"""Seconds that a request waits for the lock of SQLite.

SQLite has one writer at a time and does not serve those that wait in turn, so a shorter time would
reject writes of a busy service.
"""

TASK_WAIT: Final = 20.0
"""Seconds that a task or a command waits for a lock or a connection."""
