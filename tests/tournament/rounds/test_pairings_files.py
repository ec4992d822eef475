"""`/tournaments/{slug}/rounds/{n}/pairings.csv` and `.ndjson`."""

import csv
import io
import json

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db

COLUMNS = (
    "round,board,kind,first_number,first_player,first,second_number,second_player,second,result,"
    "termination,state,starts_on,starts_at"
)


@pytest.fixture
def event(organiser: Person) -> Event:
    """Three players, the first round played, the second drafted."""
    event = make_event(organiser)
    event.enter(*make_players(3))
    event.step("open", "start").play(1)
    organiser.post(f"{event.path}/rounds/2/pair", {})
    return event


def test_each_pairing_has_a_line(anonymous: Person, event: Event) -> None:
    path = f"{event.path}/rounds/1/pairings"
    pairings = anonymous.get(path).json()["rows"]
    Player.objects.filter(pk=pairings[0]["second"]["player"]["id"]).update(name="=1+1")

    text = anonymous.get(f"{path}.csv").content.decode()

    assert text.partition("\n")[0] == COLUMNS
    (board, bye) = csv.DictReader(io.StringIO(text))
    first, second = pairings[0]["first"], pairings[0]["second"]
    assert tuple(board.values()) == (
        "1", "1", "game", str(first["number"]), str(first["player"]["id"]), first["player"]["name"],
        str(second["number"]), str(second["player"]["id"]),
        "'=1+1", pairings[0]["result"], pairings[0]["termination"] or "", "confirmed", "", "",
    )  # fmt: skip
    assert (bye["board"], bye["kind"], bye["second"]) == ("", "pairing_bye", "")
    assert (bye["first_player"], bye["second_player"]) == (
        str(pairings[1]["first"]["player"]["id"]), "",
    )  # fmt: skip
    marked = anonymous.get(f"{path}.csv?bom=1").content
    assert marked == b"\xef\xbb\xbf" + text.encode()
    lines = anonymous.get(f"{path}.ndjson").content.decode().splitlines()
    current = anonymous.get(path).json()["rows"]
    start = {"round": 1, "starts_on": None, "starts_at": None}
    assert [json.loads(line) for line in lines] == [start | line for line in current]
