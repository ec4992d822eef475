"""The disk: which errors say that it is full, and which folder will be full soon.

SQLite has several codes for a full disk. `SQLITE_FULL` follows from ENOSPC; a quota or a limit of
the file's size gives `SQLITE_IOERR_WRITE`. A file beside the database that cannot be created or
extended gives other codes, which have other causes too: then the free space decides.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from games.rules.text import Text

FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_SQLSTATE: Final = "53100"
"""PostgreSQL's code `disk_full`."""

ALWAYS_FULL: Final = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
SOMETIMES_FULL: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
"""The beginnings of codes that a full disk is one cause of."""

SMALLEST_EXTENSION: Final = 64 << 10
"""Bytes; SQLite extends a file beside the database by 32 KiB."""


def free_space(folder: Path) -> int:
    """Return the bytes that the service can still write to a folder; raises OSError."""
    space = os.statvfs(folder)
    return space.f_bavail * space.f_frsize


def disk_problems() -> Iterator[str]:
    """Yield the folders with less free space than the setting LOW_DISK_MIB."""
    for name, folder in _data_folders().items():
        if folder.is_dir() and (free := free_space(folder)) < settings.LOW_DISK:
            yield Text("only %(free)s MiB are free in %(folder)s", free=free >> 20, folder=name)


def disk_full_detail(error: BaseException) -> str | None:
    """Return what is full if an error was caused by a full disk, otherwise None."""
    if isinstance(error, OSError):
        return _detail("a file") if error.errno in FULL_ERRNOS else None
    cause = error.__cause__
    if getattr(cause, "sqlstate", None) == FULL_SQLSTATE:
        return Text("the disk of the database server is full")
    code = getattr(cause, "sqlite_errorname", None) or ""
    if code in ALWAYS_FULL or (code.startswith(SOMETIMES_FULL) and _is_full()):
        return _detail("the database")
    return None


def _data_folders() -> dict[str, Path]:
    """Return the folders that grow, by what they are called."""
    found = {"the state folder": settings.STATE_DIR}
    if connection.vendor == "sqlite":
        found["the folder of the database"] = Path(connection.settings_dict["NAME"]).parent
    return found


def _is_full() -> bool:
    folders = [folder for folder in _data_folders().values() if folder.is_dir()]
    return any(free_space(folder) < SMALLEST_EXTENSION for folder in folders)


def _detail(what: str) -> str:
    folders = _data_folders() | {"the folder for temporary files": Path(tempfile.gettempdir())}
    free = ", ".join(
        f"{free_space(folder) >> 20} MiB in {name}"
        for name, folder in folders.items()
        if folder.is_dir()
    )
    return (
        f"{what} cannot be extended: free are {free};"
        f" at least {settings.LOW_DISK >> 20} MiB are needed"
    )
