"""Serializers of pools, runs, officers and batches.

Serializers of rating lists and changes; ratings are decimals as text.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.forms import split_items
from games.core.serializers import NamedSerializer, validate_text
from games.core.text import translated
from games.models.time_controls import TimeClass
from games.rules.text import Text
from ratings.models import Batch, BatchGame, Pool
from ratings.systems.intervals import INTERVAL_METHOD

POLICY_HELP = _(
    "All events: a game only if both players agreed beforehand. Approved events: those that an"
    " officer approves, or whose organiser is approved."
)
LEAST_EXPECTED = _(
    "In percent. A game is not rated if a player's expected score, by the ratings at the pairing"
    " and the handicap, is smaller; 0: all are rated."
)

PRESET = (
    "`decay`: K falls with the number of games; `fixed`: one K; `fide-2024`: FIDE's regulations,"
    " month by month"
)


RATED_GAMES = (
    'the boards of each game that is rated, by the codes of games: `{"hex": ["11"]}`; without'
    " boards all of the game, empty: every game. It applies to games that are filed later"
)


class RatedGamesField(serializers.DictField):
    """Games with their boards; the service knows which of them exist."""

    child = serializers.ListField(child=serializers.CharField(max_length=32), max_length=40)

    def read_text(self, text: str) -> dict[str, list[str]]:
        """Return the games of a form: on each line a game and its boards."""
        games: dict[str, list[str]] = {}
        for line in text.splitlines():
            code, *boards = split_items(line.replace(":", " ")) or [""]
            if code:
                games[code] = games.get(code, []) + boards
        return games

    def shown_text(self, games: Mapping[str, Sequence[str]]) -> str:
        """Return the text that `read_text` reads."""
        return "\n".join(" ".join((code, *boards)) for code, boards in games.items())

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            label=_("Games that are rated"),
            help_text=RATED_GAMES,
            style={
                "base_template": "textarea.html",
                "help": _(
                    "One game a line: its code and its boards, such as “hex 11 13”; without boards"
                    " all of them. Empty: every game. It applies to games that are filed later."
                ),
            },
            **options,
        )


TIME_CLASSES_HELP = (
    "the time classes of the games that are rated, others have the code `wrong_time_class`; empty:"
    " every game, also without a stated time. It applies to games that are filed later"
)


class TimeClassesField(serializers.ListField):
    """Time classes, in any order."""

    child = serializers.ChoiceField([(name.value, name.label) for name in TimeClass])

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            max_length=len(TimeClass),
            label=_("Time classes that are rated"),
            help_text=TIME_CLASSES_HELP,
            style={
                "help": _(
                    "None: every game, also without a stated time. It applies to games that are"
                    " filed later."
                )
            },
            **options,
        )


POLICY: dict[str, Any] = {"label": _("Events that are rated"), "help_text": POLICY_HELP}
LEAST: dict[str, Any] = {
    "label": _("Least expected score"),
    "help_text": LEAST_EXPECTED,
    "min_value": 0,
    "max_value": 49,
}


class RunSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    engine_version = serializers.IntegerField()
    parameter_digest = serializers.CharField()
    input_digest = serializers.CharField()
    from_batch = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    made_current_at = serializers.DateTimeField(allow_null=True)


class PoolSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    preset = serializers.CharField()
    parameters = serializers.DictField(child=serializers.IntegerField())
    handicap_table = serializers.CharField(
        help_text="version of the handicap values: the project's priors, not measurements"
    )
    casual_games = serializers.ListField(child=serializers.CharField())
    policy = serializers.ChoiceField(Pool.Policy.choices, help_text=POLICY_HELP)
    rated_games = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text=RATED_GAMES
    )
    time_classes = TimeClassesField()
    least_expected = serializers.IntegerField(help_text=LEAST_EXPECTED)
    grace_days = serializers.IntegerField(
        help_text="an event takes effect at its end, but at most so many days before its creation"
    )
    casual_games_per_day = serializers.IntegerField(
        help_text="casual games of the same two players that are rated on a day (UTC)"
    )
    run = RunSerializer(allow_null=True)


class NewPoolSerializer(serializers.ModelSerializer[Pool]):
    parameters = serializers.DictField(
        child=serializers.JSONField(),
        required=False,
        default=dict,
        help_text="whole numbers: k0, kmin, n0, start; of `fide-2024`: limit_400 (1:"
        " differences above 400 count as 400 for players below 2650; 0: for no player)",
    )
    casual_games = serializers.ListField(
        child=serializers.CharField(max_length=32), required=False, default=list, max_length=40
    )
    rated_games = RatedGamesField(default=dict)
    time_classes = TimeClassesField(default=list)

    class Meta:
        model = Pool
        fields = [
            "code",
            "name",
            "preset",
            "parameters",
            "casual_games",
            "policy",
            "rated_games",
            "time_classes",
            "least_expected",
        ]
        extra_kwargs = {
            "code": {
                "label": _("Code in addresses"),
                "help_text": _("Letters, digits and hyphens, as in /pools/star; it never changes."),
            },
            "name": {"label": _("Name")},
            "preset": {
                "label": _("System"),
                "help_text": PRESET,
                "style": {"help": _("It never changes; another system needs another pool.")},
            },
            "policy": POLICY,
            "least_expected": LEAST,
        }


class PoolChangeSerializer(serializers.Serializer):
    policy = serializers.ChoiceField(Pool.Policy.choices, required=False, **POLICY)
    rated_games = RatedGamesField()
    time_classes = TimeClassesField()
    least_expected = serializers.IntegerField(required=False, **LEAST)
    handicap_table = serializers.CharField(
        max_length=12,
        required=False,
        label=_("Table of handicaps"),
        help_text=_("The version of the handicap values, as v1."),
    )

    def validate(self, changes: dict[str, Any]) -> dict[str, Any]:
        """Reject a body without a change."""
        if not changes:
            names = "policy, rated_games, time_classes, least_expected or handicap_table"
            raise serializers.ValidationError(translated(Text("expected %(names)s", names=names)))
        return changes


class OfficerSerializer(serializers.Serializer):
    """An account, without its email."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class NewOfficerSerializer(serializers.Serializer):
    account = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="the id, as in `me`"
    )


class DecisionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240,
        required=False,
        allow_blank=True,
        default="",
        validators=[validate_text],
        help_text="`refuse` needs one",
    )


class ReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240, validators=[validate_text])


class BackdateSerializer(ReasonSerializer):
    effective_at = serializers.DateTimeField(help_text="not in the future")


class OrganiserSerializer(serializers.Serializer):
    organiser = OfficerSerializer()
    approved = serializers.BooleanField()
    reason = serializers.CharField()
    decided_at = serializers.DateTimeField()


class BatchSerializer(serializers.Serializer):
    """A batch; one that is waiting or refused has no place in the order of the pool."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Batch.Kind.choices)
    stream = serializers.CharField()
    name = serializers.CharField(help_text="of the event; empty for a casual game")
    organiser = OfficerSerializer(allow_null=True)
    state = serializers.ChoiceField(Batch.State.choices)
    approved = serializers.BooleanField(
        help_text="the officers approved the event or its organiser; else both players must agree"
    )
    reason = serializers.CharField(help_text="of the last officer who changed the batch")
    effective_at = serializers.DateTimeField()
    filed_at = serializers.DateTimeField()
    games = serializers.IntegerField()
    excluded = serializers.DictField(
        child=serializers.IntegerField(), help_text="the number of games that each code excludes"
    )
    run = serializers.IntegerField(
        allow_null=True, help_text="the run that rated it in its present form"
    )


class RankedPlayerSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()


class IntervalSerializer(serializers.Serializer):
    low = serializers.IntegerField()
    high = serializers.IntegerField()


class PlayerRatingSerializer(serializers.Serializer):
    rating = serializers.CharField(help_text="points, three decimals")
    interval = IntervalSerializer(help_text=INTERVAL_METHOD)
    games = serializers.IntegerField()
    provisional = serializers.BooleanField(help_text="fewer than ten games")
    inactive = serializers.BooleanField(help_text="no game for twelve months")
    last_game_at = serializers.DateTimeField()


class RatingSerializer(PlayerRatingSerializer):
    rank = serializers.IntegerField()
    player = RankedPlayerSerializer()


class PlaceSerializer(RatingSerializer):
    rank = serializers.IntegerField(allow_null=True, help_text="null: not on the list")
    rules = serializers.DictField(
        child=serializers.CharField(),
        help_text="who is on the list, and what rank and interval mean, in words",
    )


class PoolRatingSerializer(PlayerRatingSerializer):
    pool = serializers.CharField()


class GameReferenceSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    event = serializers.CharField()
    round = serializers.CharField()
    played_on = serializers.DateField(allow_null=True)


class BandSerializer(serializers.Serializer):
    expected_at_pairing = serializers.CharField(
        allow_null=True,
        help_text="six decimals, by the ratings at pairing; null if a player had none",
    )
    least = serializers.CharField(help_text="the limit of the pool now, six decimals")
    most = serializers.CharField()


class ChangeSerializer(serializers.Serializer):
    pool = serializers.CharField()
    run = serializers.IntegerField()
    game = GameReferenceSerializer()
    effective_at = serializers.DateTimeField()
    seat = serializers.ChoiceField(["first", "second"])
    opponent = NamedSerializer()
    score = serializers.ChoiceField(["1", "0.5", "0"])
    before = serializers.CharField(help_text="the rating before the batch")
    opponent_before = serializers.CharField()
    handicap_part = serializers.CharField(help_text="the value of the conditions, in points")
    expected = serializers.CharField(help_text="six decimals")
    k = serializers.CharField()
    band = BandSerializer(
        help_text="a game whose expected score at pairing was outside the limits is not rated"
    )
    explanation = serializers.CharField(help_text="why K is what it is, in words")
    change = serializers.CharField(help_text="the exact share of this game, nine decimals")
    after = serializers.CharField(help_text="the rating after the batch")


class PlayerRatingChangeSerializer(ChangeSerializer):
    player = serializers.IntegerField()


class RatingAfterRunSerializer(serializers.Serializer):
    rating = serializers.CharField(help_text="points, three decimals")
    games = serializers.IntegerField()


class RatingDifferenceSerializer(serializers.Serializer):
    """A rating is null if the player has none after that run."""

    player = NamedSerializer()
    before = RatingAfterRunSerializer(allow_null=True)
    after = RatingAfterRunSerializer(allow_null=True)
    difference = serializers.CharField(allow_null=True, help_text="points, three decimals")


class GameRatingSerializer(serializers.Serializer):
    pool = serializers.CharField()
    state = serializers.ChoiceField(["pending", "rated", "excluded"])
    exclusion = serializers.ChoiceField(
        BatchGame.Exclusion.choices, allow_null=True, help_text="the code of why it is not rated"
    )
    reason = serializers.CharField(help_text="why it is not rated, in words; else empty")
    changes = PlayerRatingChangeSerializer(many=True)
