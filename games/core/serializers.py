"""Fields and validators that several serializers share, and the check of a body's members.

A member that no serializer reads is refused, with the nearest known name. Otherwise a misspelt
optional member would be ignored, and the request would do something else than the caller meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from itertools import islice
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar
from urllib.parse import urlsplit

from django.core.validators import URLValidator
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.serializers import BaseSerializer, Serializer

from games.core.errors import LONGEST_MEMBER, Unprocessable, pointer_step
from games.core.places import country_choices, is_country, nearest_country, no_country
from games.core.requests import BOOLEANS
from games.core.wrong_values import WrongValue, listed_errors, mistyped
from games.models.time_controls import MOST_INCREMENT_SECONDS, MOST_MAIN_MINUTES
from games.names import (
    COUNTRY_CODE,
    FIRST_BIRTH_YEAR,
    LAST_BIRTH_YEAR,
    check_text,
    clean_name,
    require_past_year,
)
from games.rules.ratings import HIGHEST_RATING, LOWEST_RATING, read_rating
from games.rules.seat import Seat
from games.rules.text import Text

RULESET = "the code of the game's rules, as `star-star`; `rulesets` has them all"
BOARD_SIZE = "as in a record: `10`, `5x6`"
RECORD = "of the game, as text or as JSON; see the reference of records"
MOST_DAYS_PER_TURN = 60
MAIN_MINUTES = "the main time of each player; null if no time is stated"
INCREMENT_SECONDS = "added for each move; a second counts as a minute of main time in the class"
TIME_CLASS = "of the main time and 60 increments, by FIDE's limits; null if no time is stated"
PLAY = "`by_turns`: here, each side enters its own turns; `anywhere`: the result is reported"
DAYS_PER_TURN = "of a game by turns: then the other side can claim the time; null: no limit"

Row = TypeVar("Row", bound=Model)

DRAWS = frozenset({"1/2", "½", "=", "½-½", "1/2-1/2", "0.5-0.5", "0,5-0,5", "0.5", "0,5"})
"""A drawn game, as people write it."""

MOST_ERRORS = 20


def validate_text(text: str) -> None:
    """Reject text that does not fit on one line, or that is invisible."""
    try:
        check_text(text)
    except ValueError as error:
        raise WrongValue(str(error)) from error


ReasonField = partial(serializers.CharField, max_length=240, validators=[validate_text])


class RatingField(serializers.IntegerField):
    """A rating in whole points."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=LOWEST_RATING, max_value=HIGHEST_RATING, **options)

    def read_text(self, text: str) -> int | str | None:
        """Return the rating of a form: 0 is none, and 1.900 has a sign after the thousands."""
        written = read_rating(text.strip())
        if not text.strip() or (written and written.is_zero):
            return None
        return written.whole if written and not written.decimals.strip("0") else text


class FlagField(serializers.BooleanField):
    """A parameter of an address that is true or false, or a box of a form."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the value; only the words of `BOOLEANS` are valid."""
        found: bool = super().to_internal_value(BOOLEANS.get(str(data).lower(), "another word"))
        return found


IdField = partial(serializers.IntegerField, min_value=1, max_value=2**63 - 1)
"""The id of a row."""


class NameField(serializers.CharField):
    """The name of a person, a club, a place or an event, as `clean_name` stores it."""

    def to_internal_value(self, data: Any) -> str:
        text: str = super().to_internal_value(data)
        try:
            return clean_name(text)
        except ValueError as error:
            raise WrongValue(str(error)) from error


class ModelSerializer(serializers.ModelSerializer[Row]):
    def get_field_names(self, declared_fields: Mapping[str, Any], info: Any) -> list[str]:
        """Return the names of `Meta.fields`, and after them all that are declared."""
        return list(dict.fromkeys([*self.Meta.fields, *declared_fields]))


class MaybeUnset(serializers.Field):
    """A text that may be unset: stored as an empty text, null in answers; bodies may have either.

    It comes before the class of the field.
    """

    def __init__(self, *choices: Any, **options: Any) -> None:
        unset: dict[str, Any] = {"required": False, "allow_blank": True, "allow_null": True}
        super().__init__(*choices, **unset | options)

    def run_validation(self, data: Any = empty) -> Any:
        return super().run_validation("" if data is None else data)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class OptionalText(MaybeUnset, serializers.CharField):
    """A text that may be unset."""


OptionalReasonField = partial(OptionalText, max_length=240, default="", validators=[validate_text])


