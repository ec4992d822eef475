"""The callback through which a long piece of work reports its progress."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with a step, how much of it is done, and the total: `("reading lines", 400, 1000)`."""


def no_progress(step: str, done: int, total: int) -> None:
    """Ignore progress."""
