"""Serializers of corrections: what is requested, and what it did."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.openapi.types import described
from games.core.serializers import (
    CodeField,
    NamedSerializer,
    OptionalChoiceField,
    PointsTextField,
    RatingField,
    RatingNumberField,
    RecordField,
    validate_text,
)
from games.core.text import translated
from games.core.uploads.tasks import TaskSerializer
from games.play.serializers import ResultField
from games.rules.text import Text
from ratings.core.serializers import ReasonSerializer
from tournament.core.serializers import (
    PUBLIC_REASON,
    EntryReferenceSerializer,
    NumbersSerializer,
)
from tournament.corrections.changes import (
    CORRECTED_BYES,
    CORRECTED_ENTRY_FIELDS,
    RequestedChange,
)
from tournament.corrections.queries import DueRound
from tournament.entries.serializers import EntryValuesSerializer
from tournament.models import Correction
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS
from tournament.results.serializers import WRONG_SCORE
from tournament.rounds.advances import ADVANCE_CHANGES

MOST_CHANGES = 100
FIDE_TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")


class CorrectedItemSerializer(EntryValuesSerializer):
    """A change: `game` with `result` or `record`; `entry` with `round` and `bye`, or its values."""

    game = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    result = ResultField(
        required=False,
        help_text="as in rounds/{n}/results: 26-25, 1-0, 1/2, 0-1f; or `annulled`",
    )
    score = serializers.RegexField(
        r"\A-?\d{1,4}--?\d{1,4}\Z", required=False, error_messages=WRONG_SCORE
    )
    record = RecordField(required=False)
    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    round = serializers.IntegerField(min_value=1, max_value=MOST_TOURNAMENT_ROUNDS, required=False)
    bye = serializers.ChoiceField(CORRECTED_BYES, required=False)
    seed_rating = RatingField(required=False, allow_null=True, label=_("Rating"))
    title = OptionalChoiceField(FIDE_TITLES, label=_("Title"))

    def validate_seed_rating(self, value: int | None) -> int:
        """Return the rating as it is stored, 0 for none."""
        return value or 0

    def validate(self, attrs: dict[str, Any]) -> RequestedChange:
        """Return the change; require exactly one thing to change."""
        columns = {name: attrs.pop(name) for name in CORRECTED_ENTRY_FIELDS if name in attrs}
        names = frozenset(attrs)
        is_game = names in ({"game", "result"}, {"game", "result", "score"}, {"game", "record"})
        is_of_entry = names == ({"entry"} if columns else {"entry", "round", "bye"})
        if not (is_of_entry or (is_game and not columns)):
            raise serializers.ValidationError(
                translated(
                    Text(
                        "a change is `game` with `result` (and `score`) or `record`, `entry` "
                        "with `round` and `bye`, or `entry` with some of %(names)s",
                        names=", ".join(sorted(CORRECTED_ENTRY_FIELDS)),
                    )
                )
            )
        return RequestedChange(**attrs, columns=columns)


class AcceptAdvancesField(serializers.ListField):
    child = CodeField([ADVANCE_CHANGES])

    def __init__(self) -> None:
        super().__init__(
            required=False,
            default=list,
            max_length=1,
            help_text=f"`{ADVANCE_CHANGES}` if other players should have advanced in a bracket",
        )


class DigestField(serializers.RegexField):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            r"\A\d{1,17}\.[0-9a-f]{64}\Z",
            help_text="of the dry run; the effect must still have it",
            **options,
        )


class CorrectionRequestSerializer(serializers.Serializer):
    changes = CorrectedItemSerializer(many=True, allow_empty=False)
    scope = serializers.ChoiceField(
        Correction.Scope.choices,
        required=False,
        default=Correction.Scope.ALL,
        help_text="what takes the correction into account, besides the ratings of games",
    )
    reason = serializers.CharField(
        max_length=240, validators=[validate_text], style={"help": PUBLIC_REASON}
    )
    digest = DigestField(required=False)
    accept = AcceptAdvancesField()

    def validate_changes(self, changes: list[RequestedChange]) -> list[RequestedChange]:
        """Limit the number of changes."""
        if len(changes) > MOST_CHANGES:
            raise serializers.ValidationError(
                translated(Text("a correction has at most %(most)s changes", most=MOST_CHANGES))
            )
        return changes


class UndoRequestSerializer(ReasonSerializer):
    digest = DigestField(required=False)
    accept = AcceptAdvancesField()


class CorrectionChangeSerializer(serializers.Serializer):
    game = serializers.IntegerField(required=False, help_text="its id")
    round = serializers.IntegerField(required=False)
    board = serializers.IntegerField(required=False)
    first = EntryReferenceSerializer(required=False)
    second = EntryReferenceSerializer(required=False)
    entry = EntryReferenceSerializer(required=False)
    before = serializers.DictField(
        required=False, help_text="a result, or the values of an entry that the caller may see"
    )
    after = serializers.DictField(required=False, help_text="the same members afterwards")
    bye = serializers.ListField(
        child=serializers.CharField(allow_null=True), required=False, help_text="before, after"
    )


class ChangedStandingSerializer(serializers.Serializer):
    entry = EntryReferenceSerializer()
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="before, after")
    values = serializers.DictField(
        child=serializers.ListField(child=PointsTextField(allow_null=True)),
        help_text="the values that change, by code: before, after",
    )


class ChangedPrizeSerializer(serializers.Serializer):
    group = serializers.CharField()
    entry = EntryReferenceSerializer()
    place = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    coins = serializers.ListField(child=serializers.IntegerField())


class RatedTournamentSerializer(serializers.Serializer):
    name = serializers.CharField()
    players = serializers.IntegerField(help_text="the number of players whose ratings change")


class ChangedRatingSerializer(serializers.Serializer):
    player = NamedSerializer()
    rating = serializers.ListField(
        child=RatingNumberField(allow_null=True), help_text="before, after; null if unrated"
    )


class RatingEffectSerializer(serializers.Serializer):
    pool = serializers.CharField()
    tournaments = RatedTournamentSerializer(
        many=True, help_text="this tournament and later ones, in order"
    )
    players = ChangedRatingSerializer(many=True)


class ChangedAdvancesSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    paired = NumbersSerializer(many=True, help_text="boards of the round that should not be")
    due = NumbersSerializer(many=True, help_text="boards that it should have instead")
    tied = NumbersSerializer(many=True, help_text="players whose tie is to be decided before it")
    detail = serializers.CharField()


class CorrectionEffectSerializer(serializers.Serializer):
    """What a correction does; values are pairs of before and after."""

    standings = ChangedStandingSerializer(many=True)
    leaders = serializers.ListField(
        child=EntryReferenceSerializer(many=True),
        allow_null=True,
        help_text="who has rank 1: before, after; null of corrections by version 0.2.0",
    )
    rounds = described(DueRound)(
        many=True, help_text="later rounds that the system would pair differently"
    )
    prizes = ChangedPrizeSerializer(many=True)
    ratings = RatingEffectSerializer(
        many=True, help_text="of a tournament that is filed with a pool"
    )
    advances = ChangedAdvancesSerializer(
        allow_null=True, help_text="in a bracket, the first round with wrong players"
    )


class CorrectionPreviewSerializer(serializers.Serializer):
    digest = serializers.CharField(help_text="to commit it")
    changes = CorrectionChangeSerializer(many=True)
    effect = CorrectionEffectSerializer()


class CorrectionSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    scope = serializers.ChoiceField(Correction.Scope.choices)
    reason = serializers.CharField()
    by = serializers.CharField(help_text="as the journal names it: account/17")
    committed_at = serializers.DateTimeField()
    undoes = serializers.IntegerField(allow_null=True, help_text="the correction it reverses")
    undone_by = serializers.IntegerField(allow_null=True)


class CorrectionDetailSerializer(CorrectionSerializer):
    changes = CorrectionChangeSerializer(many=True)
    effect = CorrectionEffectSerializer()


class CorrectionCommittedSerializer(CorrectionDetailSerializer):
    task = TaskSerializer(required=False, help_text="computes the ratings of a rated tournament")
