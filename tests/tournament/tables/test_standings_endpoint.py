"""Standings, crosstable and prizes by API: formats, terms, records."""

import csv
import io
import json

import pytest
from pytest_django import DjangoAssertNumQueries
from python_calamine import CalamineWorkbook

from games.models import Report
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, make_player, player_of, problem_in
from tournament.entries.byes import request_bye
from tournament.models import Bye

CONTENT_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "ndjson": "application/x-ndjson; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "trf": "text/plain; charset=utf-8",
    "trf26": "text/plain; version=26; charset=utf-8",
}
PATHS = [
    *(
        (f"standings.{suffix}", suffix)
        for suffix in ("json", "csv", "ndjson", "html", "trf", "trf26")
    ),
    *((f"crosstable.{suffix}", suffix) for suffix in ("json", "csv", "ndjson", "html")),
    *((f"prizes.{suffix}", suffix) for suffix in ("json", "csv", "ndjson", "html")),
]

QUERIES = {
    "standings": 7,
    "crosstable": 7,
    "prizes": 5,
    "standings?round=1": 7,
    "clubs?round=1": 5,
    "standings.pdf": 7,
    "prizes.pdf": 5,
    "cards.pdf": 2,
    "rounds/1/pairings.pdf": 4,
}
"""The queries of each table after the last round and after an earlier one, and of sheets."""


@pytest.fixture
def event(organiser: Person) -> Event:
    """Two of three rounds by four players; the first seat wins every game 11-10."""
    event = make_event(organiser, tiebreaks=["PTS", "BH", "SB"])
    event.enter(*make_players(4))
    event.step("open", "start")
    event.play(1)
    event.play(2)
    return event


def test_a_round_of_byes_alone_awards_their_points(organiser: Person) -> None:
    event = make_event(organiser, rounds=2)
    entries = event.enter(*make_players(2))
    event.step("open", "start").play(1)
    for entry in entries:
        request_bye(entry, 2, Bye.Kind.HALF, by=organiser.account)
    event.play(2)

    for query in ("", "?round=2", "?round=2&tiebreaks=PTS"):
        rows = organiser.get(f"{event.path}/standings{query}").json()["rows"]
        assert [row["values"]["PTS"] for row in rows] == ["1.5", "0.5"], query
    first = organiser.get(f"{event.path}/standings?round=1").json()["rows"]
    assert [row["values"]["PTS"] for row in first] == ["1", "0"]


def test_each_format_by_its_suffix(anonymous: Person, event: Event) -> None:
    for path, suffix in PATHS:
        answer = anonymous.get(f"{event.path}/{path}")

        assert (path, answer.status_code, answer["Content-Type"]) == (
            path,
            200,
            CONTENT_TYPES[suffix],
        )
        if suffix != "json":
            extension = "trf" if suffix == "trf26" else suffix
            assert answer["Content-Disposition"].endswith(f'.{extension}"'), path


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        ("text/html,application/xhtml+xml,*/*;q=0.8", "html"),
        ("text/csv;q=0.5, application/x-ndjson", "ndjson"),
        ("application/json, text/plain, */*", "json"),
        ("text/csv;q=nine", "csv"),
    ],
)
def test_a_format_by_accept(anonymous: Person, event: Event, accept: str, suffix: str) -> None:
    answer = anonymous.get(f"{event.path}/standings", Accept=accept)

    assert (answer.status_code, answer["Content-Type"]) == (200, CONTENT_TYPES[suffix])


def test_the_formats_agree(anonymous: Person, event: Event) -> None:
    def text(suffix: str) -> str:
        return anonymous.get(f"{event.path}/standings.{suffix}").content.decode()

    rows = json.loads(text("json"))["rows"]
    lines = list(csv.DictReader(io.StringIO(text("csv"))))

    assert [json.loads(line) for line in text("ndjson").splitlines()] == rows
    assert [[int(line["rank"]), int(line["number"]), line["PTS"]] for line in lines] == [
        [row["rank"], row["number"], row["values"]["PTS"]] for row in rows
    ]
    assert all(f"<td>{row['player']['name']}</td>" in text("html") for row in rows)


@pytest.mark.parametrize("path", ["standings", "crosstable", "prizes"])
def test_an_unknown_code_lists_the_valid_ones(anonymous: Person, event: Event, path: str) -> None:
    problem = problem_in(
        anonymous.get(f"{event.path}/{path}?tiebreaks=XYZ"), 422, "invalid_parameter"
    )
    assert "DE[/P]" in problem["valid"]


def test_the_terms_of_each_value(anonymous: Person, event: Event) -> None:
    rows = anonymous.get(f"{event.path}/standings?terms=1").json()["rows"]

    for row in rows:
        total = sum(float(term["value"]) for term in row["terms"]["BH"])
        assert total == float(row["values"]["BH"])
        assert {term["round"] for term in row["terms"]["BH"]} == {1, 2}
    assert "terms" not in anonymous.get(f"{event.path}/standings").json()["rows"][0]


HARMFUL_NAMES = ["=1+1", "+cmd", "-2", "@SUM(A1)", "\u00a0=1", 'He said "hi", twice', "<b>bold</b>"]


def test_a_name_is_no_formula_and_no_markup(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, prizes=[{"name": "=all", "amounts": [100]}])
    players = make_players(len(HARMFUL_NAMES) + 1)
    for player, name in zip(players, HARMFUL_NAMES, strict=False):
        player.name = name
        player.save()
    event.enter(*players)
    event.step("open", "start").play(1)

    for path in ("standings", "crosstable", "prizes"):
        text = anonymous.get(f"{event.path}/{path}.csv").content.decode()
        cells = [cell for line in csv.reader(io.StringIO(text)) for cell in line]
        assert [cell for cell in cells if cell.startswith(("=", "+", "@", "-"))] == []
        assert b"<b>" not in anonymous.get(f"{event.path}/{path}.html").content


