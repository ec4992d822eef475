"""Lists as files: players, the results of a round; each has a tag and 304 in every format."""

import io
from typing import Any

import pytest
from django.http import HttpResponse
from python_calamine import CalamineWorkbook

from games.models import Player
from tests.events import Event, make_event
from tests.people import Person
from tournament.models import Entry

FORMATS = ("csv", "ndjson", "xlsx")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def event(organiser: Person) -> Event:
    """An event whose first player has a name that a spreadsheet would run."""
    event = make_event(organiser)
    players = [
        Player.objects.create(name="=1+1, Ada", country="POR", seed_rating=1900, club="Rooks"),
        Player.objects.create(name="Ben; 'quoted'", seed_rating=1800),
        Player.objects.create(name="春日", country="JPN"),
    ]
    entries = event.enter(*players)
    values = {"birth_year": 2001, "sex": "w", "category": "junior", "club": "Guests"}
    Entry.objects.filter(pk=entries[0].pk).update(**values)
    return event.step("open", "start")


def sheet_of(response: HttpResponse) -> list[list[Any]]:
    assert (response.status_code, response["Content-Type"]) == (200, XLSX), response.content
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(response.content))
    return workbook.get_sheet_by_index(0).to_python()


def test_the_players_are_a_table(organiser: Person, event: Event) -> None:
    rows = sheet_of(organiser.get("players.xlsx?name=ada"))

    ada = event.tournament.entries.get(pairing_number=1).player_id
    assert rows == [
        ["player", "name", "country", "club", "seed_rating", "fide"],
        [str(ada), "=1+1, Ada", "POR", "Rooks", 1900.0, ""],
    ]
    text = organiser.get("players.csv?name=ada").content.decode()
    assert text.splitlines()[1] == f'{ada},"\'=1+1, Ada",POR,Rooks,1900,'


def test_the_results_of_a_round_are_a_table(organiser: Person, event: Event) -> None:
    event.play(1)
    rows = sheet_of(organiser.get(f"{event.path}/rounds/1/results.xlsx"))
    body = organiser.get(f"{event.path}/rounds/1/results").json()

    assert rows[0][:6] == ["round", "board", "game", "first_number", "first_player", "first"]
    assert [row[2] for row in rows[1:]] == [str(game["game"]) for game in body["results"]]
    assert [row[9] for row in rows[1:]] == [game["result"] for game in body["results"]]
    assert all(isinstance(row[3], float) and isinstance(row[4], str) for row in rows[1:])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "path",
    ["entries", "rounds/1/results", "rounds/1/pairings", "standings", "crosstable", "prizes",
     "clubs", "performances"],
)  # fmt: skip
def test_every_format_has_a_tag_304_and_head(
    organiser: Person, event: Event, path: str, form: str
) -> None:
    event.publish(1)
    address = f"{event.path}/{path}.{form}"
    first = organiser.get(address)

    assert first.status_code == 200, first.content
    assert organiser.get(address)["ETag"] == first["ETag"]
    again = organiser.get(address, If_None_Match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    head = organiser.send("HEAD", address)
    assert (head.status_code, head["ETag"], head.content) == (200, first["ETag"], b"")
    assert head["Content-Type"] == first["Content-Type"]
