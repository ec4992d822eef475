"""Queries of one game that an account may see, compiled once for each kind of viewer."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from games.compiled_queries import CompiledQuery
from games.models import Account, Game
from games.queries.games import visible_games

Row = TypeVar("Row")


class VisibleGameQuery(Generic[Row]):
    """A query of one game; `build` returns it for the games that somebody may see."""

    def __init__(self, build: "Callable[[QuerySet[Game]], QuerySet[Any, Row]]") -> None:
        def load(game: int, account: Account | None, stream: str = "") -> "QuerySet[Any, Row]":
            return build(visible_games(account, stream)).filter(pk=game)

        self._load = load
        self._public = CompiledQuery(lambda game: load(game, None), int)
        self._of_staff = CompiledQuery(lambda game: load(game, Account(pk=0, is_staff=True)), int)
        self._of_account = CompiledQuery(
            lambda game, account: load(game, Account(pk=account)), int, int
        )
        self._in_stream = CompiledQuery(
            lambda game, account, stream: load(game, Account(pk=account), stream), int, int, str
        )

    def public(self, game: int) -> Row | None:
        """Return a public game, by a query without joins."""
        return self._public.first(game)

    def first(self, game: int, account: Account | None, stream: str = "") -> Row | None:
        """Return a game if the account may see it; `stream` is the limit of its token."""
        if account is None:
            return self._public.first(game)
        if account.is_staff and stream:  # rare
            return self._load(game, account, stream).first()
        if account.is_staff:
            return self._of_staff.first(game)
        if stream:
            return self._in_stream.first(game, account.pk, stream)
        return self._of_account.first(game, account.pk)
