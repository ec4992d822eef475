"""Serializers of games, reports and rulings, of the rules and the referee."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.core.serializers import (
    BOARD_SIZE,
    INCREMENT_SECONDS,
    MAIN_MINUTES,
    RULESET,
    TIME_CLASS,
    AllowedActionSerializer,
    NamedSerializer,
    OptionalChoiceField,
    OptionalText,
    RecordField,
    SeatField,
)
from games.core.text import translated
from games.core.uploads.tasks import TaskSerializer
from games.models import Game, Report
from games.models.time_controls import TimeClass
from games.play.outcomes import CLAIM_TERMINATIONS, FORFEIT_MARK, full_result
from games.rules.game_outcome import RulingTermination
from games.rules.outcome import Termination
from games.rules.records.claims import BOTH_LOSE_TOKEN, WIN_TOKENS
from games.rules.records.verdict import State
from games.rules.seat import Seat
from games.rules.text import Text


class ScoreSerializer(serializers.Serializer):
    first = serializers.IntegerField()
    second = serializers.IntegerField()


class OutcomeSerializer(serializers.Serializer):
    """How a game ended; empty for a report that states no result."""

    winner = serializers.ChoiceField(list(Seat), required=False, allow_null=True)
    draw = serializers.BooleanField(required=False)
    score = ScoreSerializer(required=False, allow_null=True)
    termination = serializers.CharField(required=False, allow_null=True)
    detail = serializers.DictField(
        required=False,
        help_text="what is counted on the board of a record, by the seat; it depends on the game,"
        " and adds up to the score unless the players agreed on one that the board does not prove",
    )


@extend_schema_field(OutcomeSerializer)
class OutcomeField(serializers.JSONField):
    """An outcome as it is stored."""


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}
)
class StonesField(serializers.Field):
    """A number of stones on the usual cells, or the cells of the stones."""

    def to_representation(self, value: int | list[str]) -> int | list[str]:
        return value


class HandicapSerializer(serializers.Serializer):
    seat = serializers.ChoiceField([*Seat])
    stones = StonesField(
        required=False, help_text="their number, or the cells if they are not the usual ones"
    )
    points = serializers.IntegerField(required=False)


class TournamentNameSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


class GameSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.URLField(help_text="of its page")
    tournament = TournamentNameSerializer(allow_null=True, help_text="null for a casual game")
    round = serializers.IntegerField(allow_null=True)
    board = serializers.IntegerField(allow_null=True, help_text="the number of the board")
    ruleset = serializers.CharField(help_text=RULESET)
    board_size = serializers.CharField(help_text=BOARD_SIZE)
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField()
    handicap = HandicapSerializer(allow_null=True)
    advice = serializers.CharField(allow_null=True)
    main_minutes = serializers.IntegerField(allow_null=True, help_text=MAIN_MINUTES)
    increment_seconds = serializers.IntegerField(help_text=INCREMENT_SECONDS)
    time_class = serializers.ChoiceField([*TimeClass], allow_null=True, help_text=TIME_CLASS)
    first = NamedSerializer()
    second = NamedSerializer()
    rated = serializers.BooleanField()
    pool = serializers.CharField(
        allow_null=True,
        help_text="that a casual game was proposed for; the filter `pool` finds the games that a"
        " pool rates, those of tournaments too",
    )
    played_on = serializers.DateField(
        allow_null=True,
        help_text="the day of the round, or that of an imported record; null if there is none",
    )
    state = serializers.ChoiceField(Game.State.choices)
    proposed_by = serializers.ChoiceField(
        [*Seat], allow_null=True, help_text="the seat that proposed a casual game"
    )
    answer_by = serializers.DateTimeField(
        allow_null=True, help_text="when an open proposal expires"
    )
    report_by = serializers.DateTimeField(
        allow_null=True, help_text="when an accepted casual game without a report expires"
    )
    basis = serializers.ChoiceField(Game.Basis.choices, allow_null=True)
    termination = serializers.CharField(allow_null=True)
    winner = serializers.ChoiceField([*Seat], allow_null=True)
    draw = serializers.BooleanField()
    score = ScoreSerializer(allow_null=True)
    result = serializers.CharField(
        allow_null=True,
        help_text="26-25, with the points of the handicap; 1-0, 0-1, 1/2; 1-0f, 0-1f, 0-0f for a"
        " forfeit",
    )
    record = serializers.CharField(
        allow_null=True, help_text="the digest of the record that proves the result"
    )
    dispute = serializers.CharField(allow_null=True)
    adjourned = serializers.BooleanField(help_text="to be continued; without a result so far")
    confirm_by = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)


class GameWithActionsSerializer(GameSerializer):
    allowed_actions = AllowedActionSerializer(
        many=True,
        required=False,
        help_text="with `actions`; empty for others than its players and the event's officials",
    )


class ResultField(serializers.CharField):
    """A result: a score, `1-0`, `0-1`, `1/2`; which ones, says the service for each game.

    What people type for one on pages, as `1`, `14:7` or `+`, is read as well.
    """

    def to_internal_value(self, data: Any) -> str:
        is_typed = type(data) in (str, int)
        result: str = super().to_internal_value(full_result(str(data)) if is_typed else data)
        return result


BEFORE_HANDICAP: Final = (
    "true: scores are those counted on the board, and the points of the handicap are added to them;"
    " false: the scores have the points of the handicap, as everywhere else and in records"
)


class ClaimedResultSerializer(serializers.Serializer):
    result = ResultField(
        help_text="a score such as 26-25, with the points of the handicap; 1-0 or 0-1 if the loser"
        " resigned or lost on time, which `termination` then says; 1/2 for a draw",
    )
    termination = serializers.ChoiceField(
        CLAIM_TERMINATIONS,
        required=False,
        default=Termination.AGREED,
        help_text="how the game ended; `agreed`, by a score on which both agreed",
    )


class ReportRequestSerializer(serializers.Serializer):
    record = RecordField(required=False)
    claim = ClaimedResultSerializer(required=False)
    seat = SeatField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("record" in attrs) == ("claim" in attrs):
            raise serializers.ValidationError(translated(Text("send either `record` or `claim`")))
        return attrs


class ConfirmationRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        default=None,
        allow_null=True,
        help_text="of the report that is confirmed: 409 if the other side has sent another since",
        style={"help": ""},
    )
    seat = SeatField()


class DisputeRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)
    seat = SeatField()


class RulingRequestSerializer(serializers.Serializer):
    result = ResultField(
        required=False,
        help_text="a score such as 26-25, or 1-0, 0-1, 1/2; 0-0 if both lose a played game; 1-0f,"
        " 0-1f, 0-0f for a forfeit",
    )
    before_handicap = serializers.BooleanField(default=False, help_text=BEFORE_HANDICAP)
    termination = serializers.ChoiceField(
        [
            (ending.value, ending.label)
            for ending in (*CLAIM_TERMINATIONS, RulingTermination.FORFEIT, RulingTermination.RULED)
        ],
        required=False,
        default=RulingTermination.RULED,
        label=_("How it ended"),
    )
    record = RecordField(required=False)
    reason = serializers.CharField(max_length=2000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "record" not in attrs and "result" not in attrs:
            raise serializers.ValidationError(
                translated(Text("send `result`, or a `record` that proves one"))
            )
        token = attrs.get("result", "").removesuffix(FORFEIT_MARK)
        if token == attrs.get("result", "") or token not in (*WIN_TOKENS, BOTH_LOSE_TOKEN):
            return attrs
        if attrs["termination"] not in (RulingTermination.FORFEIT, RulingTermination.RULED):
            detail = Text("a forfeited game was not played, so it did not end otherwise")
            raise serializers.ValidationError({"termination": translated(detail)})
        return attrs | {"result": token, "termination": RulingTermination.FORFEIT.value}


class ArbiterReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)


class ReportSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="its number among the reports of the game, from 1")
    kind = serializers.ChoiceField(Report.Kind.choices)
    seat = OptionalChoiceField(
        [*Seat],
        read_only=True,
        allow_blank=False,
        help_text="the side that it is from; null for an arbiter",
    )
    device = serializers.ChoiceField(
        Report.Device.choices,
        help_text="whose device sent it: a director's if a director issued the token or may rule"
        " the game; a result that only such reports of both sides give has the basis `links`,"
        " that of one side `ruling`",
    )
    outcome = OutcomeField()
    digest = OptionalText(read_only=True, help_text="of the record")
    confirms = serializers.IntegerField(
        source="confirms.version",
        allow_null=True,
        default=None,
        help_text="the version that a confirmation answers, or the ruling that is removed",
    )
    reason = OptionalText(read_only=True, help_text="of a dispute, or of an arbiter")
    received_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(
        allow_null=True, help_text="when the game took it into account; null: not yet"
    )
    record = OptionalText(read_only=True, help_text="as text, with its names and comments")


class ReportAcceptedSerializer(serializers.Serializer):
    report = ReportSerializer()
    task = TaskSerializer(required=False, help_text="settles the game; not in a dry run")


TAG_GAME = "the tag `Game` of the record: the code that is `ruleset` elsewhere"
TAG_BOARD = "the tag `Board` of the record: the size that is `board_size` elsewhere"


class GameRecordSerializer(serializers.Serializer):
    """A record, with the names of its tags in lower case; it can be sent as a record.

    These are names of the format of records: `game` is what the API calls `ruleset`, `board` is
    `board_size`.
    """

    class Meta:
        may_be_absent = ("comments",)

    game = serializers.CharField(help_text=TAG_GAME)
    board = serializers.CharField(help_text=TAG_BOARD)
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField()
    handicap = serializers.DictField(allow_null=True)
    advice = serializers.ChoiceField(list(Seat), allow_null=True)
    setup = serializers.DictField(allow_null=True)
    moves = serializers.ListField(child=serializers.CharField())
    result = serializers.CharField(allow_null=True)
    tags = serializers.DictField(child=serializers.CharField())
    comments = serializers.ListField(child=serializers.DictField(), required=False)


class AlternativeScoreSerializer(serializers.Serializer):
    """The lead of the first seat: its peries less the second seat's, and REWARD."""

    score = serializers.IntegerField(
        allow_null=True, help_text="the difference of both scores; null while there is no score"
    )
    bounds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the least and the largest on a full board, with the points of a handicap",
    )
    peries = ScoreSerializer(
        help_text="counted so far, with one more for three or more of the five quarks"
    )
    reward = serializers.IntegerField(
        help_text="REWARD: four for each star that the second seat has more, so far"
    )
    handicap = serializers.IntegerField(
        required=False, help_text="twice the points of the first seat; only if there are some"
    )


