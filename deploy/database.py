"""The database's errors: why a connection fails, and whether the disk is full.

SQLite has several codes for a full disk. `SQLITE_FULL` follows from ENOSPC; a quota or a limit of
the file's size gives `SQLITE_IOERR_WRITE`. A file beside the database that cannot be created or
extended gives other codes, which have other causes too: then the free space decides.
"""

import errno
import shutil
import tempfile
from pathlib import Path
from typing import Final

import psycopg
from django.conf import settings
from django.db import DatabaseError, connection

from games.rules.text import Text

FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_SQLSTATE: Final = "53100"
ALWAYS_FULL: Final = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
SOMETIMES_FULL: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
SMALLEST_EXTENSION: Final = 64 << 10
"""Bytes; SQLite extends a file beside the database by 32 KiB."""


def connection_failure() -> str:
    """Return why a connection fails, in the database's own words; the pool would try for long."""
    try:
        if connection.vendor == "postgresql":
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        return f"the database cannot be used: {first_line(error)}"
    return ""


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


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
