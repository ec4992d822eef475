"""Serializers of rounds: starts, the check, pairings, changes by hand, versions, explanations."""

from datetime import UTC, datetime, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.serializers import (
    AllowedActionSerializer,
    CodeField,
    ExpectedScoreField,
    MomentField,
    OptionalText,
)
from games.core.text import translated
from games.core.uploads.tasks import TaskSerializer
from games.models import Game
from games.rules.records.handicaps import LONGEST_HANDICAP
from games.rules.text import Text
from tournament.core.serializers import (
    PUBLIC_REASON,
    EntryReferenceSerializer,
    FindingSerializer,
    NumbersSerializer,
    validate_date,
)
from tournament.core.violations import HandPairing
from tournament.models import Pairing, Round
from tournament.pairing.differences import DifferenceCode
from tournament.pairing.relaxations import RELAXATIONS
from tournament.rounds.acceptance import BROKEN_RULES
from tournament.rounds.queries import VERSION_ACTIONS

HIGHEST_NUMBER = 100_000


class PairRequestSerializer(serializers.Serializer):
    relax = serializers.ListField(
        child=CodeField([code.value for code in RELAXATIONS]),
        required=False,
        default=list,
        max_length=len(RELAXATIONS),
        help_text="rules that may give way if there is no legal pairing, as few as possible",
    )
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", help_text="why they may"
    )


class CheckItemSerializer(serializers.Serializer):
    code = serializers.CharField(
        help_text="Blocking: wrong_state, round_open, result_open, no_legal_pairing, "
        "forbidden_pair, tie_undecided, nobody_to_pair, cannot_pair. For information: unnumbered, "
        "absent, odd_number, one_player, byes (of a schedule), preference_given_up, "
        "advance_changes, broken_rule (of a draft set by hand), tiebreak_left_empty, "
        "tiebreak_needs_records, no_recommendation, pool_rates_everything, pool_rates_others, "
        "ranking_without_points, too_many_rounds, too_many_entries, separated_outsiders, "
        "entry_value_missing."
    )
    blocks = serializers.BooleanField()
    detail = serializers.CharField()
    round = serializers.IntegerField(required=False)
    board = serializers.IntegerField(required=False)
    numbers = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="pairing numbers"
    )
    address = serializers.CharField(
        required=False, help_text="of tie_undecided: where the ties are listed and decided"
    )
    rule = serializers.CharField(
        required=False, help_text="the code that `publish` needs in `accept`"
    )
    entries = EntryReferenceSerializer(many=True, required=False)
    boards = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="numbers of boards"
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="of players, by kind of absence"
    )


class CheckSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    ready = serializers.BooleanField(help_text="whether `pair` would succeed")
    items = CheckItemSerializer(many=True)
    bye = EntryReferenceSerializer(allow_null=True, help_text="who would have the bye")
    relax = serializers.ListField(
        child=serializers.CharField(),
        help_text="the `relax` that `pair` needs, the least important rule first",
    )
    relaxations = FindingSerializer(many=True, help_text="the rules that would be broken then")


class CertificateSerializer(serializers.Serializer):
    """A certificate; the response, saved as a file, is the input of `verify_certificate`."""

    system = serializers.CharField()
    edition = serializers.CharField()
    engine = serializers.CharField()
    round = serializers.IntegerField()
    seed = serializers.IntegerField()
    codes = serializers.ListField(child=serializers.CharField())
    options = serializers.DictField()
    preferences = serializers.ListField(child=serializers.ListField())
    exempt = serializers.ListField(child=serializers.ListField())
    exempt_byes = serializers.ListField(child=serializers.IntegerField())
    balance_seats = serializers.BooleanField()
    input = serializers.CharField(help_text="everything that the system reads, as TRF26")
    input_digest = serializers.CharField(help_text="of everything but the output")
    output = serializers.CharField(help_text="a line `first second` for each board, the bye last")
    output_digest = serializers.CharField()


