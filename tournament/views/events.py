"""The event stream of a tournament: the entries of its feed, each once it is in the journal.

The stream process (`deploy.stream`) puts a function into the environment of a request, which takes
the subscription and sends what follows. Without one, for example under `runserver`, the response
contains the entries until now and ends; a client connects again by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from games.chain import format_time
from games.http.event_stream import (
    EVENT_STREAM_TYPE,
    HEADERS,
    format_event,
    format_opening,
    requested_sequence,
)
from games.http.rate_limits import network_of
from games.http.request import client_address
from games.http.views import ApiView
from tournament.queries.feed import FeedEntry, last_sequence, load_feed
from tournament.views.lookup import tournament_seen_by

SUBSCRIBE: Final = "perihelion.subscribe"
"""The name of the function in the environment."""

MOST_AT_ONCE: Final = 1000
"""Entries of a response that ends."""

RETRY_AFTER: Final = 5.0
"""Seconds between two responses that end."""

AFTER_SEQUENCE_PARAMETER = OpenApiParameter(
    "after",
    int,
    description=(
        "only the lines after the one with this sequence number, `0` for all; without it and"
        " without `Last-Event-ID`, those that are written from now on"
    ),
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="the `id` of the last event that the client has received; wins over `after`",
)


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a client receives: the entries of a stream after a sequence number.

    `head` is the last line at the time of the request, `caller` the network of the client,
    `account` the id of the account, None for a stranger.
    """

    stream: str
    after: int
    head: int
    caller: str
    account: int | None


Subscribe = Callable[[Subscription], None]
"""Take a subscription; raises ApiError if there are too many."""


class Events(ApiView):
    http_method_names = ["get", "options"]

    @extend_schema(
        operation_id="events",
        parameters=[AFTER_SEQUENCE_PARAMETER, LAST_EVENT_ID],
        responses={(200, EVENT_STREAM_TYPE): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Send the published lines of the event's journal as they are written, until either ends.

        Server-sent events: `id` is the sequence number in the journal, `data` a JSON object with
        `stream`, `sequence`, `kind`, `at` and `data`. Nothing is missed: who connects again with
        the last `id` gets all since. A comment comes every 15 seconds. The event `closed` comes
        before the end when the caller may not see the tournament any more.
        """
        tournament = tournament_seen_by(request, slug)
        head = last_sequence(tournament.stream)
        after = requested_sequence(request, head=head)
        caller = network_of(client_address(request))
        subscribe: Subscribe | None = request.META.get(SUBSCRIBE)
        if subscribe is not None:
            subscribe(Subscription(tournament.stream, after, head, caller, request.user.pk))
            return HttpResponse(content_type=EVENT_STREAM_TYPE, headers=HEADERS)
        entries = load_feed(tournament.stream, after=after, limit=MOST_AT_ONCE)
        body = [format_opening(after, retry=RETRY_AFTER), *map(format_entry, entries)]
        return HttpResponse(b"".join(body), content_type=EVENT_STREAM_TYPE, headers=HEADERS)


def format_entry(entry: FeedEntry) -> bytes:
    """Return an entry as an event; its kind is in the data, so that one handler gets all kinds."""
    data = {
        "stream": entry.stream,
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": format_time(entry.at),
        "data": entry.data,
    }
    return format_event(data, sequence=entry.sequence)
