"""What comes into the house: a report as a new event, entries, records, each all or nothing."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.parsers import BytesParser
from games.http.request import is_dry_run, require_account
from games.imports.responses import IMPORT_PARAMETERS, import_response
from games.imports.uploads import Importer, SentFile
from games.serializers.uploads import import_responses
from tournament.imports.importers import ENTRIES, RECORDS, REPORT
from tournament.serializers.imports import (
    EntriesImported,
    RecordsImported,
    ReportImported,
    ReportSetUp,
)
from tournament.views import examples
from tournament.views.lookup import tournament_seen_by

SET_UP = (
    ("game", str, "what was played, as star-star (needed)"),
    ("board", str, "on which board (needed)"),
    ("system", str, "the pairing system; else the one the report tells, or dutch"),
    ("slug", str, "else it follows from the name"),
    ("name", str, "else the report's"),
    ("starts_on", str, "else the report's"),
    ("ends_on", str, "else the report's"),
    ("tiebreaks", str, "else the report's: PTS,BH"),
    ("pool", str, "where its games are to be rated"),
    ("rated", bool, "whether its games are rated; they are"),
    ("public", bool, "whether everyone sees it; they do"),
)
"""What an address may say of an event that its report does not."""


class PlainBytes(BytesParser):
    """`text/plain` as the bytes that came, since their encoding is still to be found out."""

    media_type = "text/plain"


class ImportReport(APIView):
    parser_classes = [PlainBytes]

    @extend_schema(
        operation_id="import_tournament",
        parameters=[
            *(OpenApiParameter(name, kind, description=told) for name, kind, told in SET_UP),
            *IMPORT_PARAMETERS,
        ],
        request={"text/plain": bytes},
        responses=import_responses(ReportImported),
        examples=examples.sent(examples.REPORT, "text/plain", "a report of one round"),
    )
    def post(self, request: Request) -> Response:
        """Make a tournament of a TRF16 or TRF26 report; its results are rulings by import.

        Players are known by FIDE's id, else by name and country; others are registered. Every
        round is paired again, and what the report has otherwise is shown under `rounds`; so are
        places that come out otherwise under `ranks`. What the report tells and no row holds is
        named under `left_out`.
        """
        account = require_account(request, REPORT.action)
        require_account(request, "players.create")
        asked = request.query_params
        parameters = {name: asked[name] for name, *_ in SET_UP if asked.get(name)}
        ReportSetUp(data=parameters).is_valid(raise_exception=True)
        sent = SentFile(
            content=sent_bytes(request),
            by=account,
            parameters=parameters,
            dry_run=is_dry_run(request),
        )
        return import_response(request, REPORT, sent)


class ImportEntries(APIView):
    parser_classes = [BytesParser]

    @extend_schema(
        operation_id="import_entries",
        parameters=IMPORT_PARAMETERS,
        request={"text/csv": bytes},
        responses=import_responses(EntriesImported),
        examples=examples.sent(examples.ENTRIES, "text/csv", "two entries"),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody in a CSV file.

        Columns in any order: `player` (an id), `name`, `country`, `club`, `fide`, `seed_rating`,
        `birth_year`, `sex`, `category`; commas, semicolons or tabs; UTF-8, Windows-1252 or
        latin-1.
        """
        return _into(request, slug, ENTRIES)


class ImportRecords(APIView):
    parser_classes = [PlainBytes]

    @extend_schema(
        operation_id="import_records",
        parameters=IMPORT_PARAMETERS,
        request={"text/plain": bytes},
        responses=import_responses(RecordsImported),
        examples=examples.sent(examples.RECORDS, "text/plain", "the record of a board"),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put every record of a file to its game, as rulings that the records prove.

        A record names its game by the tags `Round` and `Table` (the number of the board), or by
        `First` and `Second`, which outweigh `Table`: an import_responses report tells no boards.
        """
        return _into(request, slug, RECORDS)


def _into(request: Request, slug: str, kind: Importer) -> Response:
    tournament = tournament_seen_by(request, slug)
    account = require_account(request, kind.action, stream=tournament.stream)
    sent = SentFile(
        content=sent_bytes(request),
        by=account,
        stream=tournament.stream,
        dry_run=is_dry_run(request),
    )
    return import_response(request, kind, sent)


def sent_bytes(request: Request) -> bytes:
    """The body, which is empty where nothing was sent."""
    return request.data if isinstance(request.data, bytes) else b""