class ExplainRequestSerializer(serializers.Serializer):
    first_number = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_NUMBER, label=_("Pairing number of one player")
    )
    second_number = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_NUMBER, label=_("Pairing number of the other")
    )


class ExplanationSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    first = EntryReferenceSerializer()
    second = EntryReferenceSerializer()
    reason = FindingSerializer(required=False, help_text="once it is computed")
    entries = EntryReferenceSerializer(
        many=True, help_text="with the pairing numbers that the reason has"
    )
    task = TaskSerializer(required=False, help_text="for a large round")


MOST_ROUND_BOARDS = 10_000


class ReturnGameSerializer(serializers.Serializer):
    game = serializers.IntegerField(help_text="its id")
    state = serializers.ChoiceField(Game.State.choices)
    basis = serializers.ChoiceField(Game.Basis.choices, allow_null=True)
    result = serializers.CharField(allow_null=True, help_text="by the seats of this game")
    termination = serializers.CharField(allow_null=True)
    adjourned = serializers.BooleanField()


class RecommendedHandicapSerializer(serializers.Serializer):
    """What the table of handicaps gave for the two players when they were drafted."""

    entry = serializers.IntegerField(
        help_text="the id of that of the weaker player, who has the handicap"
    )
    handicap = serializers.CharField(allow_null=True)
    rating = serializers.IntegerField(help_text="of the weaker player, at that time")
    opponent_rating = serializers.IntegerField()
    basis = serializers.ChoiceField(
        ["ratings", "scores"], help_text="scores: those of McMahon, in rating points"
    )
    value = serializers.IntegerField(help_text="of the handicap to this player, in rating points")
    table = serializers.CharField(help_text="version of the values of handicaps")
    expected = ExpectedScoreField(help_text="of this player with it")
    most = serializers.BooleanField(
        help_text="true if the difference calls for more than can be given"
    )
    reason = serializers.CharField()


class AppliedHandicapSerializer(serializers.Serializer):
    """The handicap with which the game is played: it belongs to the conditions of the game."""

    handicap = serializers.CharField(
        allow_null=True,
        help_text="second 3 stones, second S60 A60 T60, first 2 points, second 3 stones, 2 points, "
        "first move; null for none",
    )
    by_hand = serializers.BooleanField(help_text="a director chose it")
    reason = serializers.CharField(
        allow_null=True, help_text="of the director; else that of the recommendation"
    )


class PairingSerializer(serializers.Serializer):
    board = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(Pairing.Kind.choices)
    by_hand = serializers.BooleanField(
        help_text="set by hand, and different from the engine's pairing"
    )
    first = EntryReferenceSerializer()
    second = EntryReferenceSerializer(allow_null=True)
    game = serializers.IntegerField(allow_null=True, help_text="its id; null without a game")
    state = serializers.ChoiceField(Game.State.choices, allow_null=True)
    basis = serializers.ChoiceField(Game.Basis.choices, allow_null=True)
    result = serializers.CharField(
        allow_null=True, help_text="26-25, 1-0, 0-1, 1/2; a forfeit 1-0f"
    )
    termination = serializers.CharField(allow_null=True)
    adjourned = serializers.BooleanField(help_text="to be continued; without a result so far")
    return_game = ReturnGameSerializer(
        allow_null=True,
        help_text="the second game, with exchanged seats, if there are two in each pairing",
    )
    points = serializers.CharField(
        allow_null=True, help_text="of both games, by the seats of the pairing: 2-0, 1.5-0.5"
    )
    recommended = RecommendedHandicapSerializer(
        allow_null=True, help_text="null without handicaps, and for a player without a rating"
    )
    applied = AppliedHandicapSerializer(
        allow_null=True,
        help_text="null in a tournament without handicaps; a return game has the same points for "
        "the other seat",
    )
    reasons = FindingSerializer(many=True, required=False, help_text="with `?explain=1`")


