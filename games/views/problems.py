"""The codes of problems: each with its cause and its remedy."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer
from games.core.tables.views import CSV, HTML, NegotiatedView
from games.http.problem_types import problem_types, problems_document
from games.rules.text import Text


class ProblemTypeSerializer(serializers.Serializer):
    code = serializers.CharField()
    statuses = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="of the problems with this code; none if it is in `errors[]` only",
    )
    cause = serializers.CharField()
    remedy = serializers.CharField()


class ProblemTypesSerializer(serializers.Serializer):
    results = ProblemTypeSerializer(many=True)


class ProblemList(NegotiatedView):
    renderer_classes = [JsonRenderer, CsvRenderer, HtmlRenderer]

    @extend_schema(
        operation_id="problems",
        responses={(200, "application/json"): ProblemTypesSerializer} | CSV | HTML,
    )
    def get(self, request: Request, format: str | None = None) -> HttpResponse:
        """Return every code of a problem, with its cause and its remedy."""
        found = list(problem_types().values())
        body = {"results": [each.as_json() for each in found]}
        return self.render(problems_document(found, title="Problems", body=body), "problems")


class ProblemView(NegotiatedView):
    renderer_classes = [JsonRenderer, CsvRenderer, HtmlRenderer]

    @extend_schema(
        operation_id="problem",
        responses={(200, "application/json"): ProblemTypeSerializer} | CSV | HTML,
    )
    def get(self, request: Request, code: str, format: str | None = None) -> HttpResponse:
        """Return the cause and the remedy of a code; `type` of a problem is this address."""
        found = problem_types().get(code)
        if found is None:
            raise NotFound(
                "not_found", Text("no problem has the code %(code)s", code=f"{code[:40]!r}")
            )
        document = problems_document([found], title=code, body=found.as_json())
        return self.render(document, f"problem-{code}")
