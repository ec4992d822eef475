"""The watcher: brings each channel to the head of its journal, and ends who may not listen."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

import redis.asyncio
from redis import RedisError

from deploy.stream.channel import Channel, Listener
from deploy.stream.reading import Reader, load_events, load_heads
from deploy.stream.rights import find_refused
from games.broker import JOURNAL_HINTS

log = logging.getLogger("perihelion.stream")

POLL_INTERVAL: Final = 1.0
"""Seconds between two queries of the heads, if there is no hint."""

POLL_PAUSE: Final = 0.02
"""Seconds between two queries at least, so that many hints cause one."""

RECHECK: Final = 15.0
"""Seconds after which the rights of all listeners are checked; a new line checks them too."""

RECONNECT: Final = 1.0
"""Seconds between two attempts to reach the broker."""


class Watcher:
    """The channels that have listeners."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._channels: dict[str, Channel] = {}
        self._hinted = asyncio.Event()
        self.is_stopping = False

    def join(self, stream: str, listener: Listener, head: int) -> Channel:
        """Add a listener to the channel of a stream, which begins at `head` with its first one."""
        channel = self._channels.get(stream)
        if channel is None:
            channel = self._channels[stream] = Channel(stream, head)
        channel.listeners.add(listener)
        return channel

    def leave(self, channel: Channel, listener: Listener) -> None:
        """Remove a listener, and the channel with its last one."""
        channel.listeners.discard(listener)
        if not channel.listeners and self._channels.get(channel.stream) is channel:
            del self._channels[channel.stream]

    def stop(self) -> None:
        """End all listeners."""
        self.is_stopping = True
        for channel in self._channels.values():
            channel.wake()

    async def watch(self) -> None:
        """Look for new lines again and again."""
        loop = asyncio.get_running_loop()
        checked_at = loop.time()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hinted.wait(), POLL_INTERVAL)
            self._hinted.clear()
            is_recheck = loop.time() - checked_at > RECHECK
            checked_at = loop.time() if is_recheck else checked_at
            try:
                await self._advance_all(is_recheck=is_recheck)
            except Exception as error:  # the next look finds what this one has not
                log.error("the journals could not be read: %r", error)
            await asyncio.sleep(POLL_PAUSE)

    async def receive_hints(self, address: str) -> None:
        """Look at once when the broker says that a journal has a new line."""
        while True:
            try:
                async with (
                    redis.asyncio.Redis.from_url(address) as client,
                    client.pubsub() as hints,
                ):
                    await hints.subscribe(JOURNAL_HINTS)
                    async for _ in hints.listen():
                        self._hinted.set()
            except (RedisError, OSError) as error:
                log.info("no hints from the broker: %s", error)
            await asyncio.sleep(RECONNECT)

    async def _advance_all(self, *, is_recheck: bool) -> None:
        channels = list(self._channels.values())
        if not channels:
            return
        heads = await self._reader.read(load_heads, [channel.stream for channel in channels])
        for channel in channels:
            head = heads.get(channel.stream, 0)
            if head > channel.head:
                await self._refuse(channel)
                await self._advance(channel, head)
            elif is_recheck:
                await self._refuse(channel)

    async def _refuse(self, channel: Channel) -> None:
        """End the listeners who may not see the event any more, before they get another line."""
        refused = await self._reader.read(find_refused, channel.stream, list(channel.listeners))
        for listener in refused:
            listener.is_refused = True
        if refused:
            channel.wake()

    async def _advance(self, channel: Channel, head: int) -> None:
        while channel.head < head and channel.listeners:
            events, last = await self._reader.read(load_events, channel.stream, channel.head, head)
            channel.add(events, last)
