"""Imports and the bundle: a TRF file, entries, records or a bundle, each all or nothing."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games.http.documents import file_response
from games.http.parsers import BodyTooLarge, BytesParser, FileParser, TextBytesParser
from games.http.request import is_dry_run, require_account
from games.http.views import ApiView
from games.imports.responses import (
    CSV_PARAMETERS,
    IMPORT_PARAMETERS,
    csv_parameters,
    import_response,
)
from games.imports.uploads import Importer, SentFile
from games.rules.text import Text
from games.serializers.tasks import import_responses
from tournament.imports.bundle import BUNDLE
from tournament.imports.bundle.writing import write_bundle
from tournament.imports.entries import ENTRIES_IMPORTER
from tournament.imports.records import RECORDS_IMPORTER
from tournament.imports.trf import TRF_IMPORTER
from tournament.serializers.imports import (
    ImportedEntriesSerializer,
    ImportedRecordsSerializer,
    ImportedTrfSerializer,
    TrfSettingsSerializer,
)
from tournament.serializers.tournaments import TournamentSerializer
from tournament.views import examples
from tournament.views.lookup import require_tournament


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


def import_schema(
    operation_id: str, media_type: str, answer: type[Serializer], **extra: Any
) -> Any:
    """Describe an import in the schema."""
    common = CSV_PARAMETERS if media_type == "text/csv" else IMPORT_PARAMETERS
    return extend_schema(
        operation_id=operation_id,
        parameters=[*extra.pop("parameters", ()), *common],
        request={media_type: bytes, "application/octet-stream": bytes},
        responses=import_responses(answer),
        **extra,
    )


def import_body(
    request: Request, kind: Importer, *, slug: str = "", parameters: Mapping[str, Any] | None = None
) -> Response:
    """Import the body, into the tournament of `slug` if there is one."""
    stream = ""
    if slug:
        tournament, account = require_tournament(request, slug, kind.action)
        stream = tournament.stream
    else:
        account = require_account(request, kind.action)
    upload = SentFile(
        content=request.data if isinstance(request.data, bytes) else b"",
        by=account,
        stream=stream,
        parameters=parameters or {},
        dry_run=is_dry_run(request),
    )
    return import_response(request, kind, upload)


class ImportTrf(ApiView):
    throttle_scope = "import"
    write_parameters = (*ApiView.write_parameters, *TrfSettingsSerializer().fields)

    parser_classes = [TextBytesParser, FileParser]

    @import_schema(
        "import_tournament",
        "text/plain",
        ImportedTrfSerializer,
        parameters=[TrfSettingsSerializer],
        examples=examples.request_example(
            examples.TRF_EXAMPLE, "text/plain", "a TRF file of one round"
        ),
    )
    def post(self, request: Request) -> Response:
        """Create a tournament from a TRF16 or TRF26 file; its results are rulings.

        Players are found as in `players/import`; the others are registered. Ambiguous ones are
        refused (`ambiguous_player`) unless `players` names them.
        The engine pairs every round again: `rounds` lists the differences, and `ranks` the ranks
        that differ from the computed ones. `left_out` names what the service cannot store.
        """
        require_account(request, "players.create")
        names, query = TrfSettingsSerializer().fields, request.query_params
        parameters = {name: value for name, value in query.items() if value and name in names}
        TrfSettingsSerializer(data=parameters).is_valid(raise_exception=True)
        return import_body(request, TRF_IMPORTER, parameters=parameters)


class ImportEntries(ApiView):
    throttle_scope = "import"
    write_parameters = (*ApiView.write_parameters, "columns")

    parser_classes = [BytesParser, FileParser]

    @import_schema(
        "import_entries",
        "text/csv",
        ImportedEntriesSerializer,
        examples=examples.request_example(examples.ENTRIES_EXAMPLE, "text/csv", "two entries"),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter the players of a CSV file.

        The columns of `players/import`, and `category`. Each line is another person, found or
        refused as there.
        """
        return import_body(request, ENTRIES_IMPORTER, slug=slug, parameters=csv_parameters(request))


class ImportRecords(ApiView):
    throttle_scope = "import"

    parser_classes = [TextBytesParser, FileParser]

    @import_schema(
        "import_records",
        "text/plain",
        ImportedRecordsSerializer,
        examples=examples.request_example(
            examples.RECORDS_EXAMPLE, "text/plain", "the record of one board"
        ),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add each record of a file to its game, as a ruling that the record proves.

        A record names its game by the tags `Round` and `Table` (the board number), or by `First`
        and `Second`, which take precedence over `Table`: a TRF file contains no board numbers.
        """
        return import_body(request, RECORDS_IMPORTER, slug=slug)


class ImportBundle(ApiView):
    throttle_scope = "import"

    parser_classes = [ZipParser, BundleFileParser]

    @import_schema("import_bundle", "application/zip", TournamentSerializer)
    def post(self, request: Request) -> Response:
        """Import a tournament with its ids and its whole journal; for site staff.

        A bundle that is invalid, or whose digests differ, is rejected as a whole; the error names
        the line. A bundle has at most 32 MiB and unpacks to at most 128 MiB and 20 times its size,
        unless the service sets other limits; an error such as `bundle_ratio` names the limit.
        """
        return import_body(request, BUNDLE)


class BundleFile(ApiView):
    is_public = False
    throttle_scope = "bundle"

    @extend_schema(operation_id="bundle", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return everything that recomputes the tournament, in one file; for its directors.

        An installation that imports it has the same journal head, digests and results.
        """
        tournament, _ = require_tournament(request, slug, "tournament.edit")
        return file_response(write_bundle(tournament), "application/zip", f"{tournament.slug}.zip")