class DifferenceSerializer(serializers.Serializer):
    code = serializers.ChoiceField([code.value for code in DifferenceCode])
    board = serializers.IntegerField(allow_null=True)
    numbers = serializers.ListField(
        child=serializers.IntegerField(), help_text="pairing numbers; a bye has one"
    )
    engine = NumbersSerializer(many=True, help_text="the engine's boards of these players")


class RoundNoteSerializer(serializers.Serializer):
    code = serializers.CharField(
        help_text="forfeit, decided, level_tie, qualified or preference_given_up"
    )
    entries = EntryReferenceSerializer(many=True)
    values = serializers.DictField(help_text="what the code says in numbers")


STARTS_AT = "with the offset of the tournament's time zone; null without a time"


class RoundPairingsSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    starts_on = serializers.DateField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True, help_text=STARTS_AT)
    system = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    rows = PairingSerializer(many=True)
    notes = RoundNoteSerializer(
        many=True, required=False, help_text="findings of the system for players"
    )
    relaxed = serializers.ListField(
        child=serializers.CharField(),
        help_text="rules that the organiser relaxed, or that a round set by hand breaks",
    )
    violations = FindingSerializer(many=True, required=False, help_text="of pairings set by hand")
    differences = DifferenceSerializer(
        many=True, required=False, help_text="between pairings set by hand and the engine's"
    )
    entries = EntryReferenceSerializer(
        many=True, required=False, help_text="with the pairing numbers that the reasons have"
    )
    task = TaskSerializer(
        required=False, help_text="the task that computes the reasons of a large round"
    )


HANDICAP_WORDS: Final = gettext_noop(
    "In English words: second 3 stones, first 2 points, first move, or none."
)


