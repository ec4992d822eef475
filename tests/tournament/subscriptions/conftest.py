"""An event whose players and director ask for its messages."""

import pytest

from games.core.broker import connect
from tests.events import Event, make_event, make_players
from tests.people import make_person, make_player, player_of
from tests.processes import Broker
from tournament.entries.links import create_links


@pytest.fixture(autouse=True)
def no_questions(broker: Broker) -> None:
    """Forget whom earlier tests have asked for an address today: accounts and addresses repeat."""
    client = connect()
    for key in client.scan_iter("*asked-*"):
        client.delete(key)


@pytest.fixture(scope="module")
def started(rows_of_module: None) -> Event:
    """Ada and Ben, who have accounts, Player 1 and Player 2 without, before the first round."""
    event = make_event(make_person("Olga"))
    event.enter(*(player_of(make_player(name, 1600)) for name in ("Ada", "Ben")), *make_players(2))
    event.step("open", "start")
    create_links(event.tournament, by=event.owner.account)
    return event


@pytest.fixture
def event(db: None, started: Event) -> Event:
    return started.again()
