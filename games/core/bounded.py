"""Run a module of ours in a process of its own, with limits of memory and of computing time.

A library that unpacks or typesets what a stranger has sent may need more memory than there is, or
keep what it has needed, and some end their process when there is none. The web server starts such a
module here: it reads bytes from its standard input, and writes bytes.

This file is also the program that sets the limits and becomes the module, which should load little.
"""

import os
import resource
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
NICENESS: Final = 15
"""What others wait for goes first: of two cores, eight such processes leave most to the service."""


PATIENCE: Final = 3
"""How many times as long as it may compute a module may take: others may need the cores."""


def run_bounded(module: str, content: bytes, *, memory: int, seconds: int) -> bytes:
    """Return what a module writes when it reads the content.

    Raises subprocess.CalledProcessError if it fails, as for lack of memory or computing time,
    TimeoutExpired if others did not let it compute, and OSError if the machine has no room for
    another process.
    """
    command = [sys.executable, "-I", __file__, module, str(memory), str(seconds)]
    # Each arena reserves 64 MiB, and there would be eight for each core.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    return subprocess.run(
        command,
        input=content,
        capture_output=True,
        timeout=PATIENCE * seconds,
        check=True,
        env=environment,
    ).stdout


if __name__ == "__main__":
    module, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(NICENESS)
    sys.path.append(str(ROOT))  # -I leaves it out
    runpy.run_module(module, run_name="__main__")
