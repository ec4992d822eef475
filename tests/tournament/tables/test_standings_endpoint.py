"""Standings, crosstable and prizes by API: formats, terms, records."""

import csv
import io
import re
from html import unescape

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Report
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player, player_of, problem_in
from tournament.entries.byes import request_bye
from tournament.models import Bye, Tournament

QUERIES = {
    "standings": 7,
    "crosstable": 7,
    "prizes": 5,
    "clubs?round=1": 5,
    "prizes.pdf": 5,
    "cards.pdf": 2,
    "rounds/1/pairings.pdf": 5,
}
"""The queries of tables and sheets; that they do not grow, the tests of the API see."""


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Two of three rounds by four players; the first seat wins every game 11-10."""
    event = make_event(make_person("Olga"), tiebreaks=["PTS", "BH", "SB"])
    event.enter(*make_players(4))
    event.step("open", "start")
    event.play(1)
    event.play(2)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def test_a_round_of_byes_alone_awards_their_points(organiser: Person) -> None:
    event = make_event(organiser, slug="byes", rounds=2)
    entries = event.enter(*make_players(2))
    event.step("open", "start").play(1)
    request_bye(entries[0], 2, Bye.Kind.HALF, by=organiser.account)
    event.play(2)  # the other has the pairing-allocated bye

    for query in ("", "?round=2", "?round=2&tiebreaks=PTS"):
        rows = organiser.get(f"{event.path}/standings{query}").json()["rows"]
        assert [row["values"]["PTS"] for row in rows] == ["1.5", "1"], query
    first = organiser.get(f"{event.path}/standings?round=1").json()["rows"]
    assert [row["values"]["PTS"] for row in first] == ["1", "0"]


def test_the_terms_of_each_value(anonymous: Person, event: Event) -> None:
    rows = anonymous.get(f"{event.path}/standings?terms=1").json()["rows"]

    for row in rows:
        total = sum(float(term["value"]) for term in row["terms"]["BH"])
        assert total == float(row["values"]["BH"])
        assert {term["round"] for term in row["terms"]["BH"]} == {1, 2}
    assert "terms" not in anonymous.get(f"{event.path}/standings").json()["rows"][0]


def test_a_crosstable_by_rank_and_by_number(anonymous: Person, event: Event) -> None:
    by_number = anonymous.get(f"{event.path}/crosstable?order=number").json()
    by_rank = anonymous.get(f"{event.path}/crosstable").json()

    assert [line["number"] for line in by_number["rows"]] == [1, 2, 3, 4]
    assert [line["line"] for line in by_rank["rows"]] == [1, 2, 3, 4]
    assert by_number["digest"] == by_rank["digest"]
    assert by_number["columns"] == ["1", "2"]
    for line in by_number["rows"]:
        won = sum(cell.endswith("1") for cell in line["cells"])
        assert line["points"] == str(won)


def test_a_square_has_a_star_on_its_diagonal(anonymous: Person, event: Event) -> None:
    square = anonymous.get(f"{event.path}/crosstable?shape=square&order=number").json()

    assert [line["cells"][line["line"] - 1] for line in square["rows"]] == ["*"] * 4


TAGS = '[Game "star-star"]\n[Board "4"]\n[Swap "yes"]\n\n'
AGREED = TAGS + "1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10"
FULL = TAGS + " ".join(
    f"{sector}{ring}{offset}"
    for ring in range(1, 5)
    for sector in "*STAR"
    for offset in range(ring)
)


class TestStarsAndQuarks:
    @pytest.fixture
    def proven(self, organiser: Person, request: pytest.FixtureRequest) -> Event:
        """One round of one game, which has the record of a full board, or another one."""
        tiebreaks = ["PTS", "STARS", "QUARKS", "MARGIN"]
        event = make_event(organiser, slug="proven", rounds=1, tiebreaks=tiebreaks)
        players = [make_player(name) for name in ("Ada", "Ben")]
        event.enter(*(player_of(person) for person in players))
        event.step("open", "start")
        (game,) = event.publish()
        for person in players:
            path = f"games/{game.pk}/reports"
            record = getattr(request, "param", FULL)
            assert person.post(path, record, content_type="text/plain").status_code == 202
        settle()
        return event

    def test_they_are_counted_from_the_verdict(self, organiser: Person, proven: Event) -> None:
        assert organiser.post(f"{proven.path}/rounds/1/complete").status_code == 200

        rows = organiser.get(f"{proven.path}/standings").json()["rows"]

        detail = Report.objects.latest("pk").outcome["detail"]  # type: ignore[union-attr]
        seats = {proven.games(1)[0].first.name: "first", proven.games(1)[0].second.name: "second"}
        for row in rows:
            counted = detail[seats[row["player"]["name"]]]
            assert row["values"]["STARS"] == str(counted["stars"])
            assert row["values"]["QUARKS"] == str(counted["quarks"])
        assert sorted(row["values"]["MARGIN"] for row in rows) == ["-1", "1"]

    @pytest.mark.parametrize("proven", [AGREED], indirect=True)
    def test_an_agreed_score_leaves_them_open(self, organiser: Person, proven: Event) -> None:
        assert organiser.post(f"{proven.path}/rounds/1/complete").status_code == 200

        table = organiser.get(f"{proven.path}/standings").json()

        assert [row["tiebreak"] for row in table["empty"]] == ["STARS", "QUARKS"]
        assert sorted(row["values"]["MARGIN"] for row in table["rows"]) == ["-1", "1"]

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

    for name in ("standings", "crosstable"):
        listed = anonymous.get(f"{event.path}/{name}").json()["rows"]
        assert {row["number"] for row in listed if row["withdrawn"]} == {2}
        text = anonymous.get(f"{event.path}/{name}.csv").content.decode()
        marks = {int(row["number"]): row["withdrawn"] for row in csv.DictReader(io.StringIO(text))}
        assert marks == {1: "", 2: "yes", 3: "", 4: ""}


def test_an_expelled_player_is_not_ranked(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    """The results count for the opponents: their points and tie-breaks stay as they are."""
    before = {row["number"]: row for row in anonymous.get(f"{event.path}/standings").json()["rows"]}
    first = next(number for number, row in before.items() if row["rank"] == 1)
    path = f"{event.path}/entries/{before[first]['id']}"
    body = {"expelled": "a second phone", "reason": "decided by the arbiters"}
    problem_in(organiser.patch(path, body), 409, "playing")
    organiser.post(f"{path}/withdraw", {})
    problem = problem_in(organiser.patch(path, body), 409, "acceptance_needed")
    assert organiser.patch(f"{path}?dry_run=1", body).json()["accept"] == problem["accept"]
    ranks = {row["number"]: (row["before"], row["after"]) for row in problem["rank_changes"]}
    assert (ranks[first], problem["accept"]) == ((1, None), ["ranks_change"])
    accepted = body | {"accept": problem["accept"]}
    assert organiser.patch(path, accepted).json()["expelled"] == "a second phone"
    problem_in(organiser.post(f"{path}/return", {}), 409, "expelled")

    table = anonymous.get(f"{event.path}/standings").json()
    assert [row["values"] for row in table["rows"]] == [
        row["values"] for number, row in before.items() if number != first
    ]
    assert table["rows"][0]["rank"] == 1
    assert [(row["number"], row["reason"]) for row in table["expelled"]] == [
        (first, "a second phone")
    ]
    lines = anonymous.get(f"{event.path}/crosstable").json()["rows"]
    assert [line["number"] for line in lines if line["rank"] is None] == [first]
    for name in ("standings", "crosstable", "prizes"):
        page = anonymous.get(f"{event.path}/{name}.html").content.decode()
        assert re.search(r"Expelled and not ranked: [^(]+ \(a second phone\)", page), name
    for name in ("standings.csv", "crosstable.csv", "standings.trf", "clubs", "standings.pdf"):
        assert anonymous.get(f"{event.path}/{name}").status_code == 200
    accepted = {"expelled": None, "reason": "on appeal", "accept": ["ranks_change"]}
    back = organiser.patch(path, accepted).json()["rank_changes"]
    assert {row["number"]: (row["after"], row["before"]) for row in back} == ranks
    assert len(anonymous.get(f"{event.path}/standings").json()["rows"]) == 4


@pytest.mark.parametrize(
    ("day", "codes", "is_noted"),
    [("2026-02-28", "PTS,BH", True), ("2026-02-28", "PTS", False), ("2026-03-01", "PTS,BH", False)],
)
def test_the_tables_of_an_older_event_name_the_edition(
    anonymous: Person, event: Event, day: str, codes: str, is_noted: bool
) -> None:
    Tournament.objects.update(starts_on=day)
    note = "he tie-breaks are by FIDE's C.07 as in force from 2026-03-01; the event began earlier"

    for table in ("standings", "crosstable"):
        path = f"{event.path}/{table}"
        head = anonymous.get(f"{path}?tiebreaks={codes}").json()
        assert head["edition"] == (f"t{note}" if is_noted else None)
        page = unescape(anonymous.get(f"{path}.html?tiebreaks={codes}").content.decode())
        assert (f"T{note}." in page) == is_noted


def test_standings_are_provisional_until_the_event_is_final(
    anonymous: Person, event: Event
) -> None:
    event.play(3)
    states = []
    for step in ("review", "finalise"):
        event.step(step)
        states.append(anonymous.get(f"{event.path}/standings").json()["provisional"])

    assert states == [True, False]


def test_the_number_of_queries(
    anonymous: Person, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for path, queries in QUERIES.items():
        with django_assert_num_queries(queries):
            assert anonymous.get(f"{event.path}/{path}").status_code == 200
