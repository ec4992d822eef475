"""The journal of a tournament, and the heads of all public journals."""

import json

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.request import can_see_drafts
from games.http.views import ApiView
from games.journal import line_as_json, load_lines
from games.serializers.journal import JournalSerializer
from tournament.queries.heads import public_heads
from tournament.views.lookup import tournament_seen_by


class Journal(ApiView):
    @extend_schema(
        operation_id="journal",
        responses={(200, "application/json"): JournalSerializer,
                   (200, "application/x-ndjson"): OpenApiTypes.STR},
    )  # fmt: skip
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Return the journal of the event; `.ndjson` has one line per row, for verification.

        Only the event's directors see the payloads; the chain can be verified without them.
        """
        tournament = tournament_seen_by(request, slug)
        with_payload = can_see_drafts(request, tournament.stream)
        lines = load_lines(tournament.stream)
        results = [line_as_json(line, with_payload=with_payload) for line in lines]
        if form == "ndjson":
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in results)
            return HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
        last = results[-1] if results else {"digest": "", "sequence": 0}
        return Response(
            {
                "stream": tournament.stream,
                "head": last["digest"],
                "sequence": last["sequence"],
                "results": results,
            }
        )


class Heads(ApiView):
    @extend_schema(operation_id="heads", responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return the heads of all public journals, one per line: stream, sequence, digest.

        Save them: `manage.py verify_journal --heads FILE` reports a journal that was shortened or
        replaced since.
        """
        lines = (f"{head}\n" for head in public_heads())
        return StreamingHttpResponse(lines, content_type="text/plain; charset=utf-8")
