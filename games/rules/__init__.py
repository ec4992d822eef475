"""The games and their written form, without a web framework, a database or a task queue.

`GAMES` maps a code to its game, `find_game` looks one up. `games.rules.records.record` reads
records and replays them to a verdict.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.rules.registry import GAMES, find_game

__all__ = ["GAMES", "find_game"]


def __getattr__(name: str) -> Any:
    """Import the registry when it is needed: pairing needs only seats, and no game."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from games.rules import registry

    return getattr(registry, name)
