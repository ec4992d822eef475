"""Errors of the database that pass: it is locked, took too long, or has no connection.

Each driver has codes for them. Other operational errors, such as a missing column on SQLite, are
errors of the service, and a second attempt does not help.
"""

import sqlite3
from typing import Final

from django.db import OperationalError

SQLITE_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "SQLITE_CANTOPEN")
"""The beginnings of SQLite's names: another connection writes, or the file cannot be opened."""

POSTGRESQL_BUSY: Final = ("08", "40", "53", "55P03", "57")
"""The beginnings of PostgreSQL's codes (Appendix A of its manual).

In this order: connections, transactions that were rolled back, resources, locks, timeouts.
"""


def is_database_busy(error: BaseException | None) -> bool:
    """Return True if the error passes, so that the request can be sent again."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return str(getattr(cause, "sqlite_errorname", "")).startswith(SQLITE_BUSY)
    code = getattr(cause, "sqlstate", None)  # psycopg has none if there is no connection
    return code is None or code.startswith(POSTGRESQL_BUSY)
