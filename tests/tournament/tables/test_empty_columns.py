"""Tie-breaks that nobody has a value of: the tables say why, and none of them fails."""

import io
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from python_calamine import CalamineWorkbook

from games.models import Player
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tests.tournament.conftest import login
from tournament.events.verification import verify_tournament
from tournament.rounds.cautions import find_cautions

pytestmark = pytest.mark.django_db

TABLES = [
    f"{table}{suffix}"
    for table in ("standings", "crosstable", "prizes", "clubs")
    for suffix in ("", ".csv", ".ndjson", ".html", ".pdf")
] + ["standings.trf", "standings.trf16", "standings.trf26"]
PAGES = ["", "/standings", "/crosstable", "/prizes", "/clubs", "/wall", "/players/1", "/run"]
BY_RECORD = ["PTS", "MARGIN", "STARS", "QUARKS", "BH"]
RESIGNED = '[Game "star-star"]\n[Board "4"]\n1. S20 T10 2. A10 resign'
SLIP = {
    "basis": "slip",
    "results": [{"board": 1, "result": "11-10"}, {"board": 2, "result": "1-0f"}],
}


def check_tables(event: Event, *people: Person) -> None:
    for person in people:
        for path in TABLES:
            answer = person.get(f"{event.path}/{path}")
            assert answer.status_code == 200, (path, answer.content)
    browser = login(event.owner)
    for path in PAGES:
        assert browser.get(f"/e/{event.tournament.slug}{path}").status_code == 200, path
    assert verify_tournament(event.stream) == []


def columns(person: Person, event: Event, query: str = "") -> dict[str, list[str | None]]:
    table = person.get(f"{event.path}/standings{query}").json()
    return {label: [row["values"][label] for row in table["rows"]] for label in table["tiebreaks"]}


def empty(person: Person, event: Event, query: str = "") -> dict[str, str]:
    table = person.get(f"{event.path}/standings{query}").json()
    return {row["tiebreak"]: row["detail"] for row in table["empty"]}


def warnings(body: dict[str, Any]) -> list[tuple[str, str]]:
    items = body["items"] if "items" in body else body["warnings"]
    return [(item["code"], item["detail"]) for item in items]


def make_slips(owner: Person, **settings: Any) -> Event:
    """Four players; round 1 is published."""
    prizes = [{"name": "all", "amounts": [100, 50]}]
    event = make_event(owner, **{"system": "dutch", "rounds": 1, "prizes": prizes} | settings)
    event.enter(*make_players(4))
    event.step("open", "start").publish(1)
    return event


def test_one_slip_breaks_no_table(organiser: Person, anonymous: Person) -> None:
    event = make_slips(organiser, tiebreaks=BY_RECORD)
    assert organiser.post(f"{event.path}/rounds/1/results", SLIP).status_code == 200
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200

    check_tables(event, organiser)

    found = columns(anonymous, event)
    assert found["MARGIN"] == found["STARS"] == found["QUARKS"] == [None] * 4
    assert None not in found["BH"]
    assert empty(anonymous, event) == empty(anonymous, event, "?round=1")
    assert empty(anonymous, event).keys() == {"MARGIN", "STARS", "QUARKS"}
    note = "MARGIN is left empty: it needs every game proven by its record"
    assert note in anonymous.get(f"{event.path}/standings.html").content.decode()
    assert note in login(organiser).get("/e/spring/standings").content.decode()
    event.step("review", "finalise")
    check_tables(event, anonymous)


def test_one_resigned_game_breaks_no_table(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, rounds=1, tiebreaks=["PTS", "STARS", "MARGIN"])
    people = [make_player(name) for name in ("Ada", "Ben")]
    event.enter(*map(player_of, people))
    event.step("open", "start")
    (game,) = event.publish()
    for person in people:
        sent = person.post(f"games/{game.pk}/reports", RESIGNED, content_type="text/plain")
        assert sent.status_code == 202
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200

    assert empty(anonymous, event).keys() == {"MARGIN"}
    (warning,) = organiser.get(f"{event.path}/rounds/1/results").json()["warnings"]
    assert (warning["boards"], warning["detail"].rpartition(": ")[2]) == ([1], "MARGIN")


def test_columns_fill_again_once_every_game_is_proven(organiser: Person, anonymous: Person) -> None:
    event = make_slips(organiser, tiebreaks=["PTS", "MARGIN"], rounds=2)
    for game in event.games(1):
        event.rule(game, FIRST_WINS)
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200

    assert columns(anonymous, event)["MARGIN"] == ["1", "1", "-1", "-1"]
    assert empty(anonymous, event) == {}


