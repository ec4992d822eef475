"""An event's journal, for everyone to check and for its directors to read."""

import json

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.request import can_see_drafts
from games.journal.lines import line_as_json, load_lines
from games.serializers.journal import JournalSerializer
from tournament.views.lookup import tournament_seen_by


class Journal(APIView):
    @extend_schema(
        operation_id="journal",
        responses={(200, "application/json"): JournalSerializer,
                   (200, "application/x-ndjson"): OpenApiTypes.STR},
    )  # fmt: skip
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Every line of the event's chain, in order; `.ndjson` a line each, to verify elsewhere.

        What the lines tell (`payload`) is shown to the event's directors; the chain can be
        checked without it.
        """
        tournament = tournament_seen_by(request, slug)
        told = can_see_drafts(request, tournament.stream)
        lines = load_lines(tournament.stream)
        shown = (line_as_json(line, with_payload=told) for line in lines)
        if form == "ndjson":
            text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in shown)
            return HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
        results = list(shown)
        head = results[-1]["digest"] if results else ""
        return Response({"stream": tournament.stream, "head": head, "results": results})
