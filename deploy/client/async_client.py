"""The asynchronous client."""

import asyncio
import time
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from .errors import ClientError, Unreachable
from .events import Event, EventReader, events_path
from .exchange import connection_options, is_repeatable, prepare, read
from .operation import Listing, Operation, Response
from .retries import BUSY, Retries

T = TypeVar("T")
Row = TypeVar("Row")


class AsyncClient:
    """A connection to a service, with a token or without one.

    `timeout` is in seconds. `transport` and further options are those of `httpx.AsyncClient`.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        retries: Retries | None = None,
        timeout: float = 60.0,
        **options: Any,
    ) -> None:
        self.retries = retries or Retries()
        self._http = httpx.AsyncClient(
            **connection_options(url, token, timeout, options), **options
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def send(self, operation: Operation[T]) -> Response[T]:
        """Send a request, again while the service is busy; raises Problem and Unreachable."""
        request = prepare(self._http, operation)
        attempt = 1
        while True:
            wait: float | None
            try:
                response = await self._http.send(request)
            except httpx.HTTPError as error:
                is_safe = is_repeatable(request) or isinstance(error, httpx.ConnectError)
                wait = self.retries.wait_after_failure(attempt, is_repeatable=is_safe)
                if wait is None:
                    raise Unreachable(str(error) or type(error).__name__) from error
            else:
                wait = self.retries.wait_after_status(
                    attempt,
                    response.status_code,
                    response.headers,
                    is_repeatable=is_repeatable(request),
                )
                if wait is None:
                    return read(response)
            await asyncio.sleep(wait)
            attempt += 1

    async def call(self, operation: Operation[T]) -> T:
        """Send a request and return the body of its response."""
        return (await self.send(operation)).body

    async def rows(self, listing: Listing[Any, Row]) -> AsyncIterator[Row]:
        """Yield the rows of all pages of a list."""
        page: dict[str, Any] | None = await self.call(listing)
        while page is not None:
            for row in page["results"]:
                yield row
            page = await self.call(listing.at(page["next"])) if page["next"] else None

    async def finished_task(self, task_id: str, *, within: float = 60.0) -> dict[str, Any]:
        """Return a task once it is finished; raises ClientError after `within` seconds."""
        end = time.monotonic() + within
        while True:
            task: dict[str, Any] = await self.call(Operation("GET", f"/tasks/{task_id}"))
            if task["state"] not in ("waiting", "running"):
                return task
            if time.monotonic() > end:
                raise ClientError(f"the task {task_id} is {task['state']} after {within:g} s")
            await asyncio.sleep(0.2)

    async def events(self, slug: str, *, after: int | None = None) -> AsyncIterator[Event]:
        """Yield the events of a tournament as they are written, without end.

        `after=0` begins with the first one. A broken connection is made again after the last event.
        Raises Problem if the service refuses, as 404.
        """
        reader = EventReader(after)
        while True:
            try:
                async with self._http.stream(
                    "GET", events_path(slug), headers=reader.headers(), timeout=reader.timeout
                ) as response:
                    if response.status_code in BUSY:
                        reader.note_busy(response.headers)
                    elif response.status_code >= 400:
                        await response.aread()
                        read(response)
                    else:
                        async for line in response.aiter_lines():
                            if event := reader.read_line(line):
                                yield event
            except httpx.HTTPError:
                reader.drop()
            await asyncio.sleep(reader.wait)
