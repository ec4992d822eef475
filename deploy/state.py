"""The files of STATE_DIR: they hold all data and all secrets, and are those of one user alone.

The umask of `manage.py` gives new ones the mode 0600, or 0700 to a folder.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def close_to_others() -> None:
    """Take from others what they may do with the state folder and its files.

    Those of another user are left as they are, and so is a folder that all users share, such as
    /tmp; `open_files` names them.
    """
    for path, mode in open_files():
        with suppress(OSError):
            if path.stat().st_uid == os.geteuid() and not mode & stat.S_ISVTX:
                path.chmod(mode & ~OTHERS)


def open_files() -> Iterator[tuple[Path, int]]:
    """Yield the files and folders with which others may do something, and their modes."""
    for path in _files():
        with suppress(FileNotFoundError):  # such as the -wal file of a database
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS and not path.is_symlink():
                yield path, mode


def _files() -> Iterator[Path]:
    """Yield the state folder with all that is in it, and an SQLite database that is elsewhere."""
    yield settings.STATE_DIR
    for folder, folders, files in os.walk(settings.STATE_DIR):
        yield from (Path(folder, name) for name in (*folders, *files))
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        yield from (Path(f"{database['NAME']}{end}") for end in ("", "-wal", "-shm"))
