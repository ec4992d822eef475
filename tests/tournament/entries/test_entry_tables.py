"""The entries as a file, which an import reads back."""

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

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def event(organiser: Person) -> Event:
    """An event whose first player has a name that a spreadsheet would run."""
    event = make_event(organiser)
    players = [
        Player.objects.create(
            name="=1+1, Ada",
            country="POR",
            seed_rating=1900,
            seed_games=30,
            seed_reached_2400=True,
            club="Rooks",
            external_ids={"fide": "1503014", "ecf": "=9 1", "national": "120787D"},
        ),
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
         "sex", "category", "fide", "ids", "seed_games", "seed_reached_2400"],
        [1.0, str(ada.player_id), "=1+1, Ada", "POR", "Guests", 1900.0, "accepted", 2001.0, "w",
         "junior", "1503014", "120787D ecf:=9 1", 30.0, "yes"],
        [2.0, str(ben.player_id), "Ben; 'quoted'", "", "", 1800.0, "accepted", "", "", "",
         "", "", "", ""],
        [3.0, str(haru.player_id), "春日", "JPN", "", haru.seed_rating or "", "accepted", "", "",
         "", "", "", "", ""],
    ]  # fmt: skip


def test_strangers_get_no_private_columns(anonymous: Person, event: Event) -> None:
    file = anonymous.get(f"{event.path}/entries.csv").content.decode()
    header, *_ = csv.reader(io.StringIO(file))

    assert header == [
        "number", "player", "name", "country", "club", "seed_rating", "state", "fide", "ids",
        "seed_games", "seed_reached_2400",
    ]  # fmt: skip
    text = anonymous.get(f"{event.path}/entries.ndjson").content.decode()
    assert not {"birth_year", "sex", "category"} & json.loads(text.splitlines()[0]).keys()


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_an_import_reads_the_file_and_leaves_out_who_does_not_play(
    organiser: Person, event: Event, form: str
) -> None:
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
        rows = [(row["player"], row["action"]) for row in response.json()["rows"]]
        assert [(player["id"], player["name"], action) for player, action in rows] == [
            (ada.player_id, "=1+1, Ada", "known"),
            (None, "Ben; 'quoted'", "left_out"),
            (haru.player_id, "春日", "known"),
        ]
    first, second = entered(copy)
    assert (first[0], second[0]) == (ada.player_id, haru.player_id)
    assert first[1:2] + first[3:] == (1900, 2001, "w", "junior")


def test_an_edited_file_enters_the_new_lines_and_names_what_it_does_not_change(
    organiser: Person, event: Event
) -> None:
    file = organiser.get(f"{event.path}/entries.csv").content.decode()
    edited = file.replace("Guests,1900", "Rooks,1950") + ",,Eva,FRA,,1500,,1990,f,,4100018,B77,,\n"
    lines = organiser.post(f"{event.path}/entries/import", edited, content_type="text/csv").json()

    assert [(line["action"], line["differs"]) for line in lines["rows"]] == [
        ("entered", ["seed_rating", "club"]), ("entered", []), ("entered", []), ("created", []),
    ]  # fmt: skip
    assert lines["left_out"] == []
    again = organiser.get(f"{event.path}/entries.csv").content.decode().splitlines()
    assert again[3].split(",", 2)[2] == "Eva,FRA,,1500,accepted,1990,w,,4100018,B77,,"


def test_an_empty_installation_reads_the_file_back_byte_for_byte(
    organiser: Person, event: Event
) -> None:
    file = organiser.get(f"{event.path}/entries.csv").content.decode()
    moved = "\n".join(
        ",".join(["", "", line.split(",", 2)[2]]) if number else line
        for number, line in enumerate(file.splitlines())
    )
    copy = make_event(organiser, slug="copy").step("open")
    Player.objects.update(name="another", folded_name="another", external_ids={})
    assert organiser.post(f"{copy.path}/entries/import", moved, content_type="text/csv").json()
    copy.step("start")
    again = organiser.get(f"{copy.path}/entries.csv").content.decode().splitlines()

    assert [line.split(",", 2)[2] for line in again] == [
        line.split(",", 2)[2] for line in file.splitlines()
    ]


def test_a_filter_selects_the_rows_of_the_file(organiser: Person, event: Event) -> None:
    last = event.tournament.entries.order_by("pairing_number").last()
    organiser.post(f"{event.path}/entries/{last.pk}/withdraw")
    rows = sheet_of(organiser.get(f"{event.path}/entries.xlsx?state=withdrawn"))

    assert [row[1] for row in rows[1:]] == [str(last.player_id)]
