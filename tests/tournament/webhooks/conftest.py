"""A published round of an event, whose owner has webhooks to receivers on this machine."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person
from tests.tournament.webhooks.receiver import LOOPBACK, Receiver, receiving


@pytest.fixture
def event(organiser: Person) -> Event:
    """A running event of four players."""
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(4))
    return event.step("open", "start")


@pytest.fixture
def receiver(event: Event, settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiving() as receiver:
        yield receiver