class ParagraphField(OptionalText):
    """A text that people type in several lines, and that is stored on one; it may be unset."""

    def to_internal_value(self, data: Any) -> str:
        text = " ".join(super().to_internal_value(data).split())
        validate_text(text)
        return text


class MarkdownField(MaybeUnset, serializers.CharField):
    """A text of several lines in Markdown that may be unset."""

    def __init__(self, **options: Any) -> None:
        style = {"base_template": "textarea.html", **options.pop("style", {})}
        super().__init__(style=style, **options)

    def to_internal_value(self, data: Any) -> str:
        text = "\n".join(super().to_internal_value(data).splitlines())
        for line in text.split("\n"):
            validate_text(line.replace("\t", " "))
        return text


class WebAddressField(MaybeUnset, serializers.CharField):
    """An address that begins with `https:` and may be unset.

    It has no name of a user, as which another site can be written: `https://known.org@other.org`.
    """

    check = URLValidator(
        schemes=["https"], message=_("this is no address of a page; it begins with https://")
    )

    def run_validators(self, value: Any) -> None:
        super().run_validators(value)
        if value:
            self.check(value)
            if "@" in urlsplit(value).netloc:
                raise serializers.ValidationError(self.check.message, code=self.check.code)


class OptionalChoiceField(MaybeUnset, serializers.ChoiceField):
    """A choice that may be unset."""


class OptionalNameField(MaybeUnset, NameField):
    """A name that may be unset."""


class BirthYearField(serializers.IntegerField):
    """A year of birth, which is not in the future, or null."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=FIRST_BIRTH_YEAR,
            max_value=LAST_BIRTH_YEAR,
            required=False,
            allow_null=True,
            label=_("Year of birth"),
            **options,
        )

    def run_validators(self, value: Any) -> None:
        try:
            require_past_year(value, today=timezone.localdate())
        except ValueError as error:
            raise WrongValue(str(error)) from error
        super().run_validators(value)


class CountryField(MaybeUnset, serializers.RegexField):
    """FIDE's code of a country in any case, or none; it is stored in capitals.

    Imports of files store other codes too, so that a country that is stored need not be one.
    """

    default_error_messages = {"invalid": _("a country is FIDE's three-letter code, or empty")}

    def __init__(self) -> None:
        super().__init__(
            regex=rf"\A{COUNTRY_CODE.pattern}\Z",
            label=_("Country"),
            help_text="FIDE's three-letter code, as POR",
            style={"base_template": "select.html", "choices": country_choices, "help": ""},
        )

    def to_internal_value(self, data: Any) -> str:
        text: str = super().to_internal_value(data)
        code = text.upper()
        if is_country(code):
            return code
        raise WrongValue(no_country(text))

    def nearest(self, text: str) -> str:
        """Return the code that was probably meant, empty if none was."""
        return nearest_country(text)


class MomentField(serializers.DateTimeField):
    """A date and time with its offset; without one, nobody knows when it is."""

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return a time in the zone of the field; reject one without an offset."""
        if timezone.is_naive(value):
            detail = Text(
                "%(time)s has no offset; write %(time)sZ for UTC, or as %(time)s+02:00",
                time=value.isoformat(),
            )
            raise WrongValue(detail, code="no_offset")
        time: datetime = super().enforce_timezone(value)
        return time


SeatField = partial(
    serializers.ChoiceField,
    [*Seat],
    default=None,
    allow_null=True,
    help_text="the side of the caller; who has both names one, else it is the first",
    style={"help": ""},
)
"""A seat that need not be given."""


MainMinutesField = partial(
    serializers.IntegerField,
    min_value=0,
    max_value=MOST_MAIN_MINUTES,
    allow_null=True,
    default=None,
    label=_("Minutes of each player"),
    help_text=MAIN_MINUTES,
    style={
        "help": _(
            "The sum of all periods. A pool can rate only some time classes: bullet up to"
            " 3 minutes, blitz up to 10, rapid below 60, standard from 60, with the"
            " increments of 60 moves."
        )
    },
)


IncrementSecondsField = partial(
    serializers.IntegerField,
    min_value=0,
    max_value=MOST_INCREMENT_SECONDS,
    default=0,
    label=_("Seconds for each move"),
    help_text=INCREMENT_SECONDS,
    style={"help": ""},
)


DaysPerTurnField = partial(
    serializers.IntegerField,
    min_value=1,
    max_value=MOST_DAYS_PER_TURN,
    allow_null=True,
    default=None,
    label=_("Days for each turn"),
    help_text=DAYS_PER_TURN,
    style={
        "help": _(
            "Of games by turns. After these days, the opponent can claim a win on time;"
            " nobody loses without that. Empty: no limit."
        )
    },
)


