"""Tie-breaks that nobody has a value of: the tables say why, and none of them fails."""

from typing import Any

import pytest

from games.models import Player
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tests.tournament.conftest import login
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db

TABLES = [
    "standings", "standings.csv", "standings.html", "standings.pdf", "standings.trf",
    "standings.trf26", "crosstable", "prizes", "clubs",
]  # fmt: skip
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
    (warning,) = organiser.post(f"{event.path}/rounds/1/results", SLIP).json()["warnings"]
    assert (warning["code"], warning["boards"]) == ("tiebreak_left_empty", [1])
    assert warning["detail"].endswith(": MARGIN, STARS, QUARKS")
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200

    check_tables(event, organiser)

    found = columns(anonymous, event)
    assert found["MARGIN"] == found["STARS"] == found["QUARKS"] == [None] * 4
    assert None not in found["BH"]
    assert empty(anonymous, event) == empty(anonymous, event, "?round=1")
    assert empty(anonymous, event).keys() == {"MARGIN", "STARS", "QUARKS"}


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
        ((code, detail),) = warnings(organiser.get(event.path).json())
        assert (code, detail.rpartition(": ")[2]) == ("tiebreak_left_empty", "ARO, RTNG")
        assert anonymous.get(event.path).status_code == 404
        event.step("open", "start")
        assert warnings(anonymous.get(event.path).json()) == []
        found = organiser.post(f"{event.path}/rounds/1/check").json()
        assert warnings(found) == [("tiebreak_left_empty", detail)]

        event.play(1)

        assert columns(anonymous, event)["ARO"] == [None] * 6
        assert empty(anonymous, event).keys() == {"ARO", "RTNG"}

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
