"""Serializers of the settings of pools, and of their officers."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import IdField
from games.core.wrong_values import WrongValue
from games.models.time_controls import TimeClass
from games.rules.text import Text
from ratings.core.conditions import table_choices
from ratings.models import Pool
from ratings.pools.queries import CASUAL_RULESETS, RATED_GAMES, TIME_CLASSES

POLICY_HELP = _(
    "All events: a game only if both players agreed beforehand. Approved events: those that an"
    " officer approves, or whose organiser is approved."
)


LEAST_EXPECTED = _(
    "In percent. A game is not rated if a player's expected score, by the ratings at the pairing"
    " and the handicap, is smaller; 0: all are rated."
)


PRESET = (
    "`floor`, the default: K falls fast with the number of games, from 180 to 10; `settling`: from"
    " 200 to 1; `decay`: K falls from 100 to 12; `fixed`: one K; `fide-2024`: FIDE's regulations,"
    " month by month"
)


class RatedGamesField(serializers.DictField):
    """Games with their boards; the service knows which of them exist."""

    child = serializers.ListField(child=serializers.CharField(max_length=32), max_length=40)

    def __init__(self, **options: Any) -> None:
        super().__init__(
            source="rated_games",
            label=_("Games that are rated"),
            help_text=RATED_GAMES,
            style={
                "help": _(
                    "All of them are rated on one scale, so a player's results in one count as"
                    " those in another. A game without sizes is rated on all its boards. It"
                    " applies to games that are filed later."
                )
            },
            **options,
        )


class TimeClassesField(serializers.ListField):
    """Time classes, in any order."""

    child = serializers.ChoiceField([(name.value, name.label) for name in TimeClass])

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=len(TimeClass),
            label=_("Time classes that are rated"),
            help_text=TIME_CLASSES,
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


class NewPoolSerializer(serializers.ModelSerializer[Pool]):
    parameters = serializers.DictField(
        child=serializers.JSONField(),
        default=dict,
        help_text="whole numbers: k0, kmin, n0, start; of `fide-2024`: limit_400 (1:"
        " differences above 400 count as 400 for players below 2650; 0: for no player)",
    )
    casual_rulesets = serializers.ListField(
        child=serializers.CharField(max_length=32),
        default=list,
        max_length=40,
        source="casual_games",
        help_text=CASUAL_RULESETS,
    )
    rated_rulesets = RatedGamesField()
    time_classes = TimeClassesField(default=list)

    class Meta:
        model = Pool
        fields = [
            "code", "name", "preset", "parameters", "casual_rulesets", "policy", "rated_rulesets",
            "time_classes", "least_expected",
        ]  # fmt: skip
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
    rated_rulesets = RatedGamesField(required=False)
    time_classes = TimeClassesField(required=False)
    least_expected = serializers.IntegerField(required=False, **LEAST)
    handicap_table = serializers.CharField(
        max_length=12,
        required=False,
        label=_("Table of handicaps"),
        help_text=_("The version of the handicap values, as v1."),
        style={"base_template": "select.html", "choices": table_choices, "help": ""},
    )

    def validate(self, changes: dict[str, Any]) -> dict[str, Any]:
        if not changes:
            names = "policy, rated_rulesets, time_classes, least_expected or handicap_table"
            raise WrongValue(Text("expected %(names)s", names=names))
        return changes


class NewOfficerSerializer(serializers.Serializer):
    account_id = IdField(help_text="as in `me`")
