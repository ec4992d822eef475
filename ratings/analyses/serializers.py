"""The request of an analysis of a pool."""

from typing import Any

from rest_framework import serializers

from games.core.wrong_values import WrongValue
from games.rules.text import Text
from ratings.analyses.queries import KIND
from ratings.models import Analysis
from ratings.systems.research.fair_play import SIGNIFICANCE_LEVEL


class NewAnalysisSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(Analysis.Kind.choices, help_text=KIND)
    level = serializers.FloatField(
        required=False,
        help_text="of `fair_play`: the probability of any finding if all players are honest,"
        f" between 0 and 1; default: {SIGNIFICANCE_LEVEL}",
    )

    def validate_level(self, level: float) -> float:
        if not 0 < level < 1:
            raise WrongValue(Text("expected 0 < level < 1"))
        return level

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        if body["kind"] == Analysis.Kind.FAIR_PLAY:
            body.setdefault("level", SIGNIFICANCE_LEVEL)
        elif "level" in body:
            raise WrongValue({"level": Text("%(kind)s has no level", kind=body["kind"])})
        return body
