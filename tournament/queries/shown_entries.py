"""Queries of the entries that a caller sees, compiled once for each way to read an event."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from games.compiled_queries import CompiledQuery, Value
from tournament.models import Tournament

Row = TypeVar("Row")


class ShownEntriesQuery(Generic[Row]):
    """A query of the entries of any event, as it is read now or as published.

    `build` returns it for an event and values of these types. It may depend on nothing but these,
    and the event's key, `as_published` and `own_account`; on the last one as read now only if it
    `names_reader`.
    """

    def __init__(
        self,
        build: "Callable[..., QuerySet[Any, Row]]",
        *types: type[Value],
        names_reader: bool = False,
    ) -> None:
        def read(*values: Any, published: bool, reader: bool) -> "QuerySet[Any, Row]":
            key, *stated = values
            tournament = Tournament(pk=key)
            tournament.as_published = published
            tournament.own_account = stated.pop() if reader else None
            return build(tournament, *stated)

        def compiled(*, published: bool, reader: bool) -> CompiledQuery[Row]:
            kinds = (int, *types, int) if reader else (int, *types)
            return CompiledQuery(partial(read, published=published, reader=reader), *kinds)

        self._names_reader = names_reader
        self._queries = {
            ways: compiled(published=ways[0], reader=ways[1])
            for ways in product((False, True), repeat=2)
        }

    def rows(self, tournament: Tournament, *values: Value) -> list[Row]:
        """Return the rows of an event."""
        is_published, reader = tournament.as_published, tournament.own_account
        if reader is None or not (is_published or self._names_reader):
            return self._queries[is_published, False].rows(tournament.pk, *values)
        return self._queries[is_published, True].rows(tournament.pk, *values, reader)
