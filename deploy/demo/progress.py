"""The demo's output: lines, with a progress bar below them if the output is a terminal."""

import sys
from typing import TextIO

BAR_WIDTH = 32


class ProgressBar:
    """A counter of steps; lines are written above the bar."""

    def __init__(self, total: int, out: TextIO | None = None) -> None:
        self.total = total
        self.done = 0
        self._out = out or sys.stdout
        self._has_bar = self._out.isatty()

    def step(self, steps: int = 1) -> None:
        """Advance the bar."""
        self.done += steps
        self._draw()

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        self._erase()
        self._out.write(f"{line}\n")
        self._draw()

    def end(self) -> None:
        """Remove the bar."""
        self._erase()
        self._has_bar = False

    def _draw(self) -> None:
        if self._has_bar:
            filled = BAR_WIDTH * min(self.done, self.total) // self.total
            bar = "#" * filled + "." * (BAR_WIDTH - filled)
            self._out.write(f"\r[{bar}] {100 * self.done // self.total:3d} %")
        self._out.flush()

    def _erase(self) -> None:
        if self._has_bar:
            self._out.write(f"\r{' ' * (BAR_WIDTH + 10)}\r")
