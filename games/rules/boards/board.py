"""The base class of all boards: cells by name and by number, and a board as lines of text.

Cells are numbered from 0 without gaps; a set of cells is an int in which bit i stands for cell i.
Boards are created by functions marked with `shared_board`, so there is one object per size.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property, lru_cache, partial, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary, WeakValueDictionary

from games.rules.boards.lines import TextLine

BOARDS_IN_CACHE = 32
"""The boards of a kind that stay in memory when no position uses them."""


class Board:
    """A board of named cells, created once per size and shared, so cached values are reused.

    A copy of a board is the board itself, and a pickled board is the call that creates it.
    """

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        return RECIPES[self], ()

    if TYPE_CHECKING:  # fields of some subclasses, computed by the others

        @property
        def names(self) -> tuple[str, ...]:
            """The names of the cells by number."""

        @property
        def lines(self) -> tuple[TextLine, ...]:
            """The board as lines of text."""

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of the cells by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def bits(self) -> dict[str, int]:
        """The cells by name, each as a set of one cell."""
        return {name: 1 << number for number, name in enumerate(self.names)}

    @cached_property
    def cells(self) -> int:
        """All cells."""
        return (1 << len(self.names)) - 1


RECIPES: WeakKeyDictionary[Board, Callable[[], Board]] = WeakKeyDictionary()
"""The calls that create the boards in use."""

Parameters = ParamSpec("Parameters")
AnyBoard = TypeVar("AnyBoard", bound=Board)


def shared_board(create: Callable[Parameters, AnyBoard]) -> Callable[Parameters, AnyBoard]:
    """Make a function that creates a board return the same object for the same board.

    As long as a board is in use no second one is created, so boards are compared by identity.
    """
    in_use: WeakValueDictionary[tuple[object, ...], AnyBoard] = WeakValueDictionary()
    signature = inspect.signature(create)

    @wraps(create)
    def find_or_create(*args: Parameters.args, **kwargs: Parameters.kwargs) -> AnyBoard:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        key = tuple(bound.arguments.values())
        board = in_use.get(key)
        if board is None:
            board = in_use[key] = create(*args, **kwargs)
            RECIPES[board] = partial(shared, *args, **kwargs)
        return board

    remembered = lru_cache(maxsize=BOARDS_IN_CACHE)(find_or_create)
    shared = cast("Callable[Parameters, AnyBoard]", remembered)
    return shared
