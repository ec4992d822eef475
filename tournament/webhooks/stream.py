"""The event streams: the entries of a feed, each once it is in the journal.

They are server-sent events, as the HTML standard defines `text/event-stream` (section 9.2): a
client stores the latest `id` and sends it as `Last-Event-ID` when it connects again.

The ASGI application (`deploy.streams`) puts a function into the scope of a request, which takes the
subscription and sends what follows. Without one, for example under `runserver`, the response
contains the entries until now and ends; a client connects again by itself.
"""

import io
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from games.core.errors import ApiError
from games.core.formats import FileFormat
from games.core.journal.chain import format_time
from games.core.limits import network_of
from games.core.permissions import require_account
from games.core.references import absolute_url, page_url, tournaments_of
from games.core.requests import (
    client_address,
    is_flag_set,
    read_number,
    requested_number,
    whole_number,
)
from games.core.views import ApiView
from games.models.streams import (
    ACCOUNT_FEED,
    LIVE_FEED,
    OWN_LIVE_FEED,
    SITE_FEED,
    live_game_of,
    own_live_game_of,
    tournament_of,
)
from games.play.followers import SETTLED, boards_in_play, live_message
from games.play.queries import get_visible_game
from games.play.states import require_in_game
from ratings.core.pools import find_pool
from tournament.core.lookup import tournament_seen_by
from tournament.messages.feed import FeedEntry, is_wide, last_number, load_feed, settled_number

EVENT_STREAM_TYPE: Final = "text/event-stream"

HEARTBEAT: Final = b": alive\n\n"
"""A comment, which clients ignore; it shows both sides that the connection exists."""

HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would collect the events of minutes
}
"""The headers of every stream."""

SUBSCRIBE: Final = "perihelion.subscribe"
"""The name of the function in the ASGI scope."""

STREAM_PATH: Final = re.compile(r"/api/v1/((tournaments|pools|games)/[^/]+/|me/)?stream")

LINES_AT_ONCE: Final = 500
"""Entries that are read at a time for a stream."""

MOST_AT_ONCE: Final = 1000
"""Entries of a response that ends."""

RETRY_AFTER: Final = 5.0
"""Seconds between two responses that end."""

AFTER_SEQUENCE_PARAMETER = OpenApiParameter(
    "after",
    whole_number(0),
    description=(
        "only the lines after the one with this sequence number, `0` for all; without it and"
        " without `Last-Event-ID`, those that are written from now on"
    ),
)
BOARDS_PARAMETER = OpenApiParameter(
    "boards",
    bool,
    description="`1` adds events with the versions of the records that are being kept",
)
OWN_PARAMETER = OpenApiParameter(
    "own",
    bool,
    description="`1`, for players of the game and officials: all turns at once, and offers",
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    whole_number(0),
    OpenApiParameter.HEADER,
    description="the `id` of the last event that the client has received; wins over `after`",
)
LAST_VERSION = OpenApiParameter(
    "Last-Event-ID",
    whole_number(0),
    OpenApiParameter.HEADER,
    description="the `id` of the last event that the client has received",
)


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a client receives: the entries of a stream after a sequence number.

    `head` is the last line at the time of the request, `caller` the network of the client. For a
    live record, versions stand in place of lines. With `boards` the client receives the versions of
    the games that are being played, too.
    `environ` is the environment of the request, with which its rights are checked again.
    """

    stream: str
    after: int
    head: int
    caller: str
    environ: Mapping[str, Any]
    boards: bool = False


Subscribe = Callable[[Subscription], bool]
"""Take a subscription; return False if its caller has too many."""

Listener = TypeVar("Listener")


class TooManyListeners(ApiError):
    """The address of the caller has as many listeners as it may have (429)."""

    status = 429

    def __init__(self) -> None:
        detail = "too many listeners have this address; close one first"
        super().__init__("too_many_listeners", detail)


class EventStreamFile(FileFormat):
    media_type = EVENT_STREAM_TYPE
    format = ""


class StreamView(ApiView):
    """The event stream of a feed."""

    http_method_names = ["get", "options"]
    parameters: Sequence[OpenApiParameter] = (AFTER_SEQUENCE_PARAMETER, LAST_EVENT_ID)
    renderer_classes = [EventStreamFile]

    def respond(self, request: Request, feed: str) -> HttpResponse:
        """Subscribe to a feed; where that is not possible, return its entries so far."""
        head = last_number(feed)
        is_live = is_of_game(feed)  # each of its events is the whole record
        after = requested_version(request) if is_live else requested_sequence(request, head=head)
        if is_wide(feed) and after < head:
            after = settled_number(after)
        caller = network_of(client_address(request))
        has_boards = is_flag_set(request, "boards")
        subscribe: Subscribe | None = request.META.get("asgi.scope", {}).get(SUBSCRIBE)
        if subscribe is not None:
            subscription = Subscription(feed, after, head, caller, request.META, has_boards)
            if not subscribe(subscription):
                raise TooManyListeners
            return HttpResponse(content_type=EVENT_STREAM_TYPE, headers=HEADERS)
        if is_live:
            events = [body for _, body in load_events(feed, after, head)[0] if head or after]
        else:
            events = [*map(format_entry, load_feed(feed, after=after, limit=MOST_AT_ONCE))]
            boards = load_boards([feed] if has_boards else []).values()
            events += [format_boards(versions, is_complete=True) for versions in boards]
        body = [format_opening(after, retry=RETRY_AFTER), *events]
        return HttpResponse(b"".join(body), content_type=EVENT_STREAM_TYPE, headers=HEADERS)


class Stream(StreamView):
    parameters = (*StreamView.parameters, BOARDS_PARAMETER)

    @extend_schema(operation_id="stream_tournament", responses=OpenApiTypes.STR)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Send the published lines of the tournament's journal as they are written, until it ends.

        Server-sent events: `id` is the sequence number in the journal, `data` the message that
        webhooks get: `type`, `timestamp`, `tournament`, `pool`, `sequence` and `data`. Nothing is
        missed: who connects again with the last `id` gets all since. A comment comes every 15
        seconds. The event `closed` comes before the end when the caller may not see the tournament
        any more.

        Records that are kept turn by turn are in no journal: `live.begun` and `live.ended` have no
        `sequence` and no `id`. With `boards` the event `live` has their `versions` by the id of the
        game, all of them first (`complete`), then those that change; 0 has ended.
        """
        return self.respond(request, tournament_seen_by(request, slug).stream)


