"""The children of `manage.py up` that do not start, in a file that health and `doctor` read.

The file has its full size from the first start, so that it can be written on a full disk.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

READ_SIZE: Final = 4096
"""Bytes; the names of all children and their deaths need far less."""


def store_broken_children(deaths: Mapping[str, int]) -> None:
    """Store the broken children and how often each died in a row."""
    text = json.dumps(deaths).ljust(READ_SIZE).encode()
    path = _path()
    mode = "r+b" if path.exists() else "wb"
    with suppress(OSError), path.open(mode, buffering=0) as file:
        file.write(text)


def load_broken_children() -> dict[str, int]:
    """Return the broken children; none if `manage.py up` does not run the service."""
    try:
        deaths: dict[str, int] = json.loads(_path().read_text())
    except (OSError, ValueError):
        return {}
    return deaths


def _path() -> Path:
    folder: Path = settings.STATE_DIR
    return folder / "broken-children"
