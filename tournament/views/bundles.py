"""An event as one file, out of the house and into it."""

from collections.abc import Mapping
from typing import IO, Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import Forbidden
from games.parsers import read_bytes
from games.views.asking import is_dry_run, require_account
from tournament.exports.bundle import write_bundle
from tournament.imports.bundle import import_bundle
from tournament.serializers.tournaments import TournamentShape
from tournament.views.finding import tournament_seen_by
from tournament.views.forms import written
from tournament.views.imports import all_or_nothing


class ZipParser(BaseParser):
    """`application/zip` as the bytes that came, at most a MiB of them."""

    media_type = "application/zip"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The bytes of the body."""
        return read_bytes(stream)


class Bundle(APIView):
    @extend_schema(operation_id="bundle", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Everything that recomputes the event, in one file; for its directors.

        It imports into an empty installation with the same journal head, digests and ratings.
        """
        tournament = tournament_seen_by(request, slug)
        require_account(request, "tournament.edit", stream=tournament.stream)
        return written(write_bundle(tournament), "zip", tournament.slug)


class ImportBundle(APIView):
    parser_classes = [ZipParser]

    @extend_schema(
        operation_id="import_bundle",
        parameters=[OpenApiParameter("dry_run", bool, description="check it, change nothing")],
        request={"application/zip": bytes},
        responses={200: TournamentShape, 201: TournamentShape},
    )
    def post(self, request: Request) -> Response:
        """Take an event from elsewhere, with its ids and its whole journal; for site staff.

        A bundle that is broken, or whose digests differ, is refused whole, its line named.
        Larger ones than a body may be are for `manage.py bundle import`.
        """
        account = require_account(request, "tournament.create")
        if not account.is_staff:
            raise Forbidden("role_missing", "a bundle brings its own ids and journal: site staff")
        content = request.data if isinstance(request.data, bytes) else b""
        with all_or_nothing(request):
            made = import_bundle(content, by=account)
        body = TournamentShape(made).data
        if is_dry_run(request):
            return Response(body)
        headers = {"Location": f"/api/v1/tournaments/{made.slug}"}
        return Response(body, status=201, headers=headers)