class VerdictSerializer(serializers.Serializer):
    """The verdict on one record, as `manage.py referee` prints it; with `errors` only if not valid.

    `game` and `board` are names of the format of records, for `ruleset` and `board_size`.
    """

    valid = serializers.BooleanField()
    game = serializers.CharField(required=False, help_text=TAG_GAME)
    board = serializers.CharField(required=False, help_text=TAG_BOARD)
    plies = serializers.IntegerField(required=False)
    to_move = serializers.ChoiceField(
        list(Seat),
        required=False,
        allow_null=True,
        help_text="null if finished, and in a solitaire",
    )
    state = serializers.ChoiceField(list(State), required=False)
    termination = serializers.CharField(required=False, allow_null=True)
    winner = serializers.ChoiceField(list(Seat), required=False, allow_null=True)
    score = ScoreSerializer(required=False, allow_null=True)
    bounds = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="the least and the largest score of each seat, with the points of a handicap",
    )
    detail = serializers.DictField(
        required=False, allow_null=True, help_text="what is counted on the board so far"
    )
    terms = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        required=False,
        help_text="the terms that add up to the score of each seat; only if the board proves it",
    )
    alternative = AlternativeScoreSerializer(
        required=False, help_text="in the games of *Star, those that go on too"
    )
    digest = serializers.CharField(
        required=False, allow_null=True, help_text="identifies the game; null if nothing ended it"
    )
    draw = serializers.BooleanField(required=False, help_text="only if it is true")
    winner_decided = serializers.ChoiceField(
        list(Seat), required=False, help_text="who wins however an unfinished game goes on"
    )
    claim = serializers.CharField(required=False, help_text="a result that nothing proves")
    errors = serializers.ListField(  # type: ignore[assignment]  # a field is no attribute
        child=serializers.DictField(), required=False
    )


