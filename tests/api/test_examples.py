"""The examples of the description hold: what they send is taken, what they show comes out."""

from typing import Any

import pytest

from games.models import Player
from tests.events import SET_UP
from tests.people import Person
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

EVENT = "tournaments/spring-open"
SENT = {
    "import_players": "players/import?dry_run=1",
    "import_entries": "tournaments/list/entries/import?dry_run=1",
    "import_tournament": "tournaments/import?game=star-star&board=4&slug=again&dry_run=1",
    "import_records": f"{EVENT}/records/import?dry_run=1",
}
SHOWN = {name: f"{EVENT}/{name}.csv" for name in ("standings", "crosstable", "prizes", "clubs")}


def examples(schema: dict[str, Any], name: str, *, sent: bool) -> list[tuple[str, str]]:
    """The examples of an operation, each with its media type."""
    operations = (one for path in schema["paths"].values() for one in path.values())
    (found,) = (one for one in operations if one["operationId"] == name)
    described = found["requestBody"] if sent else found["responses"]["200"]
    return [
        (media_type, example["value"])
        for media_type, content in described["content"].items()
        for example in content.get("examples", {}).values()
    ]


@pytest.fixture
def event(schema: dict[str, Any], organiser: Person) -> None:
    """The event that the example of a report makes, and one that is open for entries."""
    ((media_type, report),) = examples(schema, "import_tournament", sent=True)
    address = "tournaments/import?game=star-star&board=4"
    assert organiser.post(address, report, content_type=media_type).status_code == 201
    Player.objects.filter(name="Ada").update(club="Rooks")
    Tournament.objects.update(prizes=[{"name": "first", "amounts": [10000]}])
    organiser.post("tournaments", SET_UP | {"slug": "list"})


@pytest.mark.parametrize("name", SENT)
def test_what_is_sent(schema: dict[str, Any], event: None, organiser: Person, name: str) -> None:
    ((media_type, text),) = examples(schema, name, sent=True)
    answer = organiser.post(SENT[name], text, content_type=media_type)
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("name", SHOWN)
def test_what_comes_out(schema: dict[str, Any], event: None, anonymous: Person, name: str) -> None:
    assert examples(schema, name, sent=False) == [
        ("text/csv", anonymous.get(SHOWN[name]).content.decode())
    ]
