"""The journal of an event, for the API and as a page, and the heads of all public journals.

A line says what happened, when, and which account caused it; the names of accounts and the payloads
are for the officials of the event, so the page has names only for them, and no payloads.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from games.core.formats import NdjsonFile, TextFile
from games.core.journal.chain import Head
from games.core.journal.lines import SYSTEM, line_as_json, load_lines
from games.core.pagination import PAGING, CursorPages
from games.core.permissions import can_see_drafts
from games.core.tables.json import write_ndjson
from games.core.types import described
from games.core.views import ApiView, ValuesListView
from games.models import Account, Game, JournalHead, JournalLine
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import EventPage
from tournament.core.queries import visible_tournaments
from tournament.core.texts import KIND_TEXTS
from tournament.exchange.serializers import ShownLine
from tournament.models import Tournament


class OldestLines(CursorPages):
    ordering = ("sequence",)


class Journal(ValuesListView):
    """The journal of the tournament, the oldest line first.

    `.ndjson` has a line for each, all of them, for verification. Only the tournament's officials
    see the payloads; the chain can be verified without them.
    """

    public_read = "slug"
    serializer_class = described(ShownLine)
    pagination_class = OldestLines
    renderer_classes = [JSONRenderer, NdjsonFile]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        tournament = tournament_seen_by(request, kwargs["slug"])
        as_json = partial(line_as_json, with_payload=can_see_drafts(request, tournament.stream))
        lines = load_lines(tournament.stream)
        if request.accepted_renderer.format == NdjsonFile.format:
            text = write_ndjson(as_json(line) for line in lines)
            return HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
        return self.get_paginated_response(
            [as_json(line) for line in self.paginate_queryset(lines) or ()]
        )


class Heads(ApiView):
    is_streamed = True
    renderer_classes = [TextFile]

    @extend_schema(responses=OpenApiTypes.STR)
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

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a page of the journal; two queries, or one without names."""
        pages = NewestLines()
        rows = JournalLine.objects.filter(stream=tournament.stream)
        lines = pages.paginate_queryset(rows, request)
        names = _names_of(lines) if self.event_frame["is_official"] else {}
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
