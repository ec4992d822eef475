"""Some rows of a table, and some members of each: `?player=7&fields=rank,values`; only as JSON.

Who wants one place in a large event need not read the whole table.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.filters import LARGEST_ID
from games.core.requests import only_in, whole_number
from games.core.tables.views import fields_parameter, with_chosen_fields
from games.players.queries import named_player

MOST_ROWS: Final = 10_000
NOTES: Final = {"adjourned", "expelled"}
"""The members of tables that name players beside their rows."""

Body = TypeVar("Body", bound=Mapping[str, Any])


def row_parameters(row: Any) -> list[OpenApiParameter]:
    """Return the parameters of a table whose rows have this type."""
    numbers = (
        ("player", whole_number(1, LARGEST_ID), "the id of a player: only the rows that name them"),
        ("limit", whole_number(1, MOST_ROWS), "the first rows"),
    )
    declared = [OpenApiParameter(name, kind, description=text) for name, kind, text in numbers]
    return [*(only_in(each, "json") for each in declared), fields_parameter(row)]


def chosen_rows(request: Request, body: Body) -> Body:
    """Return the JSON of a table with what a request chooses; its parameters are checked.

    Of what is noted of players beside the rows, it has that of the chosen one.
    """
    query, found = request.query_params, {**body}
    if "player" in query:
        player = named_player(int(query["player"])).pk
        for name in {"rows", *NOTES} & body.keys():
            found[name] = [row for row in body[name] if names(row, player)]
    rows = found["rows"][: int(query["limit"])] if "limit" in query else found["rows"]
    found["rows"] = with_chosen_fields(request, rows)
    return cast("Body", found)


def names(row: Mapping[str, Any], player: int) -> bool:
    """Return True if a row is that of a player, or a board of theirs."""
    own = (row, row.get("first"), row.get("second"))
    return any(each["player"]["id"] == player for each in own if each and "player" in each)