class PoolStream(StreamView):
    @extend_schema(operation_id="stream_pool", responses=OpenApiTypes.STR)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Send the runs and lists of the pool as they are published.

        The kinds are `pool.rated` and `list.published`. Messages, `id` and `after` are as in the
        stream of an event.
        """
        return self.respond(request, find_pool(code).stream)


class SiteStream(StreamView):
    @extend_schema(operation_id="stream_site", responses=OpenApiTypes.STR)
    def get(self, request: Request) -> HttpResponse:
        """Send the public events and rating lists of the site as they are published.

        The kinds are `tournament.opened`, `tournament.started`, `tournament.finalised`,
        `tournament.cancelled` and `list.published`. As the stream of an event; but `id` grows over
        all journals, and who connects again gets the entries of the last half minute before its
        `id` once more: `tournament` or `pool` and `sequence` tell which they are.
        """
        return self.respond(request, SITE_FEED)


class AccountStream(StreamView):
    permission = "account.follow"

    @extend_schema(operation_id="stream_account", responses=OpenApiTypes.STR)
    def get(self, request: Request) -> HttpResponse:
        """Send what concerns the account as it is published, as the stream of the site.

        That is its games, casual ones too, its ratings, and the events in which it plays or has a
        role. Of the pairings of a round, a player gets their own boards. A token needs a scope for
        events or results, and must not be limited to one event.
        """
        account = require_account(request, self.permission)
        return self.respond(request, f"{ACCOUNT_FEED}{account.pk}")


class GameStream(StreamView):
    parameters = (OWN_PARAMETER, LAST_VERSION)
    problems = (403,)

    @extend_schema(operation_id="stream_game", responses=OpenApiTypes.STR)
    def get(self, request: Request, game_id: int) -> HttpResponse:
        """Send the turns of a game that is being played, as spectators may see them.

        `data` has the `type` (`live.begun`, `turn.added`, `turn.taken_back`, `live.ended`, with
        `own` also `offer.made`, `offer.declined` and `offer.withdrawn`) and, in `data`, the whole
        live record, as its read has it; null once the game is settled, or the record given up. `id`
        is its `version`, 0 with null. A client that connects gets the record as it is, and nothing
        before it begins; one that connects again learns that it has ended meanwhile. A further
        record has `live.begun`, and its versions go on. Turns within half a second can come as one
        event.
        """
        game = get_visible_game(request, game_id)
        if is_flag_set(request, "own"):
            require_in_game(request, game, "game.reports")
            return self.respond(request, f"{OWN_LIVE_FEED}{game.pk}")
        return self.respond(request, f"{LIVE_FEED}{game.pk}")


def is_of_game(feed: str) -> bool:
    """Return True for the live record of a game, as spectators or its players see it."""
    return feed.startswith((LIVE_FEED, OWN_LIVE_FEED))


def load_boards(feeds: Collection[str]) -> dict[str, dict[int, int]]:
    """Return the games that are being played in the events among these feeds, with versions."""
    return boards_in_play([feed for feed in feeds if tournament_of(feed)])


def load_board_events(
    stream: str, before: Mapping[int, int], boards: Mapping[int, int]
) -> tuple[list[bytes], bytes]:
    """Return which games of an event have begun or ended, and the event with the new versions."""
    games = sorted({game for game, _ in before.items() ^ boards.items()})
    changed = {game: boards.get(game, 0) for game in games}
    kinds = {game: "live.ended" for game in changed if game not in boards}
    kinds |= {game: "live.begun" for game in changed if game not in before}
    tournament = tournaments_of([stream]).get(stream) if kinds else None
    messages = [
        {
            "type": kind,
            "timestamp": format_time(timezone.now()),
            "tournament": tournament,
            "pool": None,
            "sequence": None,
            "data": {
                "game_id": game,
                "url": absolute_url(f"games/{game}"),
                "page_url": page_url(f"games/{game}"),
            },
        }
        for game, kind in sorted(kinds.items())
    ]
    return [*map(format_event, messages)], format_boards(changed)


def format_boards(versions: Mapping[int, int], *, is_complete: bool = False) -> bytes:
    """Return the event with versions of games that are being played; 0 is one that is not."""
    body = {"type": "live.versions", "complete": is_complete, "versions": versions}
    return format_event(body, name="live")


def format_event(data: Mapping[str, Any], *, sequence: int | None = None, name: str = "") -> bytes:
    """Return an event with JSON data; one without a name reaches `onmessage` of a browser."""
    lines = [f"id: {sequence}"] if sequence is not None else []
    lines += [f"event: {name}"] if name else []
    text = json.dumps(data, separators=(",", ":"), cls=JSONEncoder)
    return "\n".join([*lines, f"data: {text}", "", ""]).encode()


def format_opening(sequence: int, *, retry: float) -> bytes:
    """Return the first lines: after how many seconds to connect again, and where this one begins.

    An event without data is not dispatched, but its id is stored.
    """
    return f"retry: {retry * 1000:.0f}\nid: {sequence}\n\n".encode()


def requested_sequence(request: Request, *, head: int) -> int:
    """Return the number after which a client wants the lines; by default, the head.

    The header wins, because a browser connects again with its first address. Raises Unprocessable
    for what is no number of a line of this journal.
    """
    sent = request.headers.get("Last-Event-ID")
    if sent:
        return read_number("Last-Event-ID", sent, 0, head)
    return requested_number(request, "after", head, least=0, most=head)


def requested_version(request: Request) -> int:
    """Return the version of a live record that a client has received last; 0 for none."""
    return read_number("Last-Event-ID", request.headers.get("Last-Event-ID") or "0", 0, SETTLED)


def format_entry(entry: FeedEntry) -> bytes:
    """Return an entry as an event; its type is in the data, so that one handler gets all types."""
    return format_event(entry.as_message(), sequence=entry.number)


def load_events(stream: str, after: int, head: int) -> tuple[list[tuple[int, bytes]], int]:
    """Return a page of the events after a line, and the line up to which these are all."""
    if game := live_game_of(stream) or own_live_game_of(stream):
        message = live_message(game, is_own=stream.startswith(OWN_LIVE_FEED))
        version = message["data"]["version"] if message["data"] else 0
        number = head if head == SETTLED and not version else version
        return [(number, format_event(message, sequence=version))], head
    entries = load_feed(stream, after=after, limit=LINES_AT_ONCE)
    events = [(entry.number, format_entry(entry)) for entry in entries if entry.number <= head]
    is_all = len(events) < LINES_AT_ONCE
    return events, head if is_all else events[-1][0]


_rechecks = {
    name: view.as_view(throttle_classes=[])  # it does not count for the listener
    for name, view in {
        "tournament": Stream,
        "pool": PoolStream,
        "account": AccountStream,
        "site": SiteStream,
        "live": GameStream,
        "own-live": GameStream,  # `own` is in the query of the environment
    }.items()
}


def find_refused(stream: str, listeners: Mapping[Listener, Mapping[str, Any]]) -> list[Listener]:
    """Return the listeners who may not see the event any more, given their environments.

    If strangers may see it, everybody may. Otherwise listeners are checked one by one, those with
    the same credentials once.
    """
    by_credentials: dict[tuple[str, str], list[Listener]] = {}
    for listener, environ in listeners.items():
        key = environ.get("HTTP_AUTHORIZATION", ""), environ.get("HTTP_COOKIE", "")
        by_credentials.setdefault(key, []).append(listener)
    if not listeners or may_listen(stream, next(iter(listeners.values())), "", ""):
        return []
    refused = [
        same
        for credentials, same in by_credentials.items()
        if not may_listen(stream, listeners[same[0]], *credentials)
    ]
    return [listener for same in refused for listener in same]


def may_listen(stream: str, environ: Mapping[str, Any], authorization: str, cookie: str) -> bool:
    """Return False if the request would be refused now, with these credentials."""
    changed = {
        "HTTP_AUTHORIZATION": authorization,
        "HTTP_COOKIE": cookie,
        "wsgi.input": io.BytesIO(),
        "asgi.scope": {SUBSCRIBE: lambda _: True},
    }

    name, _, key = stream.partition("/")
    parameter = {"tournament": "slug", "pool": "code", "live": "game_id", "own-live": "game_id"}
    address = {parameter[name]: key} if key and name in parameter else {}

    def respond(request: Any) -> Any:
        return _rechecks[name](request, **address)

    request = WSGIRequest({**environ, **changed})
    response = SessionMiddleware(AuthenticationMiddleware(respond))(request)
    assert isinstance(response, HttpResponseBase)  # and nothing to await
    return response.status_code not in (401, 403, 404)  # not if the database is busy
