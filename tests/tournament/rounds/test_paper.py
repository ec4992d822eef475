"""Sheets to print: PDFs for those who may see them, with every name readable or as code points."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
import typst
from django.conf import settings

from games.core.tables import typesetting
from games.play import sheets as record_sheets
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses
from tests.tournament.handicaps import make_handicap_event
from tournament.core import sheets
from tournament.entries import cards

NOON = datetime(2026, 5, 2, 12, 0, tzinfo=UTC)
NAMES = ["Łukasz Ødegård", "Ωμέγα Νίκη", "Жанна Щербакова", "春日 Tarō", "יוסף", "Ñandú"]
SHEETS = [
    "standings.pdf",
    "crosstable.pdf",
    "crosstable.pdf?shape=square",
    "prizes.pdf",
    "clubs.pdf",
    "cards.pdf",
    "rounds/1/pairings.pdf",
    "rounds/1/pairings.pdf?by=name",
    "rounds/1/slips.pdf",
    "rounds/1/sheets.pdf",
]
SheetData = list[Mapping[str, Any]]


@pytest.fixture
def event(organiser: Person) -> Event:
    """Six players of five scripts, the first round played, the second drafted."""
    event = make_event(organiser, time_zone="Asia/Tokyo", place="Câmara")
    players = make_players(len(NAMES))
    for player, name in zip(players, NAMES, strict=True):
        player.name = name
        player.club = "Clube"
        player.save()
    event.enter(*players)
    event.step("open", "start").play(1)
    assert organiser.post(f"{event.path}/rounds/2/pair").status_code == 200
    return event


@cache
def own_fonts() -> Any:
    return typst.Fonts(include_system_fonts=False)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> SheetData:
    """The data of each sheet that is printed, at noon and with typst's own fonts only."""
    real = typesetting.typeset
    printed: SheetData = []

    def typeset(template: str, data: Mapping[str, Any]) -> bytes:
        printed.append(json.loads(json.dumps(data)))
        return real(template, data)

    monkeypatch.setattr(typesetting, "fonts", own_fonts)
    monkeypatch.setattr(typesetting, "typeset", typeset)
    monkeypatch.setattr(sheets, "now", lambda: NOON)
    return printed


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sheet_is_a_pdf(
    anonymous: Person, event: Event, printed: SheetData, sheet: str
) -> None:
    answer = anonymous.get(f"{event.path}/{sheet}")

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF-")
    assert answer["Content-Disposition"].startswith('inline; filename="spring.')
    assert answer.content == anonymous.get(f"{event.path}/{sheet}").content
    data = printed[-1]
    assert data["title"] == "Spring Open"
    assert data["place"] == "Câmara, 1 May 2026 to 3 May 2026"
    assert data["printed"] == "printed 2 May 2026, 21:00"
    assert data["source"] == f"{settings.PUBLIC_URL}/e/spring"


@pytest.mark.parametrize(
    ("sheet", "subtitle"),
    [
        ("standings.pdf", "Standings, after round 1 of 3"),
        ("crosstable.pdf", "Crosstable, after round 1 of 3"),
        ("prizes.pdf", "Prizes, after round 1 of 3"),
        ("clubs.pdf?best=2", "The best 2 of each club, after round 1 of 3"),
        ("cards.pdf", "Player cards"),
        ("rounds/1/slips.pdf", "Result slips of round 1 of 3"),
        ("rounds/1/sheets.pdf", "Record sheets of round 1 of 3"),
        ("rounds/2/pairings.pdf", "Pairings of round 2 of 3 – a draft, not published"),
    ],
)
def test_a_sheet_has_a_subtitle(
    organiser: Person, event: Event, printed: SheetData, sheet: str, subtitle: str
) -> None:
    assert organiser.get(f"{event.path}/{sheet}").status_code == 200

    assert printed[-1]["subtitle"] == subtitle


def test_a_sheet_is_in_the_language_of_the_reader(
    organiser: Person, event: Event, printed: SheetData
) -> None:
    response = organiser.get(f"{event.path}/rounds/1/slips.pdf", Accept_Language="de")

    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))
    data = printed[-1]
    assert data["subtitle"] == "Ergebniszettel, Runde 1 von 3"
    assert data["place"] == "Câmara, 1. Mai 2026 bis 3. Mai 2026"
    assert data["printed"] == "gedruckt am 2. Mai 2026, 21:00"
    assert data["slips"][0]["place"] == "Runde 1, Brett 1"
    assert data["words"]["language"] == "de"
    assert data["words"]["second_signature"] == "Unterschrift, Nachziehender"

    organiser.get(f"{event.path}/rounds/1/sheets.pdf", Accept_Language="fr")
    layout = printed[-1]["layouts"][0]
    assert layout["conditions"] == "*Star, plateau 4, règle du gâteau"
    assert layout["notation"].startswith("Un coup : lettre du secteur")

    organiser.get(f"{event.path}/rounds/2/pairings.pdf", Accept_Language="de")
    (part,) = printed[-1]["parts"]
    assert part["columns"][0]["title"] == "Brett"
    assert printed[-1]["subtitle"] == "Paarungen, Runde 2 von 3 – ein Entwurf, nicht veröffentlicht"


