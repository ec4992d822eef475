"""Serializers of rounds: starts, and the bodies of what is done with rounds."""

from datetime import UTC, date, datetime, tzinfo
from functools import partial
from typing import Annotated, Any, Final, NotRequired, TypedDict
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.handicaps import HandicapField
from games.core.serializers import AllowedAction, IdField, MomentField, OptionalReasonField
from games.core.wrong_values import WrongValue
from games.rules.text import Text
from tournament import models
from tournament.core.serializers import (
    PUBLIC_REASON,
    AcceptField,
    PairingNumberField,
    validate_date,
)
from tournament.core.violations import HandPairing
from tournament.models import Pairing
from tournament.pairing.relaxations import RELAXATIONS
from tournament.rounds.acceptance import BROKEN_RULES
from tournament.rounds.queries import RELAXED, STARTS_AT, round_url


class PairRequestSerializer(serializers.Serializer):
    relax = serializers.ListField(
        child=serializers.ChoiceField([code.value for code in RELAXATIONS]),
        default=list,
        max_length=len(RELAXATIONS),
        help_text="rules that may give way if there is no legal pairing, as few as possible",
    )
    reason = OptionalReasonField(help_text="why they may")


class ExplainRequestSerializer(serializers.Serializer):
    first_number = PairingNumberField(required=False, label=_("Pairing number of one player"))
    second_number = PairingNumberField(required=False, label=_("Pairing number of the other"))

    def validate(self, numbers: dict[str, int]) -> dict[str, int]:
        missing = {"first_number", "second_number"} - numbers.keys()
        if len(missing) == 1:
            errors: dict[str, Any] = {name: [_("this is needed")] for name in missing}
            raise serializers.ValidationError(errors, code="required")
        return numbers


MOST_ROUND_BOARDS = 10_000
BoardsField = partial(serializers.ListField, allow_empty=False, max_length=MOST_ROUND_BOARDS)


HANDICAP_WORDS: Final = gettext_noop(
    "In English words: second 3 stones, first 2 points, first move, or none."
)


class BoardRequestSerializer(serializers.Serializer):
    first_id = IdField(source="first", help_text="the id of an entry")
    second_id = IdField(source="second", allow_null=True, default=None)
    bye = serializers.ChoiceField(
        [kind for kind in Pairing.Kind.values if kind != "game"],
        default=Pairing.Kind.PAIRING_BYE,
    )
    handicap = HandicapField(
        help_text="null for none; if omitted, the recommended one in the seats that it needs, or "
        "for the same two players the former",
        style={"help": HANDICAP_WORDS},
    )

    def validate(self, board: dict[str, Any]) -> HandPairing:
        """Return the pairing; reject a bye with a handicap."""
        if board.get("handicap") and board["second"] is None:
            raise WrongValue(Text("a bye has no handicap"))
        if "handicap" in board:
            board["handicap"] = board["handicap"] or ""
        return HandPairing(**board | {"bye": Pairing.Kind(board["bye"])})


class ByHandRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})
    pairings = BoardsField(child=BoardRequestSerializer())


class BoardChangeSerializer(BoardRequestSerializer):
    board = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUND_BOARDS,
        allow_null=True,
        default=None,
        help_text="required for two players; a new board has the next number",
    )

    def validate(self, board: dict[str, Any]) -> HandPairing:
        if (board["board"] is None) != (board["second"] is None):
            raise WrongValue(
                Text("two players need a board number, and a bye has none"), code="board_needed"
            )
        return super().validate(board)


AcceptRulesField = partial(
    AcceptField,
    BROKEN_RULES,
    "the codes of the rules that the round may break, as `acceptance_needed` lists them; also"
    " `game_reported`: games with reports become void",
)


class BoardChangesSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})
    boards = BoardsField(child=BoardChangeSerializer())
    accept = AcceptRulesField()


MOST_VERSIONS = 32_767
ENDS_AT = "when games without a result wait for the directors; null: never"


