"""The open connections: at most so many, at most so many of each address, none for too long."""

import logging
from collections.abc import Iterable
from typing import Protocol

from deploy.server.limits import Limits

log = logging.getLogger("perihelion.server")


class LimitedConnection(Protocol):
    """A connection, as the limits see it."""

    network: str

    @property
    def is_waiting(self) -> bool:
        """True while the server waits for the client."""

    def close_if_slow(self, now: float) -> bool:
        """Close the connection if its client is too slow; return True if it was."""

    def drop(self) -> None:
        """Close the connection at once, and remove it."""


class Connections:
    """The open connections of all addresses, those with the latest response last.

    When a limit is reached, a new connection replaces the one that has waited longest, so that a
    client that opens many connections loses its own and stops nobody else from connecting.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: dict[LimitedConnection, None] = {}
        self._by_network: dict[str, dict[LimitedConnection, None]] = {}
        self._dropped = 0

    def add(self, client: LimitedConnection) -> None:
        """Add a connection, or make it the last one; drop one that waits if there are too many."""
        same = self._by_network.setdefault(client.network, {})
        for clients in (self._all, same):
            clients.pop(client, None)
            clients[client] = None
        if self.limits.per_address and len(same) > self.limits.per_address:
            self._drop_first_waiting(same)
        elif len(self._all) > self.limits.connections:
            self._drop_first_waiting(self._all)

    def remove(self, client: LimitedConnection) -> None:
        """Remove a connection that is closed."""
        same = self._by_network.get(client.network, {})
        self._all.pop(client, None)
        same.pop(client, None)
        if not same:
            self._by_network.pop(client.network, None)

    def sweep(self, now: float) -> None:
        """Close the connections of clients that are too slow."""
        closed = sum(client.close_if_slow(now) for client in list(self._all))
        if closed:
            log.info("closed %s connections of slow clients", closed)
        if self._dropped:
            log.warning(
                "dropped %s connections over a limit; %s are open", self._dropped, len(self._all)
            )
            self._dropped = 0

    def _drop_first_waiting(self, clients: Iterable[LimitedConnection]) -> None:
        client = next((client for client in clients if client.is_waiting), None)
        if client is not None:
            client.drop()
            self._dropped += 1
