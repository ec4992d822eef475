"""The shapes of imports on their way: the task, and how far it has come."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema_field
from rest_framework import serializers

IMPORT_STATES = ("waiting", "running", "done", "refused", "failed")
PROBLEM = {"$ref": "#/components/schemas/Problem"}


class StepSerializer(serializers.Serializer):
    step = serializers.CharField(help_text="as `reading lines`")
    done = serializers.IntegerField()
    of = serializers.IntegerField()


@extend_schema_field(PROBLEM)
class ProblemField(serializers.DictField):
    """A problem as it would have been answered at once."""


class ImportTaskSerializer(serializers.Serializer):
    """An import on its way. All but `running` and `waiting` are final."""

    id = serializers.CharField()
    state = serializers.ChoiceField(
        IMPORT_STATES, help_text="refused: see `problem`; failed: given up, nothing was imported"
    )
    progress = StepSerializer(allow_null=True, help_text="while it runs")
    result = serializers.DictField(
        allow_null=True, help_text="once it is done: what would have been answered at once"
    )
    problem = ProblemField(allow_null=True)


class ImportAccepted(serializers.Serializer):
    task = ImportTaskSerializer()


TAKEN = OpenApiResponse(
    PROBLEM,
    "Something is there already (`slug_taken`, `ids_taken`), or the event's state forbids it, or"
    " ten imports of the account are on their way (`too_many_imports`).",
)


def import_responses(shape: type[serializers.Serializer]) -> dict[Any, Any]:
    """What an import answers: a dry run, a small file at once, any other by a task."""
    conflict = {(409, "application/problem+json"): TAKEN}
    return {200: shape, 201: shape, 202: ImportAccepted, **conflict}
