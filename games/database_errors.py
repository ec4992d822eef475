"""Errors of the database that pass: it is locked, took too long, or has no connection.

Each driver has codes for them. Other operational errors, such as a missing column on SQLite, are
errors of the service, and a second attempt does not help.

A full disk is found too. SQLite has several codes for it: `SQLITE_FULL` follows from ENOSPC; a
quota or a limit of the file's size gives `SQLITE_IOERR_WRITE`. A file beside the database that
cannot be created or extended gives other codes, which have other causes too: then the free space
decides.
"""

import errno
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import OperationalError, connection

from games.rules.text import Text

SQLITE_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "SQLITE_CANTOPEN")
"""The beginnings of SQLite's names: another connection writes, or the file cannot be opened."""

POSTGRESQL_BUSY: Final = ("08", "40", "53", "55P03", "57")
"""The beginnings of PostgreSQL's codes (Appendix A of its manual).

In this order: connections, transactions that were rolled back, resources, locks, timeouts.
"""

FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_SQLSTATE: Final = "53100"
ALWAYS_FULL: Final = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
SOMETIMES_FULL: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
SMALLEST_EXTENSION: Final = 64 << 10
"""Bytes; SQLite extends a file beside the database by 32 KiB."""


def is_database_busy(error: BaseException | None) -> bool:
    """Return True if the error passes, so that the request can be sent again."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return str(getattr(cause, "sqlite_errorname", "")).startswith(SQLITE_BUSY)
    code = getattr(cause, "sqlstate", None)  # psycopg has none if there is no connection
    return code is None or code.startswith(POSTGRESQL_BUSY)


def data_folders() -> dict[str, Path]:
    """Return the folders that grow, by what they are called."""
    found = {"the state folder": settings.STATE_DIR}
    if connection.vendor == "sqlite":
        found["the folder of the database"] = Path(connection.settings_dict["NAME"]).parent
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def disk_full_detail(error: BaseException) -> str | None:
    """Return what is full if an error was caused by a full disk, otherwise None."""
    if isinstance(error, OSError):
        return _detail("a file") if error.errno in FULL_ERRNOS else None
    cause = error.__cause__
    if getattr(cause, "sqlstate", None) == FULL_SQLSTATE:
        return Text("the disk of the database server is full")
    code = getattr(cause, "sqlite_errorname", None) or ""
    free = min((shutil.disk_usage(folder).free for folder in data_folders().values()), default=0)
    is_full = code.startswith(SOMETIMES_FULL) and free < SMALLEST_EXTENSION
    return _detail("the database") if code in ALWAYS_FULL or is_full else None


def _detail(what: str) -> str:
    folders = data_folders() | {"the folder for temporary files": Path(tempfile.gettempdir())}
    free = ", ".join(
        f"{shutil.disk_usage(folder).free >> 20} MiB in {name}" for name, folder in folders.items()
    )
    return (
        f"{what} cannot be extended: free are {free};"
        f" at least {settings.LOW_DISK >> 20} MiB are needed"
    )
