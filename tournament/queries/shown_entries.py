"""Queries of the entries that a caller sees, compiled once for each way to read an event."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from games.compiled_queries import CompiledQuery
from tournament.models import Tournament

Row = TypeVar("Row")


class ShownEntriesQuery(Generic[Row]):
    """A query of the entries of any event, as it is read now or as published.

    `build` returns it for an event, and may depend on nothing but its key, `as_published` and
    `own_account`.
    """

    def __init__(self, build: "Callable[[Tournament], QuerySet[Any, Row]]") -> None:
        def build_published(key: int, account: int | None = None) -> "QuerySet[Any, Row]":
            tournament = Tournament(pk=key)
            tournament.as_published, tournament.own_account = True, account
            return build(tournament)

        self._current = CompiledQuery(lambda key: build(Tournament(pk=key)), int)
        self._published = CompiledQuery(build_published, int)
        self._published_to_account = CompiledQuery(build_published, int, int)

    def rows(self, tournament: Tournament) -> list[Row]:
        """Return the rows of an event."""
        if not tournament.as_published:
            return self._current.rows(tournament.pk)
        if tournament.own_account is None:
            return self._published.rows(tournament.pk)
        return self._published_to_account.rows(tournament.pk, tournament.own_account)