class Round(TypedDict):
    """A round, without its pairings."""

    url: str
    number: int
    state: models.Round.State
    version: int
    system: str | None
    reason: str | None
    relaxed: Annotated[list[str], RELAXED]
    starts_on: date | None
    starts_at: Annotated[datetime | None, STARTS_AT]
    ends_at: Annotated[datetime | None, ENDS_AT]
    published_at: datetime | None
    completed_at: datetime | None


class RoundDetail(Round):
    """A round, with what the caller can do with it."""

    allowed_actions: NotRequired[Annotated[list[AllowedAction], "with `actions`, for directors"]]


def round_as_json(this_round: models.Round) -> Round:
    """Return a round as the API shows it."""
    return {
        "url": round_url(this_round),
        "number": this_round.number,
        "state": models.Round.State(this_round.state),
        "version": this_round.version,
        "system": this_round.system or None,
        "reason": this_round.reason or None,
        "relaxed": this_round.relaxed,
        "starts_on": this_round.starts_on,
        "starts_at": this_round.starts_at,
        "ends_at": this_round.ends_at and this_round.ends_at.astimezone(UTC),
        "published_at": this_round.published_at,
        "completed_at": this_round.completed_at,
    }


class LocalTimeField(MomentField):
    """A date and time in the time zone `zone` of the context, as the form of a page means it."""

    def default_timezone(self) -> tzinfo:
        """Return the time zone of values without an offset."""
        return ZoneInfo(self.context.get("zone", "UTC"))

    def to_internal_value(self, value: Any) -> datetime:
        """Return the time in that zone; reject years that TRF files cannot contain."""
        if isinstance(value, str) and len(value) <= len("2026-05-01"):
            self.fail("invalid", format="2026-05-01T10:00:00+01:00")
        if isinstance(value, datetime):
            value = value.replace(tzinfo=value.tzinfo or self.default_timezone())
        time: datetime = super().to_internal_value(value)
        validate_date(time.date())
        # A time that the clocks skip, in the night in which summer time begins, is none of its own.
        shown = time.astimezone(UTC).astimezone(time.tzinfo)
        if shown.replace(tzinfo=None) != time.replace(tzinfo=None):
            detail = Text(
                "the clocks skip this time in %(zone)s; they show %(time)s then",
                zone=str(time.tzinfo),
                time=f"{shown:%H:%M}",
            )
            raise WrongValue(detail)
        return time


class RoundRequestSerializer(serializers.Serializer):
    """The start of a round, a date, or a date and time; and its end."""

    starts_on = serializers.DateField(
        allow_null=True,
        required=False,
        label=_("Day"),
        validators=[validate_date],
        help_text=gettext_noop("without a time"),
    )
    starts_at = LocalTimeField(
        allow_null=True,
        required=False,
        label=_("Start"),
        help_text="with its offset, as 2026-05-01T10:00:00+01:00",
    )
    ends_at = LocalTimeField(
        allow_null=True, required=False, label=_("End"), help_text=f"{ENDS_AT}; with its offset"
    )

    def validate(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return a date, or a date and time; neither, as null, has no start; and the end."""
        end = {"ends_at": content.pop("ends_at")} if "ends_at" in content else {}
        given = {name: value for name, value in content.items() if value is not None}
        if not content and end:
            return end
        if not content or len(given) > 1:
            raise WrongValue(Text("send either starts_on or starts_at"))
        return (given or {"starts_on": None}) | end


class RoundTimesSerializer(serializers.Serializer):
    rounds = serializers.DictField(child=RoundRequestSerializer(), help_text="by number")


class PublishRequestSerializer(serializers.Serializer):
    accept = AcceptRulesField()


class RoundActionSerializer(serializers.Serializer):
    reason = OptionalReasonField(
        help_text="required to reopen a round, and to unpair one that is published",
        style={"help": PUBLIC_REASON},
    )


class RestoreRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(
        min_value=1, max_value=MOST_VERSIONS, help_text="as `versions` lists it", style={"help": ""}
    )
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})
