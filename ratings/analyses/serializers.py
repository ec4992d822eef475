"""Serializers of the analyses of a pool."""

from typing import Any

from rest_framework import serializers

from games.core.text import translated
from games.core.uploads.tasks import StepSerializer
from games.rules.text import Text
from ratings.analyses.queries import AnalysisState
from ratings.core.serializers import OfficerSerializer
from ratings.models import Analysis
from ratings.systems.research.fair_play import SIGNIFICANCE_LEVEL

KIND = (
    "`calibration`: the values of handicaps by the games, beside those of the table in force;"
    " `fair_play`: results that are improbable for honest players"
)


class NewAnalysisSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(Analysis.Kind.choices, help_text=KIND)
    level = serializers.FloatField(
        required=False,
        help_text="of `fair_play`: the probability of any finding if all players are honest,"
        f" between 0 and 1; default: {SIGNIFICANCE_LEVEL}",
    )

    def validate_level(self, level: float) -> float:
        """Reject a level that is no probability."""
        if not 0 < level < 1:
            raise serializers.ValidationError(translated(Text("expected 0 < level < 1")))
        return level

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        """Reject a level of another kind."""
        if body["kind"] == Analysis.Kind.FAIR_PLAY:
            body.setdefault("level", SIGNIFICANCE_LEVEL)
        elif "level" in body:
            raise serializers.ValidationError(
                {"level": translated(Text("%(kind)s has no level", kind=body["kind"]))}
            )
        return body


class AnalysisSummarySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    pool = serializers.CharField()
    kind = serializers.ChoiceField(Analysis.Kind.choices, help_text=KIND)
    parameters = serializers.DictField(child=serializers.FloatField())
    by = OfficerSerializer(allow_null=True, help_text="who requested it")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(AnalysisState.choices)
    progress = StepSerializer(allow_null=True, help_text="while its task runs")


class AnalysisProblemSerializer(serializers.Serializer):
    code = serializers.CharField(
        help_text="not_estimable: the games do not determine the values; given_up: the task failed"
    )
    detail = serializers.CharField()


class AnalysisSerializer(AnalysisSummarySerializer):
    result = serializers.DictField(
        allow_null=True,
        help_text="when done: estimates beside the table, or findings with their games",
    )
    problem = AnalysisProblemSerializer(allow_null=True, help_text="when failed")
