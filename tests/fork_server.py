"""`python -m tests.fork_server ADDRESS`: forks programs for all processes of a test session.

It loads the libraries at the first request, and ends when its input ends. A request comes on a
connection of its own; the answers are the number of the new process, and its exit status.
"""

import os
import runpy
import socket
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def serve(address: str) -> None:
    """Answer requests until the input ends; the address exists as soon as it listens there."""
    context = get_context("fork")
    running: dict[int, tuple[Any, Connection]] = {}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        print(address, flush=True)
        while True:
            for ready in wait([listener, sys.stdin.fileno(), *running]):
                if ready == sys.stdin.fileno():
                    os._exit(0)  # without waiting for programs
                if ready is listener:
                    connection = Connection(listener.accept()[0].detach())
                    request = connection.recv()
                    import_module("tests.libraries")
                    files = [listener, connection, *(each for _, each in running.values())]
                    target = partial(run, files, *request)
                    process = context.Process(target=target, name=request[0][0])
                    process.start()
                    connection.send(process.pid)
                    running[process.sentinel] = process, connection
                    continue
                process, connection = running.pop(ready)
                process.join()
                with connection, suppress(OSError):  # the process that requested it may have ended
                    connection.send(process.exitcode)


def run(
    files: Iterable[socket.socket | Connection],
    arguments: list[str],
    environment: Mapping[str, str],
    output: Path,
    errors: Path,
) -> None:
    """Run what Python runs with these arguments, in a session of its own, without these files."""
    for each in files:
        each.close()
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


if __name__ == "__main__":
    serve(sys.argv[1])
