"""The journal of an event, for the API and as a page, and the heads of all public journals.

A line says what happened, when, and which account caused it; the names of accounts and the payloads
are for the officials of the event, so the page has names only for them, and no payloads.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.core.formats import NdjsonFile, TextFile
from games.core.journal.chain import Head
from games.core.journal.lines import SYSTEM, find_head, line_as_json, load_lines
from games.core.pagination import PAGING, CursorPages
from games.core.permissions import can_see_drafts
from games.core.requests import requested_number, whole_number
from games.core.tables.json import write_ndjson
from games.core.views import ApiView
from games.models import Account, Game, JournalHead, JournalLine
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import EventPage
from tournament.core.queries import visible_tournaments
from tournament.core.texts import KIND_TEXTS
from tournament.exchange.serializers import JournalSerializer
from tournament.models import Tournament

PAGE_SIZE, LARGEST_PAGE = 100, 1000
AFTER_LINE_PARAMETER = OpenApiParameter(
    "after",
    whole_number(0, default=0),
    description="only the lines after the one with this sequence number",
)
LIMIT_PARAMETER = OpenApiParameter(
    "limit",
    whole_number(1, LARGEST_PAGE, default=PAGE_SIZE),
    description="lines of a page; `.ndjson` has all without it",
)


class Journal(ApiView):
    public_read = "slug"
    has_links = True
    renderer_classes = [JSONRenderer, NdjsonFile]
    parameters = (AFTER_LINE_PARAMETER, LIMIT_PARAMETER)

    @extend_schema(operation_id="list_journal", responses=JournalSerializer)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the journal of the tournament in pages, with `next` in the body and in `Link`.

        `.ndjson` has one line per row and no pages unless requested, for verification. Only the
        tournament's officials see the payloads; the chain can be verified without them.
        """
        tournament = tournament_seen_by(request, slug)
        form = request.accepted_renderer.format
        with_payload = can_see_drafts(request, tournament.stream)
        after = requested_number(request, "after", 0, least=0)
        lines = load_lines(tournament.stream).filter(sequence__gt=after)
        is_whole = form == "ndjson" and not request.query_params.get("limit")
        if is_whole:
            page, address = list(lines), None
        else:
            limit = requested_number(request, "limit", PAGE_SIZE, least=1, most=LARGEST_PAGE)
            page = list(lines[: limit + 1])
            address = None
            if len(page) > limit:
                page = page[:limit]
                here = request.build_absolute_uri()
                address = replace_query_param(here, "after", page[-1].sequence)
        results = [line_as_json(line, with_payload=with_payload) for line in page]
        headers = {"Link": f'<{address}>; rel="next"'} if address else None
        if form == "ndjson":
            content_type = "application/x-ndjson; charset=utf-8"
            text = write_ndjson(results)
            return HttpResponse(text, content_type=content_type, headers=headers)
        head = find_head(tournament.stream)
        return Response(
            {
                "tournament": tournament.slug,
                "head": head.digest,
                "sequence": head.sequence,
                "next": address,
                "results": results,
            },
            headers=headers,
        )


class Heads(ApiView):
    is_streamed = True
    renderer_classes = [TextFile]

    @extend_schema(operation_id="get_heads", responses=OpenApiTypes.STR)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return the heads of all public journals, one per line: stream, sequence, digest.

        Save them: `manage.py verify_journal --heads FILE` reports a journal that was shortened or
        replaced since.
        """
        lines = (f"{head}\n" for head in public_heads())
        return StreamingHttpResponse(lines, content_type="text/plain; charset=utf-8")


class NewestLines(CursorPages):
    ordering = ("-sequence",)


class JournalPage(EventPage):
    template = "tournament/exchange/journal.html"
    public_read = "slug"
    query_names = PAGING
    tab = "journal"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the journal; two queries, or one without names."""
        pages = NewestLines()
        rows = JournalLine.objects.filter(stream=tournament.stream)
        lines = pages.paginate_queryset(rows, request)
        names = _names_of(lines) if frame["is_official"] else {}
        return {
            "lines": [
                (line, KIND_TEXTS.get(line.kind, line.kind), _actor(line, names)) for line in lines
            ],
            **pages.neighbours,
        }


def _names_of(lines: Iterable[JournalLine]) -> dict[str, str]:
    """Return the names of the accounts that caused lines, by actor."""
    numbers = {line.actor.removeprefix("account/") for line in lines if line.actor != SYSTEM}
    accounts = Account.objects.filter(pk__in=filter(str.isdecimal, numbers))
    return {f"account/{account.pk}": account.name for account in accounts}


def _actor(line: JournalLine, names: Mapping[str, str]) -> str:
    if line.actor == SYSTEM:
        return gettext("the service")
    number = line.actor.removeprefix("account/")
    return names.get(line.actor) or gettext("account %(number)s") % {"number": number}


def public_heads() -> Iterator[Head]:
    """Yield the heads of all streams, except those of private tournaments, drafts and games."""
    tournaments = visible_tournaments(None).values_list(
        Concat(Value("tournament/"), "slug", output_field=CharField())
    )
    games = Game.objects.filter(stream="", public=True).values_list(
        Concat(Value("game/"), Cast("pk", CharField()))
    )
    is_other = ~Q(stream__startswith="tournament/") & ~Q(stream__startswith="game/")
    heads = JournalHead.objects.filter(is_other | Q(stream__in=tournaments) | Q(stream__in=games))
    rows = heads.order_by("stream").values_list("stream", "sequence", "digest")
    return (Head(*row) for row in rows.iterator())
