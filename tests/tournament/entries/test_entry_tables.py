"""Lists as files: entries that an import reads back, players, the results of a round."""

import csv
import io
import json
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
VALUES = ("name", "country", "club", "seed_rating", "birth_year", "sex", "category")


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


def entered(event: Event) -> list[Any]:
    rows = event.tournament.entries.order_by("player_id")
    columns = ("player_id", "seed_rating", "club", "birth_year", "sex", "category")
    return list(rows.values_list(*columns))


def test_the_entries_are_a_table_with_typed_cells(organiser: Person, event: Event) -> None:
    ada, ben, haru = event.tournament.entries.order_by("pairing_number")
    rows = sheet_of(organiser.get(f"{event.path}/entries.xlsx"))

    assert rows == [
        ["number", "player", "name", "country", "club", "seed_rating", "state", "birth_year",
         "sex", "category"],
        [1.0, str(ada.player_id), "=1+1, Ada", "POR", "Guests", 1900.0, "accepted", 2001.0, "w",
         "junior"],
        [2.0, str(ben.player_id), "Ben; 'quoted'", "", "", 1800.0, "accepted", "", "", ""],
        [3.0, str(haru.player_id), "春日", "JPN", "", haru.seed_rating or "", "accepted", "", "",
         ""],
    ]  # fmt: skip


def test_strangers_get_no_private_columns(anonymous: Person, event: Event) -> None:
    file = anonymous.get(f"{event.path}/entries.csv").content.decode()
    header, *_ = csv.reader(io.StringIO(file))

    assert header == ["number", "player", "name", "country", "club", "seed_rating", "state"]
    text = anonymous.get(f"{event.path}/entries.ndjson").content.decode()
    assert not {"birth_year", "sex", "category"} & json.loads(text.splitlines()[0]).keys()


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_an_import_reads_the_file_of_entries(organiser: Person, event: Event, form: str) -> None:
    file = organiser.get(f"{event.path}/entries.{form}")
    copy = make_event(organiser, slug="copy").step("open")
    content_type = "text/csv" if form == "csv" else "application/octet-stream"
    response = organiser.post(
        f"{copy.path}/entries/import", file.content, content_type=content_type
    )

    assert response.status_code == 201, response.content
    assert {line["action"] for line in response.json()["lines"]} == {"known"}
    assert [row[0] for row in entered(copy)] == [row[0] for row in entered(event)]
    ada = entered(copy)[0]
    assert ada[1:2] + ada[3:] == (1900, 2001, "w", "junior")
    assert Player.objects.filter(name="=1+1, Ada").count() == 1


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_an_import_leaves_out_who_does_not_play(organiser: Person, event: Event, form: str) -> None:
    """The file of an event, as it is, enters those who play in it."""
    ada, ben, haru = event.tournament.entries.order_by("pairing_number")
    organiser.post(f"{event.path}/entries/{ben.pk}/withdraw")
    file = organiser.get(f"{event.path}/entries.{form}").content
    copy = make_event(organiser, slug="copy").step("open")
    content_type = "text/csv" if form == "csv" else "application/octet-stream"
    results = [
        organiser.post(f"{copy.path}/entries/import{query}", file, content_type=content_type)
        for query in ("?dry_run=1", "")
    ]

    assert [response.status_code for response in results] == [200, 201]
    for response in results:
        assert [(line["player"], line["action"]) for line in response.json()["lines"]] == [
            ({"id": ada.player_id, "name": "=1+1, Ada"}, "known"),
            ({"id": None, "name": "Ben; 'quoted'"}, "left_out"),
            ({"id": haru.player_id, "name": "春日"}, "known"),
        ]
    assert {row[0] for row in entered(copy)} == {ada.player_id, haru.player_id}


def test_a_filter_selects_the_rows_of_the_file(organiser: Person, event: Event) -> None:
    last = event.tournament.entries.order_by("pairing_number").last()
    organiser.post(f"{event.path}/entries/{last.pk}/withdraw")
    rows = sheet_of(organiser.get(f"{event.path}/entries.xlsx?state=withdrawn"))

    assert [row[1] for row in rows[1:]] == [str(last.player_id)]


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