@pytest.mark.parametrize(
    ("language", "sheet", "subtitle", "titles"),
    [
        ("de", "standings.pdf", "Tabelle, nach Runde 1 von 3",
         ["Rang", "Nr.", "Name", "Land", "Wertungszahl", "Punkte", "BH/C1", "BH", "SB"]),
        ("fr", "crosstable.pdf", "Grille américaine, après la ronde 1 sur 3",
         ["Ligne", "Nom", "1", "Points"]),
        ("de", "prizes.pdf", "Preise, nach Runde 1 von 3",
         ["Preis", "Platz", "Nr.", "Name", "Betrag"]),
        ("fr", "clubs.pdf?best=2", "Les 2 meilleurs de chaque club, après la ronde 1 sur 3",
         ["Rang", "Club", "Points", "Manque", "Joueurs"]),
        ("de", "performances.pdf", "Wertungen",
         ["Name", "Partien", "Punkte", "Erwartet", "Turnierleistung", "Vorher", "Änderung",
          "Nachher"]),
    ],
)  # fmt: skip
def test_a_table_is_in_the_language_of_the_reader(
    organiser: Person,
    event: Event,
    printed: SheetData,
    language: str,
    sheet: str,
    subtitle: str,
    titles: list[str],
) -> None:
    response = organiser.get(f"{event.path}/{sheet}", Accept_Language=language)

    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))
    data = printed[-1]
    assert data["subtitle"] == subtitle
    assert [column["title"] for part in data["parts"] for column in part["columns"]] == titles


def test_letters_without_a_font_are_printed_in_latin_ones(
    anonymous: Person, event: Event, printed: SheetData
) -> None:
    assert anonymous.get(f"{event.path}/standings.pdf").status_code == 200

    (part,) = printed[-1]["parts"]
    assert {row[2] for row in part["rows"]} == {*NAMES} - {"春日 Tarō"} | {"[ChunRi] Tarō"}
    assert printed[-1]["name_note"] == "Not printed in their script: [ChunRi] Tarō."
    assert printed[-1]["script_note"] == (
        "In brackets: Latin letters or numbers, because no font of this service has: Chinese"
        " characters. The page itself, printed from a browser, shows the names as they are written."
    )


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("井上", "[JingShang]"),
        ("翔太" * 40, f"[{('XiangTai' * 8)[:60]}]"),
        ("♟", "[chess_pawn]"),
        ("\ue000", "[E000]"),
        ("ー", "[30FC]"),
    ],
)
def test_the_latin_letters_of_others(letters: str, expected: str) -> None:
    assert typesetting.in_latin(letters) == expected


def test_a_sheet_without_missing_letters_has_no_note(
    organiser: Person, anonymous: Person, printed: SheetData
) -> None:
    make_event(organiser, name="Ωδή Žluť").step("open")

    assert anonymous.get("tournaments/spring/standings.pdf").status_code == 200

    assert (printed[-1]["title"], printed[-1]["name_note"], printed[-1]["script_note"]) == (
        "Ωδή Žluť",
        "",
        "",
    )


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
    assert printed[-1]["remark"] == "Boards with a * were set by hand."


def test_an_earlier_round_is_printed_from_its_snapshot(
    organiser: Person, event: Event, printed: SheetData
) -> None:
    organiser.get(f"{event.path}/standings.pdf?round=1")
    before = printed[-1]["parts"]
    game = event.games(1)[0]
    rule_game(game, by=organiser.account, reason="the score was reversed", result="10-11")
    settle()

    organiser.get(f"{event.path}/standings.pdf?round=1")

    assert printed[-1]["parts"] == before
    assert "Corrected since: " in printed[-1]["remark"]
    assert game.first.name in printed[-1]["remark"]

    organiser.get(f"{event.path}/standings.pdf?round=1", Accept_Language="fr")
    assert re.match(r"État au \d+ \w+ \d{4}, \d\d:\d\d Asia/Tokyo\. Corr", printed[-1]["remark"])


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


def test_a_player_card_has_a_line_for_each_round(
    organiser: Person, event: Event, printed: SheetData
) -> None:
    address = f"{event.path}/cards.pdf"
    assert organiser.get(address, **{"Accept-Language": "de"}).status_code == 200
    assert printed[-1]["heads"] == ["Runde", "Brett", "Gegen", "Ergebnis", "Punkte"]
    assert (printed[-1]["rounds"], printed[-1]["note"]) == (event.tournament.rounds, "")


def least_to_win(handicap: str) -> str:
    """Return what wins on a board of ten rings, on which both scores add up to 51."""
    seat, points, _ = handicap.split()
    given = int(points) if seat == "first:" else -int(points)
    return f"{26 - given} points on the board win for the first, {26 + given} for the second"


