"""Handicaps in the API: a structure, with the text that records and journals have beside it."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from games.core.errors import none_of
from games.core.serializers import unknown_member
from games.core.text import translated
from games.rules import conditions
from games.rules.errors import RecordError
from games.rules.records.handicaps import FIRST_MOVE
from games.rules.records.json_form import handicap_text
from games.rules.seat import Seat

ONE: Final = re.compile(r"\b1 (stone|point)s\b")
HANDICAP_TEXT = "the same in words, as in a record: `second 3 stones`, `first move`; null for none"


class Handicap(TypedDict):
    """The advantage of a seat: stones, points, or both; without them, it moves first for sure."""

    seat: Literal["first", "second"]
    stones: NotRequired[Annotated[int | list[str], "their number, or their cells if unusual"]]
    points: NotRequired[int]


FIRST_MOVE_AS_JSON: Handicap = {"seat": "first"}


def handicap_as_json(text: str | None) -> Handicap | None:
    """Return the handicap of a text such as `second 3 stones`; None if it is none."""
    if text == FIRST_MOVE:
        return FIRST_MOVE_AS_JSON
    found = conditions.Handicap.parse(text or "")
    return cast("Handicap", found.as_json()) if found else None


def handicap_in_words(text: str | None) -> str | None:
    """Return a handicap as `second 1 stone`, None if it is none.

    Records and journals write `1 stones`, which is never changed, and read both.
    """
    return ONE.sub(r"1 \1", text) if text else None


class TypedText(str):
    """What somebody has typed that is no handicap: the rules of the game say what would be one."""


def require_members(handicap: Mapping[str, Any]) -> None:
    """Raise ValidationError for another member than a handicap has, and for another seat."""
    wrong = {}
    members = list(Handicap.__annotations__)
    for name in handicap.keys() - set(members):
        error = unknown_member(name, "", members)
        wrong[name] = ErrorDetail(translated(error["detail"]), error["code"])
    seats = [seat.value for seat in Seat]
    if handicap.get("seat") not in seats:
        detail = none_of(seats, "seat", handicap.get("seat"))
        wrong["seat"] = ErrorDetail(translated(detail), "invalid_choice")
    if wrong:
        raise serializers.ValidationError(wrong)


@extend_schema_field({"$ref": "#/components/schemas/Handicap"})
class HandicapField(serializers.Field):
    """A handicap in a body, read as the text that records have; null is none."""

    fields: Mapping[str, Any] = {"seat": serializers.ChoiceField([*Seat])}
    """Those whose values an error lists."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_null=True, **options)

    def read_text(self, text: str) -> Any:
        """Return the value of a form, in which the handicap is a text."""
        typed = text.strip()
        return None if typed in ("", "none") else handicap_as_json(typed) or TypedText(typed)

    def to_internal_value(self, data: Any) -> str:
        """Return the text of a handicap."""
        if isinstance(data, TypedText):
            return data
        if data == FIRST_MOVE_AS_JSON:
            return FIRST_MOVE
        if isinstance(data, Mapping):
            require_members(data)
        try:
            return handicap_text(data)
        except RecordError as error:
            wrong: Any = translated(error.detail)
            for step in reversed(error.pointer.split("/")[2:]):
                wrong = {step: wrong}
            raise serializers.ValidationError(wrong) from error
