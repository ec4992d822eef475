"""An event as one file, out of the house and into it."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.parsers import BodyTooLarge
from games.http.request import is_dry_run, require_account
from games.imports.responses import IMPORT_PARAMETERS, import_response
from games.imports.uploads import SentFile
from games.serializers.uploads import import_responses
from tournament.imports.bundle.writing import write_bundle
from tournament.imports.importers import BUNDLE
from tournament.serializers.tournaments import TournamentSerializer
from tournament.views.imports import sent_bytes
from tournament.views.lookup import tournament_seen_by
from tournament.views.negotiation import written


class ZipParser(BaseParser):
    """`application/zip` as the bytes that came; larger ones than other bodies may be."""

    media_type = "application/zip"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The bytes of the body."""
        body = stream.read(settings.LARGEST_BUNDLE + 1)
        if len(body) > settings.LARGEST_BUNDLE:
            raise BodyTooLarge(f"a bundle has at most {settings.LARGEST_BUNDLE} bytes")
        return body


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
        parameters=IMPORT_PARAMETERS,
        request={"application/zip": bytes},
        responses=import_responses(TournamentSerializer),
    )
    def post(self, request: Request) -> Response:
        """Take an event from elsewhere, with its ids and its whole journal; for site staff.

        A bundle that is broken, or whose digests differ, is refused whole, its line named.
        It has at most 32 MiB, unless the service is set otherwise.
        """
        account = require_account(request, BUNDLE.action)
        dry_run = is_dry_run(request)
        sent = SentFile(content=sent_bytes(request), by=account, dry_run=dry_run)
        return import_response(request, BUNDLE, sent)