def test_a_byte_order_mark_on_request(anonymous: Person, event: Event) -> None:
    with_mark = anonymous.get(f"{event.path}/standings.csv?bom=1").content
    assert with_mark == b"\xef\xbb\xbf" + anonymous.get(f"{event.path}/standings.csv").content


def test_a_crosstable_by_rank_and_by_number(anonymous: Person, event: Event) -> None:
    by_number = anonymous.get(f"{event.path}/crosstable?order=number").json()
    by_rank = anonymous.get(f"{event.path}/crosstable").json()

    assert [line["number"] for line in by_number["lines"]] == [1, 2, 3, 4]
    assert [line["line"] for line in by_rank["lines"]] == [1, 2, 3, 4]
    assert by_number["digest"] == by_rank["digest"]
    assert by_number["columns"] == ["1", "2"]
    for line in by_number["lines"]:
        won = sum(cell.endswith("1") for cell in line["cells"])
        assert line["points"] == str(won)


def test_a_square_has_a_star_on_its_diagonal(anonymous: Person, event: Event) -> None:
    square = anonymous.get(f"{event.path}/crosstable?shape=square&order=number").json()

    assert [line["cells"][line["line"] - 1] for line in square["lines"]] == ["*"] * 4


RECORD = '[Game "star-star"]\n[Board "4"]\n1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10'


class TestStarsAndQuarks:
    @pytest.fixture
    def proven(self, organiser: Person) -> Event:
        """One round of one game, which has a record."""
        event = make_event(organiser, rounds=1, tiebreaks=["PTS", "STARS", "QUARKS", "MARGIN"])
        players = [make_player(name) for name in ("Ada", "Ben")]
        event.enter(*(player_of(person) for person in players))
        event.step("open", "start")
        (game,) = event.publish()
        for person in players:
            path = f"games/{game.pk}/reports"
            assert person.post(path, RECORD, content_type="text/plain").status_code == 202
        settle()
        return event

    def test_they_are_counted_from_the_verdict(self, organiser: Person, proven: Event) -> None:
        assert organiser.post(f"{proven.path}/rounds/1/complete").status_code == 200

        rows = organiser.get(f"{proven.path}/standings").json()["rows"]

        detail = Report.objects.first().outcome["detail"]  # type: ignore[union-attr]
        seats = {proven.games(1)[0].first.name: "first", proven.games(1)[0].second.name: "second"}
        for row in rows:
            counted = detail[seats[row["player"]["name"]]]
            assert row["values"]["STARS"] == str(counted["stars"])
            assert row["values"]["QUARKS"] == str(counted["quarks"])
        assert sorted(row["values"]["MARGIN"] for row in rows) == ["-1", "1"]

    def test_they_are_empty_without_a_record_of_every_game(
        self, anonymous: Person, event: Event
    ) -> None:
        names = [event.games(1)[0].first.name, event.games(1)[0].second.name]

        table = anonymous.get(f"{event.path}/standings?tiebreaks=PTS,STARS").json()

        assert [row["values"]["STARS"] for row in table["rows"]] == [None] * 4
        (empty,) = table["empty"]
        assert empty["tiebreak"] == "STARS"
        assert empty["detail"].startswith("it needs every game proven by its record; the game of ")
        assert all(name in empty["detail"] for name in names)


def test_withdrawn_players_are_marked(organiser: Person, anonymous: Person, event: Event) -> None:
    entry = event.tournament.entries.get(pairing_number=2)
    assert organiser.post(f"{event.path}/entries/{entry.pk}/withdraw", {}).status_code == 200

    rows = anonymous.get(f"{event.path}/standings").json()["rows"]

    assert {row["number"] for row in rows if row["withdrawn"]} == {2}
    page = anonymous.get(f"{event.path}/standings.html").content.decode()
    assert page.count("<td>withdrawn</td>") == 1
    assert anonymous.get(f"{event.path}/standings.pdf").status_code == 200
    crosstable = anonymous.get(f"{event.path}/crosstable").json()["lines"]
    assert {line["number"] for line in crosstable if line["withdrawn"]} == {2}
    page = anonymous.get(f"{event.path}/crosstable.html").content.decode()
    assert page.count("<td>withdrawn</td>") == 1
    assert anonymous.get(f"{event.path}/crosstable.pdf").status_code == 200
    for name in ("standings", "crosstable"):
        text = anonymous.get(f"{event.path}/{name}.csv").content.decode()
        lines = list(csv.DictReader(io.StringIO(text)))
        sheet = CalamineWorkbook.from_filelike(
            io.BytesIO(anonymous.get(f"{event.path}/{name}.xlsx").content)
        ).get_sheet_by_index(0)
        header, *rows = sheet.to_python()
        for found in (lines, [dict(zip(header, row, strict=True)) for row in rows]):
            marks = {int(row["number"]): row["withdrawn"] for row in found}
            assert marks == {1: "", 2: "yes", 3: "", 4: ""}


@pytest.mark.parametrize("count", [2, 6])
def test_the_queries_do_not_grow(
    anonymous: Person,
    organiser: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(count))
    event.step("open", "start").play(1)

    for path, queries in QUERIES.items():
        with django_assert_num_queries(queries):
            assert anonymous.get(f"{event.path}/{path}").status_code == 200


def test_a_refusal_has_no_tag_of_the_content(organiser: Person) -> None:
    event = make_running(organiser, 2, slug="running")

    refused = organiser.get(f"{event.path}/crosstable?round=99")

    assert (refused.status_code, "ETag" in refused.headers) == (422, False)
