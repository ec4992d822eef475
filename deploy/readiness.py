"""`/health/ready` of the web server: the event loop answers, and a thread of its own looks.

A balancer asks while all threads of requests are busy, or wait for a database that is away, and
leaves out a server that does not answer in time. What was found is said for a second; a question
that takes longer, as that to a server which has left the network, is answered by what is known.
"""

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from deploy.health import find_parts, status_of, summary, unfinished
from deploy.streams import read

log = logging.getLogger("perihelion.health")

LONGEST: Final = 0.8
"""Seconds that a request waits for what the thread finds."""
AGE: Final = 1.0
"""Seconds after the beginning of a look until the next one."""


class Look:
    """What the thread has found; `body` is there when it has found everything."""

    def __init__(self, began: float) -> None:
        self.began = began
        self.found: dict[str, str] = {}
        self.body: dict[str, object] | None = None

    def run(self) -> None:
        """Look at each part."""
        try:
            find_parts(self.found)
            self.body = summary(self.found)
        except Exception:  # as of a database that goes away meanwhile
            log.exception("the health was not found out")


class Readiness:
    """Returns the status and the body of a response."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "health")
        self._look = Look(-AGE)
        self._looking: asyncio.Future[None] | None = None

    async def __call__(self) -> tuple[int, bytes]:
        """Look if the last look is old, and wait a little for what it finds."""
        loop = asyncio.get_running_loop()
        if self._looking is None or (
            self._looking.done() and loop.time() - self._look.began >= AGE
        ):
            self._look = Look(loop.time())
            self._looking = loop.run_in_executor(self._thread, read, self._look.run, ())
        look = self._look
        await asyncio.wait([self._looking], timeout=look.began + LONGEST - loop.time())
        body = look.body or unfinished(dict(look.found))
        return status_of(body), json.dumps(body).encode()