class TestWarnings:
    def test_at_the_set_up(self, organiser: Person) -> None:
        body = {"name": "Spring", "starts_on": "2026-05-01", "ends_on": "2026-05-03",
                "ruleset": "star-star", "board_size": "4", "system": "dutch", "rounds": 3,
                "slug": "spring"}  # fmt: skip
        created = organiser.post("tournaments", body | {"tiebreaks": ["PTS", "MARGIN"]}).json()
        ((code, detail),) = warnings(created)
        assert code == "tiebreak_needs_records"
        assert detail.endswith("leaves these tie-breaks empty for all players: MARGIN")

        edited = organiser.patch("tournaments/spring", {"tiebreaks": ["PTS", "BH"]}).json()
        assert warnings(edited) == []

    def test_at_the_result(self, organiser: Person, anonymous: Person) -> None:
        event = make_slips(organiser, tiebreaks=BY_RECORD)

        entered = organiser.post(f"{event.path}/rounds/1/results", SLIP).json()

        (warning,) = entered["warnings"]
        assert (warning["code"], warning["boards"]) == ("tiebreak_left_empty", [1])
        assert warning["detail"].endswith("left empty for all players: MARGIN, STARS, QUARKS")
        page = login(organiser).get("/e/spring/run/rounds/1/results").content.decode()
        assert "no record proves the score of board(s) 1 in round 1" in page

    def test_in_the_check_of_the_next_round(self, organiser: Person) -> None:
        event = make_slips(organiser, tiebreaks=BY_RECORD, rounds=2)
        before = organiser.post(f"{event.path}/rounds/1/check").json()
        assert ("tiebreak_needs_records", False) in [
            (item["code"], item["blocks"]) for item in before["items"]
        ]
        organiser.post(f"{event.path}/rounds/1/results", SLIP)
        organiser.post(f"{event.path}/rounds/1/complete")

        found = organiser.post(f"{event.path}/rounds/2/check").json()

        assert [(item["code"], item["boards"]) for item in found["items"]] == [
            ("tiebreak_left_empty", [1])
        ]
        assert found["ready"]

    def test_more_rounds_than_opponents(self, organiser: Person) -> None:
        event = make_slips(organiser, rounds=9)

        assert warnings(organiser.get(event.path).json()) == [
            (
                "too_many_rounds",
                "9 rounds are more than 4 players can play without meeting twice: 3 at most",
            )
        ]


class TestUnratedPlayers:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        """Six players, of whom two are unrated."""
        event = make_event(organiser, system="dutch", rounds=3, tiebreaks=["PTS", "ARO", "RTNG"])
        unrated = [Player.objects.create(name=name, country="POR") for name in ("Zoe", "Yan")]
        event.enter(*make_players(4), *unrated)
        return event

    def test_are_named_at_the_set_up_in_the_check_and_in_the_table(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        detail = (
            "unrated players (2): Zoe, Yan; without a rating of every player these tie-breaks are "
            "left empty for all, unless the event states the rating of unrated players: ARO, RTNG"
        )
        assert warnings(organiser.get(event.path).json()) == [("tiebreak_left_empty", detail)]
        assert anonymous.get(event.path).status_code == 404
        event.step("open", "start")
        assert warnings(anonymous.get(event.path).json()) == []
        found = organiser.post(f"{event.path}/rounds/1/check").json()
        assert warnings(found) == [("tiebreak_left_empty", detail)]
        assert detail in login(organiser).get("/e/spring/run/setup").content.decode()

        event.play(1)

        assert columns(anonymous, event)["ARO"] == [None] * 6
        assert empty(anonymous, event)["ARO"] == (
            "it needs a rating of every player, and the event gives unrated players none; "
            "unrated: Yan; Zoe"
        )

    def test_are_looked_up_once_for_tiebreaks_and_handicaps(
        self, event: Event, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        event.tournament.handicaps = "recommended"
        with django_assert_num_queries(2):  # and how many players there are for the rounds
            found = find_cautions(event.tournament)
        entries = event.tournament.entries.filter(seed_rating=0).select_related("player")
        unrated = [
            {
                "entry": entry.pk,
                "number": None,
                "player": {"id": entry.player_id, "name": entry.player.name},
            }
            for entry in entries
        ]
        assert [(caution["code"], caution.get("entries")) for caution in found] == [
            ("tiebreak_left_empty", unrated), ("no_recommendation", unrated),
        ]  # fmt: skip

    def test_have_the_rating_that_the_event_states(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        answer = organiser.patch(event.path, {"unrated_rating": 1200})
        assert (answer.json()["unrated_rating"], answer.json()["warnings"]) == (1200, [])
        event.step("open", "start").play(1)

        found = columns(anonymous, event)

        assert sorted(map(str, found["RTNG"])) == ["1200", "1200", "1496", "1497", "1498", "1499"]
        assert None not in found["ARO"]
        assert empty(anonymous, event) == {}
        assert (
            columns(anonymous, event, "?round=1&tiebreaks=TPR,RTNG")["RTNG"]
            == sorted(found["RTNG"], reverse=True)
            or None not in columns(anonymous, event, "?round=1&tiebreaks=TPR,RTNG")["TPR"]
        )
        assert anonymous.get(f"{event.path}/standings.trf").status_code == 200


def test_a_reader_of_a_file_learns_why_a_column_is_empty(
    organiser: Person, anonymous: Person
) -> None:
    event = make_event(organiser, system="dutch", rounds=1, tiebreaks=["PTS", "ARO"])
    event.enter(*make_players(3), player_of(make_player("Nina")))
    event.step("open", "start").play(1)

    why = empty(anonymous, event)["ARO"]
    assert "Nina" in why
    for path in ("standings.csv?round=1&bom=1", "standings.ndjson", "standings.csv"):
        answer = anonymous.get(f"{event.path}/{path}")
        address, _, relation = answer.headers["Link"].partition(">; ")
        assert relation == 'rel="describedby"'
        described = anonymous.get(address.removeprefix("</api/v1/")).json()
        assert described["empty"] == [{"tiebreak": "ARO", "detail": why}]
    book = CalamineWorkbook.from_filelike(
        io.BytesIO(anonymous.get(f"{event.path}/standings.xlsx").content)
    )
    assert book.sheet_names == ["Sheet1", "Notes"]
    assert book.get_sheet_by_name("Notes").to_python() == [[f"ARO is left empty: {why}."]]
