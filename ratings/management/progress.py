"""The progress of a long command, in per cent, if its error output is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class TerminalProgress:
    """A counter of steps that is rewritten in place."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0

    def step(self, steps: int) -> None:
        """Count further steps."""
        self.done += steps
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{100 * self.done // self.total:3d} %")
            sys.stderr.flush()

    def update(self, _step: str, done: int, _total: int) -> None:
        """Set the counter; this is a callback for `Progress`."""
        self.step(done - self.done)


@contextmanager
def show_progress(total: int) -> Iterator[TerminalProgress]:
    """Yield a counter up to `total`, and remove it from the terminal at the end."""
    progress = TerminalProgress(total)
    try:
        yield progress
    finally:
        if progress.done and sys.stderr.isatty():
            sys.stderr.write("\r     \r")