class HandicapField(serializers.CharField):
    """The handicap of a board: `none` or null for none; the recommended one if it is omitted."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            max_length=LONGEST_HANDICAP,
            help_text="second 3 stones, second S60 A60 T60, first 2 points, second 3 stones, 2 "
            "points, first move or none; if omitted, the "
            "recommended one in the seats that it needs, or for the same two players the former",
            style={"help": HANDICAP_WORDS},
        )

    def to_internal_value(self, data: Any) -> str:
        """Return the handicap, empty for none."""
        handicap: str = super().to_internal_value(data)
        return "" if handicap == "none" else handicap


class BoardRequestSerializer(serializers.Serializer):
    first_id = serializers.IntegerField(
        source="first", min_value=1, max_value=2**63 - 1, help_text="the id of an entry"
    )
    second_id = serializers.IntegerField(
        source="second",
        min_value=1,
        max_value=2**63 - 1,
        required=False,
        allow_null=True,
        default=None,
    )
    bye = serializers.ChoiceField(
        [kind for kind in Pairing.Kind.values if kind != "game"],
        required=False,
        default=Pairing.Kind.PAIRING_BYE,
    )
    handicap = HandicapField()

    def validate(self, board: dict[str, Any]) -> HandPairing:
        """Return the pairing; reject a bye with a handicap."""
        if board.get("handicap") and board["second"] is None:
            raise serializers.ValidationError(translated(Text("a bye has no handicap")))
        if "handicap" in board:
            board["handicap"] = board["handicap"] or ""
        return HandPairing(**board | {"bye": Pairing.Kind(board["bye"])})


def require_few_boards(boards: list[Any]) -> list[Any]:
    """Return the boards; raise ValidationError for more than a round can have."""
    if len(boards) > MOST_ROUND_BOARDS:
        raise serializers.ValidationError(
            translated(Text("a round has at most %(most)s boards", most=MOST_ROUND_BOARDS))
        )
    return boards


class ByHandRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})
    pairings = BoardRequestSerializer(many=True, allow_empty=False)

    def validate_pairings(self, boards: list[HandPairing]) -> list[HandPairing]:
        """Limit the number of boards."""
        return require_few_boards(boards)


class BoardChangeSerializer(BoardRequestSerializer):
    board = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUND_BOARDS,
        required=False,
        allow_null=True,
        default=None,
        help_text="required for two players; a new board has the next number",
    )

    def validate(self, board: dict[str, Any]) -> HandPairing:
        """Require a board number for two players, and none for a bye."""
        if (board["board"] is None) != (board["second"] is None):
            raise serializers.ValidationError(
                translated(Text("two players need a board number, and a bye has none")),
                code="board_needed",
            )
        return super().validate(board)


class AcceptField(serializers.ListField):
    """The codes of what the caller accepts."""

    child = CodeField(BROKEN_RULES)

    def __init__(self) -> None:
        super().__init__(
            required=False,
            default=list,
            max_length=20,
            help_text="the codes of the rules that the round may break, as `acceptance_needed` "
            "lists them; also `game_reported`: games with reports become void",
        )


class BoardChangesSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})
    boards = BoardChangeSerializer(many=True, allow_empty=False)
    accept = AcceptField()

    def validate_boards(self, boards: list[HandPairing]) -> list[HandPairing]:
        """Limit the number of boards."""
        return require_few_boards(boards)


MOST_VERSIONS = 32_767


class RoundSerializer(serializers.ModelSerializer[Round]):
    system = OptionalText(read_only=True)
    reason = OptionalText(read_only=True)
    relaxed = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="rules that the organiser relaxed, or that a round set by hand breaks",
    )

    class Meta:
        model = Round
        extra_kwargs = {"starts_at": {"help_text": STARTS_AT}}
        fields = [
            "number", "state", "version", "system", "reason", "relaxed", "starts_on",
            "starts_at", "published_at", "completed_at",
        ]  # fmt: skip


class RoundDetailSerializer(RoundSerializer):
    allowed_actions = AllowedActionSerializer(
        many=True,
        required=False,
        help_text="with `actions`; empty for others than the tournament's directors",
    )

    class Meta(RoundSerializer.Meta):
        fields = [*RoundSerializer.Meta.fields, "allowed_actions"]
        may_be_absent = ("allowed_actions",)


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
            raise serializers.ValidationError(translated(detail))
        return time


class RoundRequestSerializer(serializers.Serializer):
    """The start of a round: a date, or a date and time."""

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

    def validate(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return a date, or a date and time; neither, as null, has no start."""
        given = {name: value for name, value in content.items() if value is not None}
        if not content or len(given) > 1:
            raise serializers.ValidationError(
                translated(Text("send either starts_on or starts_at"))
            )
        return given or {"starts_on": None}


class PublishRequestSerializer(serializers.Serializer):
    accept = AcceptField()


class RoundActionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240,
        required=False,
        allow_blank=True,
        default="",
        help_text="required to reopen a round, and to unpair one that is published",
        style={"help": PUBLIC_REASON},
    )


class RestoreRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(
        min_value=1,
        max_value=MOST_VERSIONS,
        help_text="as `versions` lists it",
        style={"help": ""},
    )
    reason = serializers.CharField(max_length=240, style={"help": PUBLIC_REASON})


class VersionEventSerializer(serializers.Serializer):
    action = serializers.CharField(help_text=", ".join((*VERSION_ACTIONS, "imported")))
    by = serializers.CharField(help_text="as the journal names it: account/17, system")
    at = serializers.DateTimeField()
    reason = OptionalText(read_only=True)


class RoundVersionSerializer(serializers.Serializer):
    version = serializers.IntegerField(help_text="its number in the round, from 1")
    state = serializers.ChoiceField(
        Round.State.choices, help_text="of the round while this version was current"
    )
    is_current = serializers.BooleanField()
    boards = serializers.IntegerField()
    system = OptionalText(read_only=True)
    reason = OptionalText(read_only=True)
    notes = RoundNoteSerializer(many=True)
    relaxed = serializers.ListField(child=serializers.CharField())
    history = VersionEventSerializer(many=True, help_text="oldest first")
