"""Some rows of a table, and some members of each: `?player=7&fields=rank,values`; only as JSON.

Who wants one place in a large event need not read the whole table.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.requests import only_in, whole_number

MOST_ROWS: Final = 10_000
NOTES: Final = {"adjourned", "expelled"}
"""The members of tables that name players beside their rows."""

JSON: Final = "json"
FIELDS: Final = "fields"
REPEATABLE: Final = frozenset({FIELDS})
"""The parameter that takes several values, with commas or in as many parameters."""

Body = TypeVar("Body", bound=Mapping[str, Any])


def row_parameters(row: Any) -> list[OpenApiParameter]:
    """Return the parameters of a table whose rows have this type."""
    members = {"type": "array", "items": {"type": "string", "enum": [*row.__annotations__]}}
    return [
        only_in(OpenApiParameter(name, kind, description=text, explode=name != FIELDS), JSON)
        for name, kind, text in (
            ("player", whole_number(1), "the id of a player: only the rows that name them"),
            ("limit", whole_number(1, MOST_ROWS), "the first rows"),
            (FIELDS, members, "the members of a row; others are left out"),
        )
    ]


class RowChoice(NamedTuple):
    """The rows and members that a request chooses: None and no fields are all."""

    player: int | None
    limit: int | None
    fields: Sequence[str]

    def of(self, body: Body) -> Body:
        """Return the JSON of a table with these rows of its `rows`."""
        rows = [row for row in body["rows"] if self.player is None or names(row, self.player)]
        if self.fields:
            rows = [{name: row[name] for name in self.fields if name in row} for row in rows]
        return cast("Body", {**self.notes_in(body), "rows": rows[: self.limit]})

    def notes_in(self, body: Body) -> Mapping[str, Any]:
        """Return the other members; of what is noted of players, that of the chosen one."""
        if self.player is None:
            return body
        player, noted = self.player, NOTES & body.keys()
        return {**body, **{n: [note for note in body[n] if names(note, player)] for n in noted}}


def requested_rows(request: Request) -> RowChoice:
    """Return what a request chooses; its parameters are checked."""
    query = request.query_params
    player, limit = (int(query[name]) if name in query else None for name in ("player", "limit"))
    fields = [name for each in query.getlist(FIELDS) for name in each.split(",")]
    return RowChoice(player, limit, fields)


def names(row: Mapping[str, Any], player: int) -> bool:
    """Return True if a row is that of a player, or a board of theirs."""
    own = (row, row.get("first"), row.get("second"))
    return any(each["player"]["id"] == player for each in own if each and "player" in each)
