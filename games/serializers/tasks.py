"""Serializers of tasks, and the responses of imports."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema_field
from rest_framework import serializers

IMPORT_STATES = ("waiting", "running", "done", "refused", "failed")
PROBLEM_REFERENCE = {"$ref": "#/components/schemas/Problem"}


class TaskSerializer(serializers.Serializer):
    id = serializers.CharField()
    state = serializers.ChoiceField(["waiting", "done", "failed"])
    progress = serializers.FloatField(min_value=0, max_value=1)
    result = serializers.DictField(allow_null=True)


class StepSerializer(serializers.Serializer):
    step = serializers.CharField(help_text="for example `reading lines`")
    done = serializers.IntegerField()
    of = serializers.IntegerField()


@extend_schema_field(PROBLEM_REFERENCE)
class ProblemField(serializers.DictField):
    """The problem that an import in the request would have been answered with."""


class ImportTaskSerializer(serializers.Serializer):
    """A task that imports a file. All states but `running` and `waiting` are final."""

    id = serializers.CharField()
    state = serializers.ChoiceField(
        IMPORT_STATES, help_text="refused: see `problem`; failed: given up, nothing was imported"
    )
    progress = StepSerializer(allow_null=True, help_text="while the task runs")
    result = serializers.DictField(
        allow_null=True, help_text="when done: the response of an import in the request"
    )
    problem = ProblemField(allow_null=True)


class ImportAcceptedSerializer(serializers.Serializer):
    task = ImportTaskSerializer()


CONFLICT = OpenApiResponse(
    PROBLEM_REFERENCE,
    "The name is taken (`slug_taken`), the state of the event does not allow"
    " it, or ten imports of the account are not finished (`too_many_imports`).",
)


def import_responses(serializer_class: type[serializers.Serializer]) -> dict[Any, Any]:
    """Return the responses of an import: a dry run, a small file, and a file for a task."""
    return {
        200: serializer_class,
        201: serializer_class,
        202: ImportAcceptedSerializer,
        (409, "application/problem+json"): CONFLICT,
    }
