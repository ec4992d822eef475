"""How the demo tells what it does: lines, and below them a bar where the output is a terminal."""

import sys
from typing import TextIO

WIDTH = 32


class Progress:
    """Counts steps up to a total, and writes lines without tearing the bar."""

    def __init__(self, total: int, out: TextIO | None = None) -> None:
        self.total = total
        self.done = 0
        self._out = out or sys.stdout
        self._shows_bar = self._out.isatty()

    def step(self, steps: int = 1) -> None:
        """Move the bar on."""
        self.done += steps
        self._draw()

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        self._clear()
        self._out.write(f"{line}\n")
        self._draw()

    def end(self) -> None:
        """Take the bar away."""
        self._clear()
        self._shows_bar = False

    def _draw(self) -> None:
        if self._shows_bar:
            filled = WIDTH * min(self.done, self.total) // self.total
            bar = "#" * filled + "." * (WIDTH - filled)
            self._out.write(f"\r[{bar}] {100 * self.done // self.total:3d} %")
        self._out.flush()

    def _clear(self) -> None:
        if self._shows_bar:
            self._out.write(f"\r{' ' * (WIDTH + 10)}\r")
