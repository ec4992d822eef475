"""Programs of Python in processes that are forked from one that has loaded the libraries.

To load them takes more than a second of CPU at each start. The process of multiprocessing's fork
server loads them once for all programs of a test session, and has no settings: a program reads
them from its own variables, and loads the apps, as in any other installation.
"""

import atexit
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from deploy.forks import Fork

ROOT = Path(__file__).parent.parent

_context = get_context("forkserver")
_context.set_forkserver_preload(["tests.libraries"])


def start_forked(
    arguments: list[str], *, environment: Mapping[str, str], output: Path, errors: Path
) -> Fork:
    """Start what Python runs with these arguments: `-m` and a module, `-c` and code, or a path.

    It runs in the project's folder, leads a session, and appends what it prints to the files.
    """
    process = _context.Process(
        target=_run, args=(arguments, dict(environment), output, errors), name=arguments[0]
    )
    process.start()
    with suppress(ProcessLookupError):  # it has ended
        while os.getpgid(process.pid) != process.pid:
            time.sleep(0.002)
    fork = Fork(process)
    atexit.register(fork.kill)  # otherwise the session would wait for one that is left over
    return fork


def run_forked(
    *arguments: str, environment: Mapping[str, str], seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run a program as `start_forked` does until its end; its status and what it has printed."""
    with TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        fork = start_forked([*arguments], environment=environment, output=output, errors=errors)
        try:
            status = fork.wait(seconds)
        finally:
            fork.kill()
        return subprocess.CompletedProcess(
            arguments, status, output.read_text(), errors.read_text()
        )


def _run(arguments: list[str], environment: dict[str, str], output: Path, errors: Path) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in ((sys.stdout, output), (sys.stderr, errors)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())
        stream.reconfigure(line_buffering=True)
    first, *rest = arguments
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = [first, *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        runpy.run_path(first, run_name="__main__")
