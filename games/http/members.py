"""The members of a JSON body: one that no serializer reads is refused, with the nearest known name.

Otherwise a misspelt optional member would be ignored, and the request would do something else than
the caller meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

from rest_framework.serializers import BaseSerializer, Serializer

from games.core.errors import Unprocessable
from games.rules.text import Text

MOST_ERRORS = 20
LONGEST_MEMBER = 40


def require_known_members(serializer: BaseSerializer, body: Any) -> None:
    """Raise Unprocessable if the body, or an object inside it, has an unknown member."""
    errors = list(islice(_find_unknown(serializer, body, ""), MOST_ERRORS))
    if errors:
        raise Unprocessable("unknown_member", errors[0]["detail"], errors)


def require_no_members(body: Any) -> None:
    """Raise Unprocessable if the body of an action without parameters is not an empty object."""
    if body != {}:
        require_known_members(Serializer(), body)
        raise Unprocessable("invalid", Text("this action has no body; send none, or {}"))


def _find_unknown(field: Any, value: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Yield an error for each member that is unknown to a serializer or a field with children."""
    if isinstance(field, Serializer):
        if not isinstance(value, Mapping):
            return
        fields = {name: inner for name, inner in field.fields.items() if not inner.read_only}
        for name, inner in value.items():
            place = f"{pointer}/{_escape(name)}"
            if name in fields:
                yield from _find_unknown(fields[name], inner, place)
            else:
                yield _unknown_member(name, place, list(fields))
        return
    child = getattr(field, "child", None)
    if isinstance(child, Serializer) and isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _find_unknown(child, inner, f"{pointer}/{index}")


def _escape(name: str) -> str:
    """Return the name as a step of a JSON pointer (RFC 6901)."""
    return name[:LONGEST_MEMBER].replace("~", "~0").replace("/", "~1")


def _unknown_member(name: str, pointer: str, known: Sequence[str]) -> dict[str, str]:
    """Return the error of an unknown member."""
    nearest = get_close_matches(name[:LONGEST_MEMBER], known, n=1)
    hint = Text("this object has no members")
    if nearest:
        hint = Text("did you mean %(name)s?", name=repr(nearest[0]))
    elif known:
        hint = Text("members are: %(names)s", names=", ".join(known))
    detail = Text(
        "%(name)s is not a member here; %(detail)s", name=repr(name[:LONGEST_MEMBER]), detail=hint
    )
    error = {"pointer": pointer, "code": "unknown_member", "detail": detail}
    return error | ({"nearest": nearest[0]} if nearest else {})
