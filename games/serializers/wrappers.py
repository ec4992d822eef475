"""Answers that wrap other shapes: a list under `results`, a report with the task it waits for."""

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from games.serializers.games import ReportSerializer, TaskSerializer


def results_of(shape: type[serializers.Serializer]) -> serializers.Serializer:
    """A list that is short enough to need no pages."""
    return inline_serializer(f"{shape.__name__}Results", {"results": shape(many=True)})


class ReportAnswer(serializers.Serializer):
    report = ReportSerializer()
    task = TaskSerializer(allow_null=True, help_text="what settles it; null for a dry run")


ACCEPTED = {200: ReportAnswer, 202: ReportAnswer}
"""What a report answers: settled already (`Prefer: wait`, a dry run), or still to be."""
