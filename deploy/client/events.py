"""The event stream of a tournament: `text/event-stream`, as the HTML standard defines it (9.2)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from .operation import path_of

SILENCE = 90.0
"""Seconds without a line, not even a heartbeat, after which the connection counts as broken."""


@dataclass(frozen=True, slots=True)
class Event:
    """A published line of the journal: `id` is its number, `data` has its `kind` and content.

    Its `name` is `message`; `closed` comes before the end of a stream that is not public any more.
    """

    id: str
    name: str
    data: Any


def events_path(slug: str) -> str:
    """Return the address of the stream."""
    return path_of("/tournaments/{slug}/events", slug=slug)


class EventReader:
    """The state of a subscription: the last event, and the lines of the next one.

    `wait` is the seconds before the next connection.
    """

    def __init__(self, after: int | None) -> None:
        self.last_id = "" if after is None else str(after)
        self.wait = 3.0
        self.timeout = httpx.Timeout(30.0, read=SILENCE)
        self.drop()

    def drop(self) -> None:
        """Forget the lines of an event that has not ended."""
        self._id = self.last_id
        self._name = ""
        self._data: list[str] = []

    def headers(self) -> dict[str, str]:
        """Return the headers of the next connection."""
        self.drop()
        headers = {"Accept": "text/event-stream"}
        return headers | ({"Last-Event-ID": self.last_id} if self.last_id else {})

    def note_busy(self, headers: Mapping[str, str]) -> None:
        """Wait as long as the service asks."""
        stated = headers.get("retry-after", "")
        self.wait = float(stated) if stated.isdecimal() else self.wait

    def read_line(self, line: str) -> Event | None:
        """Take a line, and return the event that it ends."""
        if not line:
            return self._finished_event()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "id":
                self._id = value
            case "event":
                self._name = value
            case "data":
                self._data.append(value)
            case "retry" if value.isdecimal():
                self.wait = int(value) / 1000
        return None

    def _finished_event(self) -> Event | None:
        self.last_id = self._id
        event = Event(self._id, self._name or "message", None)
        data, self._name, self._data = "\n".join(self._data), "", []
        return Event(event.id, event.name, json.loads(data)) if data else None