@extend_schema_field(
    {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}
)
class RecordField(serializers.Field):
    """A record as text or as a JSON object; the referee judges its content."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", RECORD)
        options.setdefault("style", {"help": ""})
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        if not isinstance(data, str | dict) or not data:
            raise WrongValue(Text("a record is text or a JSON object, and not empty"))
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class AllowedAction(TypedDict):
    """What the caller can do with an object, or why not."""

    operation: Annotated[str, "its id in this description"]
    level: Annotated[Literal["safe", "unsafe", "forbidden"], "an unsafe action requires a reason"]
    code: NotRequired[Annotated[str, "of the refusal"]]
    reason: NotRequired[Annotated[str, "why it is forbidden"]]


class NoBody(dict[str, Any]):
    """The content of a request without a body, which counts as an empty object."""


def validated(serializer_class: type[BaseSerializer], data: Any, **options: Any) -> dict[str, Any]:
    """Return validated JSON; raises Unprocessable with all unknown members and wrong values.

    The options are those of the serializer, such as `partial=True`. A value is wrong too if it does
    not have the type of its member, as a number in quotes. What follows from another error is left
    out: the members of a value of a wrong type, a needed member that is misspelt, and all those
    that are needed where there is no body.
    """
    serializer = serializer_class(data=data, **options)
    unknown = list(islice(_find_unknown(serializer, data, ""), MOST_ERRORS))
    wrong = list(islice(mistyped(serializer, data), MOST_ERRORS))
    places = [error["pointer"] for error in wrong]
    if places != [""] and not serializer.is_valid():
        meant = {_parent(error["pointer"]) + error.get("nearest", "") for error in unknown}
        wrong += [
            error
            for error in listed_errors(serializer.errors, serializer, data)
            if not _is_within(error["pointer"], places)
            and not (error["code"] == "required" and error["pointer"] in meant)
        ]
    needed = [error["pointer"] for error in wrong if error["code"] == "required"]
    if isinstance(data, NoBody) and len(needed) > 1:
        names = ", ".join(pointer.removeprefix("/") for pointer in needed)
        detail = Text("the request has no body; needed are: %(names)s", names=names)
        raise Unprocessable("invalid", detail, [wrong_body("required", detail)])
    if unknown or wrong:
        raise invalid_content([*unknown, *wrong])
    return dict(serializer.validated_data)


def _parent(pointer: str) -> str:
    return pointer.rpartition("/")[0] + "/"


def _is_within(pointer: str, places: Sequence[str]) -> bool:
    """Return True if a pointer is one of some places, or below one of them."""
    return any(pointer == place or pointer.startswith(f"{place}/") for place in places)


def wrong_body(code: str, detail: str) -> dict[str, str]:
    """Return the error of a whole body."""
    return {"pointer": "", "code": code, "detail": detail}


def invalid_content(errors: Sequence[Mapping[str, Any]]) -> Unprocessable:
    """Return the error of values that serializers have refused."""
    if errors[0]["code"] == "unknown_member":
        return Unprocessable("unknown_member", errors[0]["detail"], errors)
    subject = errors[0]["pointer"] or Text("the body")
    detail = Text("%(subject)s: %(detail)s", subject=subject, detail=errors[0]["detail"])
    return Unprocessable("invalid", detail, errors)


def require_no_members(body: Any) -> None:
    """Raise Unprocessable if the body of an action without parameters is not an empty object."""
    if body != {}:
        if unknown := list(islice(_find_unknown(Serializer(), body, ""), MOST_ERRORS)):
            raise invalid_content(unknown)
        raise Unprocessable("invalid", Text("this action has no body; send none, or {}"))


def _find_unknown(field: Any, value: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Yield an error for each member that is unknown to a serializer or a field with children."""
    if isinstance(field, Serializer):
        if not isinstance(value, Mapping):
            return
        fields = {name: inner for name, inner in field.fields.items() if not inner.read_only}
        for name, inner in value.items():
            place = f"{pointer}/{pointer_step(name)}"
            if name in fields:
                yield from _find_unknown(fields[name], inner, place)
            else:
                yield unknown_member(name, place, list(fields))
        return
    child = getattr(field, "child", None)
    if isinstance(child, Serializer) and isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _find_unknown(child, inner, f"{pointer}/{index}")


def unknown_member(name: str, pointer: str, known: Sequence[str]) -> dict[str, str]:
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
