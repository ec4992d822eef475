"""Some rows of a table, and some members of each: `?player=7&fields=rank,values`; only as JSON.

Who wants one place in a large event need not read the whole table.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.errors import unknown_value
from games.core.requests import only_in, requested_number, whole_number

MOST_ROWS: Final = 10_000
JSON: Final = "json"

Body = TypeVar("Body", bound=Mapping[str, Any])


def row_parameters(row: Any) -> list[OpenApiParameter]:
    """Return the parameters of a table whose rows have this type."""
    members = ", ".join(row.__annotations__)
    return [
        only_in(OpenApiParameter(name, kind, description=text), JSON)
        for name, kind, text in (
            ("player", whole_number(1), "the id of a player: only the rows that name them"),
            ("limit", whole_number(1, MOST_ROWS), "the first rows"),
            ("fields", str, f"the members of a row, with commas; others are left out: {members}"),
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
        return cast("Body", {**body, "rows": rows[: self.limit]})


def requested_rows(request: Request, row: Any) -> RowChoice:
    """Return what a request chooses of rows of this type; raises Unprocessable."""
    query = request.query_params
    player = requested_number(request, "player", 0, least=0) or None
    limit = requested_number(request, "limit", 0, least=0, most=MOST_ROWS) or None
    fields = query["fields"].split(",") if "fields" in query else []
    for name in fields:
        if name not in row.__annotations__:
            raise unknown_value("fields", name, [*row.__annotations__])
    return RowChoice(player, limit, fields)


def names(row: Mapping[str, Any], player: int) -> bool:
    """Return True if a row is that of a player, or a board of theirs."""
    own = (row, row.get("first"), row.get("second"))
    return any(each["player"]["id"] == player for each in own if each and "player" in each)
