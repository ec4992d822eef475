"""Imports and the bundle: a TRF file, entries, records or a bundle, each all or nothing."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.core.actions import Call
from games.core.formats import BodyTooLarge, FileFormat
from games.core.permissions import require_account
from games.core.preconditions import Target
from games.core.tables.views import file_response
from games.core.types import described
from games.core.uploads.tasks import import_responses
from games.core.uploads.views import TEXT_FILE, TEXT_PARAMETERS, ImportAction
from games.core.views import ApiView
from games.rules.text import Text
from tournament.core.lookup import tournament_seen_by
from tournament.core.targets import made_tournament
from tournament.events.serializers import ImportedTournamentSerializer
from tournament.exchange.bundle import BUNDLE
from tournament.exchange.bundle_file import write_bundle
from tournament.exchange.serializers import ImportedTrf, TrfSettingsSerializer
from tournament.exchange.trf import TRF_IMPORTER

TRF_EXAMPLE = """\
012 Spring Open
042 2027/04/10
052 2027/04/10
092 Individual: Swiss-System
001    1      Ada                               1900 POR                         1.0    1     2 w 1
001    2      Ben                               1850 CAN                         0.0    2     1 b 0
XXR 1
XXC white1
212 PTS,BH
"""


class ZipParser(BaseParser):
    """Return the bytes of `application/zip`, with a larger limit than other bodies."""

    media_type = "application/zip"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the bytes of the body."""
        body = stream.read(settings.LARGEST_BUNDLE + 1)
        if len(body) > settings.LARGEST_BUNDLE:
            raise BodyTooLarge(
                Text("a bundle has at most %(most)s bytes", most=settings.LARGEST_BUNDLE)
            )
        return body


class BundleFileParser(ZipParser):
    """Return the bytes of `application/octet-stream`."""

    media_type = "application/octet-stream"


class ImportTrf(ImportAction):
    """Create a tournament from a TRF16 or TRF26 file; its results are rulings.

    Players are found as in `players/import`; the others are registered. Ambiguous ones are
    refused (`ambiguous_player`) unless `players` names them.
    The engine pairs every round again: `rounds` lists the differences, and `ranks` the ranks
    that differ from the computed ones. `left_out` names what the service cannot store.
    """

    name = "import_tournament"
    location = "tournaments/{slug}"
    importer = TRF_IMPORTER
    parameters = [TrfSettingsSerializer, *TEXT_PARAMETERS]
    request = TEXT_FILE
    responses = import_responses(described(ImportedTrf))
    is_shown = True
    examples = [
        OpenApiExample(
            "a TRF file of one round", TRF_EXAMPLE, media_type="text/plain", request_only=True
        )
    ]

    def check(self, call: Call, found: None) -> None:
        """Require that the caller may register players as well."""
        require_account(call, "players.create")
        super().check(call, found)

    def made_target(self, call: Call, content: Any) -> Target:
        return made_tournament(content["tournament"]["slug"])


class ImportBundle(ImportAction):
    """Import a tournament with its ids and its whole journal; for site staff.

    A bundle that is invalid, or whose digests differ, is rejected as a whole; the error names
    the line. A bundle has at most 32 MiB and unpacks to at most 128 MiB and 20 times its size,
    unless the service sets other limits; an error such as `bundle_ratio` names the limit.
    """

    name = "import_bundle"
    location = "tournaments/{slug}"
    importer = BUNDLE
    request = {"application/zip": bytes, "application/octet-stream": bytes}
    responses = import_responses(ImportedTournamentSerializer)
    is_shown = True

    def made_target(self, call: Call, content: Any) -> Target:
        return made_tournament(content["slug"])


class ZipFile(FileFormat):
    media_type = "application/zip"
    format = "zip"
    render_style = "binary"


class BundleFile(ApiView):
    permission = "tournament.edit"
    throttle_scope = "dear"
    renderer_classes = [ZipFile]

    @extend_schema(operation_id="export_bundle", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return everything that recomputes the tournament, in one file; for its directors.

        An installation that imports it has the same journal head, digests and results. The year
        of birth and the sex are those of the players whose registration the account keeps.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, self.permission, stream=tournament.stream)
        content = write_bundle(tournament, by=account)
        return file_response(content, "application/zip", f"{tournament.slug}.zip")
