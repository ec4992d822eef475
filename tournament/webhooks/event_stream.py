"""Server-sent events, as the HTML standard defines `text/event-stream` (section 9.2).

An event consists of lines and ends with an empty one. A client stores the latest `id` and sends it
as `Last-Event-ID` when it connects again, so that it receives what it has missed.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from rest_framework.request import Request

from games.core.requests import read_number, requested_number

EVENT_STREAM_TYPE: Final = "text/event-stream"

HEARTBEAT: Final = b": alive\n\n"
"""A comment, which clients ignore; it shows both sides that the connection exists."""

HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would collect the events of minutes
}
"""The headers of every stream."""


def format_event(data: Mapping[str, Any], *, sequence: int | None = None, name: str = "") -> bytes:
    """Return an event with JSON data; one without a name reaches `onmessage` of a browser."""
    lines = [f"id: {sequence}"] if sequence is not None else []
    lines += [f"event: {name}"] if name else []
    text = json.dumps(data, separators=(",", ":"))
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
