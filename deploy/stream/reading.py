"""What the stream process reads from the database, in its threads."""

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import close_old_connections

from games.models import JournalHead
from tournament.queries.feed import load_feed
from tournament.views.events import format_entry

LINES_AT_ONCE: Final = 500
"""Entries that are read at a time."""

Events = list[tuple[int, bytes]]
P = ParamSpec("P")
Read = TypeVar("Read")


class Reader:
    """Threads that read from the database."""

    def __init__(self, threads: int) -> None:
        self.threads = ThreadPoolExecutor(threads, "stream")

    async def read(self, load: Callable[P, Read], *args: P.args, **kwargs: P.kwargs) -> Read:
        """Call a function in a thread."""

        def run() -> Read:
            try:
                return load(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self.threads, run)


def load_heads(streams: Collection[str]) -> dict[str, int]:
    """Return the number of the last line of each stream that has one, in one query."""
    heads = JournalHead.objects.filter(stream__in=streams)
    return dict(heads.values_list("stream", "sequence"))


def load_events(stream: str, after: int, head: int) -> tuple[Events, int]:
    """Return a page of the events after a line, and the line up to which these are all."""
    entries = load_feed(stream, after=after, limit=LINES_AT_ONCE)
    events = [(entry.sequence, format_entry(entry)) for entry in entries if entry.sequence <= head]
    is_all = len(events) < LINES_AT_ONCE
    return events, head if is_all else events[-1][0]
