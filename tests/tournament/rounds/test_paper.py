"""What is printed of a round: its pairings, result slips and record sheets."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.events import Event
from tests.people import Person, make_person
from tests.tournament.handicaps import make_handicap_event
from tests.tournament.sheets import SheetData, make_sheet_event

pytestmark = pytest.mark.any_database


@pytest.fixture(scope="module")
def printable(rows_of_module: None) -> Event:
    return make_sheet_event(make_person("Olga"))


@pytest.fixture
def event(db: None, printable: Event) -> Event:
    return printable.again()


def test_pairings_by_name_have_a_row_for_each_player(
    anonymous: Person, event: Event, printed: SheetData
) -> None:
    """A right-to-left name is isolated, so that its number stays after it."""
    anonymous.get(f"{event.path}/rounds/1/pairings.pdf?by=name")

    (part,) = printed[-1]["parts"]
    assert [row[0] for row in part["rows"]] == [
        "Łukasz Ødegård (1)",
        "Ñandú (6)",
        "Ωμέγα Νίκη (2)",
        "Жанна Щербакова (3)",
        "\u2068יוסף\u2069 (5)",
        "[ChunRi] Tarō (4)",
    ]


def test_boards_set_by_hand_are_marked(organiser: Person, event: Event, printed: SheetData) -> None:
    event.tournament.pairings.filter(round__number=1, board_number=2).update(by_hand=True)

    organiser.get(f"{event.path}/rounds/1/pairings.pdf")

    (part,) = printed[-1]["parts"]
    assert [row[0] for row in part["rows"]] == ["1", "2*", "3"]


def test_the_codes_are_addresses_of_games_and_players(
    organiser: Person, event: Event, printed: SheetData
) -> None:
    entries = event.tournament.entries.order_by("pairing_number")
    for sheet, collection, ids in (
        ("rounds/1/slips.pdf", "games", [game.pk for game in event.games(1)]),
        ("rounds/1/sheets.pdf", "games", [game.pk for game in event.games(1)]),
        ("cards.pdf", "players", [entry.player_id for entry in entries]),
    ):
        organiser.get(f"{event.path}/{sheet}")
        codes = printed[-1]["codes"]
        assert [code["address"] for code in codes] == [
            f"http://localhost:8000/{collection}/{number}" for number in ids
        ]
        assert all(ElementTree.fromstring(code["picture"]).tag.endswith("svg") for code in codes)


def test_a_record_sheet_has_the_place_the_players_and_the_conditions(
    organiser: Person, event: Event, printed: SheetData
) -> None:
    organiser.get(f"{event.path}/rounds/1/sheets.pdf")

    data = printed[-1]
    assert data["sheets"][0] == {
        "place": "Round 1, board 1",
        "first": "Łukasz Ødegård (1)",
        "second": "Ωμέγα Νίκη (2)",
        "layout": 0,
        "code": 0,
    }
    assert [layout["conditions"] for layout in data["layouts"]] == ["*Star, board 4, pie rule"]
    board, lines = data["pictures"][0]
    assert {"S40", "T40"} <= set(re.findall("<text[^>]*>([^<]*)", board))
    assert set(re.findall("<text[^>]*>([^<]*)", lines)) >= {"first", "second", "1", "25"}


def least_to_win(handicap: str) -> str:
    """Return what wins on a board of ten rings, on which both scores add up to 51."""
    seat, points, _ = handicap.split()
    given = int(points) if seat == "first:" else -int(points)
    return f"{26 - given} points on the board win for the first, {26 + given} for the second"


@pytest.mark.parametrize(
    ("settings", "handicaps"),
    [
        ({}, ["", "second: 3 stones (S60 A60 *60)"]),
        ({"games_per_pairing": 2, "handicap_kinds": ["points"], "handicap_cap": 5},
         ["second: 2 points", "first: 2 points", "first: 5 points", "second: 5 points"]),
        ({"handicaps": "none"}, ["", ""]),
    ],
)  # fmt: skip
def test_the_slips_have_the_handicaps(
    organiser: Person, printed: SheetData, settings: dict[str, Any], handicaps: list[str]
) -> None:
    event = make_handicap_event(organiser, slug="handicaps", **settings)
    event.publish(1)

    assert organiser.get(f"{event.path}/rounds/1/slips.pdf").status_code == 200
    note = "write the count of the board, without these points"
    found = [slip["handicap"] for slip in printed[-1]["slips"]]
    assert found == [
        f"{handicap}; {note}: {least_to_win(handicap)}" if "points" in handicap else handicap
        for handicap in handicaps
    ]

    assert organiser.get(f"{event.path}/rounds/1/sheets.pdf").status_code == 200
    sheets, layouts = printed[-1]["sheets"], printed[-1]["layouts"]
    conditions = [layouts[sheet["layout"]]["conditions"] for sheet in sheets]
    assert [text.partition("handicap: ")[2] for text in conditions] == [
        f"{handicap} ({note}; {least_to_win(handicap)})" if "points" in handicap else handicap
        for handicap in handicaps
    ]

    for query in ("", "?by=name"):
        assert organiser.get(f"{event.path}/rounds/1/pairings.pdf{query}").status_code == 200
        (part,) = printed[-1]["parts"]
        assert ("Handicap" in [column["title"] for column in part["columns"]]) == any(handicaps)
        if any(handicaps):
            assert {row[-1] for row in part["rows"]} <= {*handicaps}
