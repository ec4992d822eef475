"""How much of the server a client may use, and how many files the process may open."""

import resource
from dataclasses import dataclass
from typing import Final

MAX_CONNECTIONS: Final = 8192

RESERVED_FILES: Final = 128
"""Open files that do not belong to connections: the database, the broker, logs."""

FEWEST_FILES: Final = 2048
"""A lower limit of open files leaves too few connections."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds, sizes in bytes, numbers of connections in one process.

    A body may take `grace` and the time for its bytes at `rate`, and so may a response that the
    client reads. `idle` is longer than the 60 seconds after which common proxies close an unused
    connection, so that a proxy does not send a request on a connection that is being closed. After
    an error the server reads for `linger` what the client still sends, because a connection that is
    closed with unread data destroys the response.
    """

    head: float = 10.0
    head_size: int = 32 << 10
    idle: int = 75
    grace: float = 10.0
    rate: int = 8 << 10
    linger: float = 5.0
    sweep: float = 1.0
    pipelined: int = 64
    per_address: int | None = None
    connections: int = MAX_CONNECTIONS


def raise_file_limit() -> None:
    """Set the limit of open files to the highest that the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):  # macOS reports a limit that it does not accept
            return


def connection_limit() -> int:
    """Return how many connections the limit of open files allows.

    Each may need a second file, for a large body or response.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(min((soft - RESERVED_FILES) // 2, MAX_CONNECTIONS), 1)


def file_problem() -> str:
    """Return why too few connections are possible, empty if there are enough."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FEWEST_FILES:
        return ""
    return f"a process can open only {soft} files; {FEWEST_FILES} are needed for enough connections"
