"""What comes into the house: a report as a new event, entries, records, each all or nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.csv_lines import decoded
from games.parsers import BytesParser
from games.views.asking import is_dry_run, require_account
from tournament.imports.entries import import_entries
from tournament.imports.records import import_records
from tournament.imports.reports import import_report
from tournament.serializers.imports import (
    EntriesImported,
    RecordsImported,
    ReportImported,
    ReportSetUp,
)
from tournament.views.finding import tournament_seen_by

DRY_RUN = OpenApiParameter("dry_run", bool, description="show the effect, change nothing")
SET_UP = [
    OpenApiParameter(name, kind, description=told)
    for name, kind, told in (
        ("game", str, "what was played, as star-star (needed)"),
        ("board", str, "on which board (needed)"),
        ("system", str, "the pairing system; else dutch, or round-robin where the report says so"),
        ("slug", str, "else it follows from the name"),
        ("name", str, "else the report's"),
        ("starts_on", str, "else the report's"),
        ("ends_on", str, "else the report's"),
        ("tiebreaks", str, "else the report's: PTS,BH"),
        ("pool", str, "where its games are to be rated"),
        ("rated", bool, "whether its games are rated; they are"),
        ("public", bool, "whether everyone sees it; they do"),
    )
]


class PlainBytes(BytesParser):
    """`text/plain` as the bytes that came, since their encoding is still to be found out."""

    media_type = "text/plain"


@contextmanager
def all_or_nothing(request: Request) -> Iterator[None]:
    """One transaction around an import, undone at the end of a dry run."""
    with transaction.atomic():
        yield
        if is_dry_run(request):
            transaction.set_rollback(True)


def without_ids(lines: list[dict[str, Any]], dry_run: bool) -> list[dict[str, Any]]:
    """The lines of an answer; a dry run names no player that it would have made."""
    if not dry_run:
        return lines
    return [line | ({"player": None} if line["action"] == "created" else {}) for line in lines]


class ImportReport(APIView):
    parser_classes = [PlainBytes]

    @extend_schema(
        operation_id="import_tournament",
        parameters=[*SET_UP, DRY_RUN],
        request={"text/plain": bytes},
        responses={200: ReportImported, 201: ReportImported},
    )
    def post(self, request: Request) -> Response:
        """Make a tournament of a TRF16 or TRF26 report; its results are rulings by import.

        Players are known by FIDE's id, else by name and country; others are registered. Every
        round is paired again, and what the report has otherwise is shown under `rounds`; so are
        places that come out otherwise under `ranks`.
        """
        account = require_account(request, "tournament.create")
        require_account(request, "players.create")
        wanted = ReportSetUp(data={k: v for k, v in request.query_params.items() if v})
        wanted.is_valid(raise_exception=True)
        content = request.data if isinstance(request.data, bytes) else b""
        dry_run = is_dry_run(request)
        with all_or_nothing(request):
            made = import_report(content, by=account, **wanted.validated_data)
        slug = made.tournament.slug
        body = {
            "dry_run": dry_run,
            "tournament": slug,
            "state": made.tournament.state,
            "players": without_ids(made.players, dry_run),
            "rounds": made.rounds,
            "ranks": made.ranks,
            "left_out": made.left_out,
        }
        headers = {} if dry_run else {"Location": f"/api/v1/tournaments/{slug}"}
        return Response(body, status=200 if dry_run else 201, headers=headers)


def _answer(request: Request, work: Callable[[], list[dict[str, Any]]], name: str) -> Response:
    dry_run = is_dry_run(request)
    with all_or_nothing(request):
        lines = work()
    shown = without_ids(lines, dry_run) if name == "lines" else lines
    return Response({"dry_run": dry_run, name: shown}, status=200 if dry_run else 201)


class ImportEntries(APIView):
    parser_classes = [BytesParser]

    @extend_schema(
        operation_id="import_entries",
        parameters=[DRY_RUN],
        request={"text/csv": bytes},
        responses={200: EntriesImported, 201: EntriesImported},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody in a CSV file.

        Columns in any order: `player` (an id), `name`, `country`, `club`, `fide`, `seed_rating`,
        `born` (the year), `sex`, `category`; commas, semicolons or tabs; UTF-8 or latin-1.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        content = request.data if isinstance(request.data, bytes) else b""
        return _answer(request, lambda: import_entries(tournament, content, by=account), "lines")


class ImportRecords(APIView):
    parser_classes = [PlainBytes]

    @extend_schema(
        operation_id="import_records",
        parameters=[DRY_RUN],
        request={"text/plain": bytes},
        responses={200: RecordsImported, 201: RecordsImported},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put every record of a file to its game, as rulings that the records prove.

        A record names its game by the tags `Round` and `Table` (the number of the board), or by
        `First` and `Second`.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "game.rule", stream=tournament.stream)
        text = decoded(request.data if isinstance(request.data, bytes) else b"")
        return _answer(request, lambda: import_records(tournament, text, by=account), "records")