class VerdictsSerializer(serializers.Serializer):
    results = VerdictSerializer(many=True)


VERDICTS = PolymorphicProxySerializer(
    component_name="VerdictOrVerdicts",
    serializers=[VerdictSerializer, VerdictsSerializer],
    resource_type_field_name=None,
)
"""The verdict on one record, or those on several."""


class RefereeRequestSerializer(serializers.Serializer):
    record = RecordField(required=False)
    records = serializers.ListField(
        child=RecordField(),
        required=False,
        max_length=1000,
        help_text="several records; send either this or `record`",
    )


class GameRulesSerializer(serializers.Serializer):
    """The description of a game."""

    code = serializers.CharField()
    name = serializers.CharField()
    players = serializers.IntegerField()
    board_sizes = serializers.ListField(
        child=serializers.CharField(), source="boards", help_text="the usual ones"
    )
    board_names = serializers.DictField(
        child=serializers.CharField(), help_text="what some sizes are called"
    )
    default_board_size = serializers.CharField(
        source="first_board", help_text="that of tournaments, with which forms begin"
    )
    board_size_form = serializers.CharField(source="board_form", help_text="all sizes, in words")
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField(source="swaps", help_text="whether the pie rule can be used")
    notation = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField(  # type: ignore[assignment]  # a field is no attribute
        help_text="the text of the rules"
    )


class RecordLimitsSerializer(serializers.Serializer):
    """The limits of a record."""

    characters = serializers.IntegerField()
    words = serializers.IntegerField()
    word_characters = serializers.IntegerField()
    comments = serializers.IntegerField()
    tags = serializers.IntegerField()
    tag_characters = serializers.IntegerField(help_text="in the value of a tag")
    handicap_stones = serializers.IntegerField()
    handicap_points = serializers.IntegerField()


class RulesSerializer(serializers.Serializer):
    results = GameRulesSerializer(many=True)
    limits = RecordLimitsSerializer()
