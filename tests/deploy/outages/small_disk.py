"""A small file system, and how it is filled."""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import eventually


@contextmanager
def small_disk(size: int) -> Iterator[Path]:
    """Mount a file system in memory of so many bytes; skip the test where that is not allowed."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a file system of a limited size")
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", folder]
        if subprocess.run(mount, check=False).returncode != 0:
            pytest.skip("this system does not allow mounts")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Write to a file for as long as there is space, all the time; delete it at the end."""
    is_over = threading.Event()

    def fill() -> None:
        with (disk / "filler").open("ab", buffering=0) as file:
            while not is_over.is_set():
                for size in (1 << 20, 4096, 1):
                    try:
                        while not is_over.is_set():
                            file.write(bytes(size))
                    except OSError:
                        continue
                time.sleep(0.02)

    with ThreadPoolExecutor(1) as filler:
        filling = filler.submit(fill)
        try:
            eventually(lambda: shutil.disk_usage(disk).free == 0)
            yield
        finally:
            is_over.set()
            filling.result()
            (disk / "filler").unlink()