@pytest.mark.parametrize(
    ("settings", "handicaps"),
    [
        ({}, ["", "second: 3 stones"]),
        ({"games_per_pairing": 2, "handicap_kinds": ["points"], "handicap_cap": 5},
         ["second: 2 points", "first: 2 points", "first: 5 points", "second: 5 points"]),
        ({"handicaps": "none"}, ["", ""]),
    ],
)  # fmt: skip
def test_the_slips_have_the_handicaps(
    organiser: Person, printed: SheetData, settings: dict[str, Any], handicaps: list[str]
) -> None:
    event = make_handicap_event(organiser, **settings)
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


class TestLargeSheets:
    def test_a_wide_table_is_split_and_repeats_number_and_name(
        self, organiser: Person, anonymous: Person, printed: SheetData
    ) -> None:
        event = make_event(organiser, rounds=1)
        event.enter(*make_players(60))
        event.step("open", "start").play(1)

        address = f"{event.path}/crosstable.pdf?shape=square&order=number"
        assert anonymous.get(address).status_code == 200

        data = printed[-1]
        titles = [[column["title"] for column in part["columns"]] for part in data["parts"]]
        assert data["flipped"]
        assert len(titles) > 1
        assert min(map(len, titles)) > max(map(len, titles)) / 2
        assert {tuple(part[:2]) for part in titles} == {("Line", "Name")}
        across = [title for part in titles for title in part[2:]]
        assert across == [*(str(number) for number in range(1, 61)), "Points"]

    @pytest.mark.parametrize(
        ("sheet", "limit"),
        [
            ("standings.pdf", "typesetting.MOST_TABLE_CELLS"),
            ("cards.pdf", "cards.MOST_SLIP_CODES"),
            ("rounds/1/slips.pdf", "cards.MOST_SLIP_CODES"),
            ("rounds/1/sheets.pdf", "record_sheets.MOST_SHEETS"),
        ],
    )
    def test_a_sheet_that_is_too_large_is_rejected(
        self,
        anonymous: Person,
        event: Event,
        monkeypatch: pytest.MonkeyPatch,
        sheet: str,
        limit: str,
    ) -> None:
        modules = {
            "typesetting": typesetting,
            "cards": cards,
            "record_sheets": record_sheets,
        }
        module = modules[limit.split(".")[0]]
        monkeypatch.setattr(module, limit.split(".")[1], 2)

        problem_in(anonymous.get(f"{event.path}/{sheet}"), 422, "too_many_for_paper")

    def test_one_sheet_is_printed_at_a_time(
        self, anonymous: Person, event: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typesetting, "LONGEST_PDF_WAIT", 0.01)

        with typesetting.LOCK:
            answer = anonymous.get(f"{event.path}/cards.pdf")

        problem_in(answer, 503, "printing")
        assert int(answer["Retry-After"]) > 0
        assert anonymous.get(f"{event.path}/cards.pdf").status_code == 200

    def test_few_sheets_wait_for_another(self, anonymous: Person, event: Event) -> None:
        for _ in range(3):
            typesetting.LINE.acquire()
        try:
            answer = anonymous.get(f"{event.path}/cards.pdf")  # at once, holding no thread
        finally:
            typesetting.LINE.release(3)
        problem_in(answer, 503, "printing")
        assert anonymous.get(f"{event.path}/cards.pdf").status_code == 200


def test_a_draft_is_printed_for_its_directors(everyone: dict[str, Person], event: Event) -> None:
    for sheet in ("pairings", "slips", "sheets"):
        assert statuses(everyone, "GET", f"{event.path}/rounds/2/{sheet}.pdf") == {
            "organiser": 200,
            "player": 404,
            "stranger": 404,
            "anonymous": 404,
        }


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if "round" not in sheet])
def test_a_private_event_is_not_found(
    everyone: dict[str, Person], organiser: Person, sheet: str
) -> None:
    event = make_event(organiser, public=False).step("open")

    assert statuses(everyone, "GET", f"{event.path}/{sheet}") == {
        "organiser": 200,
        "player": 404,
        "stranger": 404,
        "anonymous": 404,
    }


def test_unknown_sheets_are_rejected(anonymous: Person, event: Event) -> None:
    problem_in(anonymous.get(f"{event.path}/rounds/9/slips.pdf"), 404)
    problem_in(
        anonymous.get(f"{event.path}/rounds/1/pairings.pdf?by=colour"), 422, "invalid_parameter"
    )
    problem_in(anonymous.get("tournaments/none/cards.pdf"), 404)


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_paper_is_a4_or_letter(
    anonymous: Person, event: Event, printed: SheetData, sheet: str
) -> None:
    address = f"{event.path}/{sheet}{'&' if '?' in sheet else '?'}paper="

    assert anonymous.get(f"{address}letter").status_code == 200
    assert printed[-1]["paper"] == "letter"
    problem = problem_in(anonymous.get(f"{address}a3"), 422, "invalid_parameter")
    assert problem["valid"] == ["a4", "letter"]


@pytest.mark.parametrize("count", [0, 1])
def test_an_event_with_few_players_is_printed(
    organiser: Person, anonymous: Person, printed: SheetData, count: int
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(count))
    event.step("open")

    for sheet in ("standings.pdf", "crosstable.pdf", "prizes.pdf", "clubs.pdf", "cards.pdf"):
        assert anonymous.get(f"{event.path}/{sheet}").status_code == 200
