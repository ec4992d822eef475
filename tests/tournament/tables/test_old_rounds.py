"""Earlier rounds from their snapshots, in every format, and what was corrected since."""

import json
from typing import Any

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat

from games.core.tables import pdf as pdf_table
from games.models import Player
from games.play.services import annul_game, rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses
from tournament.core.snapshots import erase_from_snapshots
from tournament.models import Snapshot, Tournament

PRIZES = [
    {"name": "all", "amounts": [500, 300, 100]},
    {"name": "lower half", "amounts": [200], "rating_to": 1497},
]
PATHS = [
    "standings.json",
    "standings.json?terms=1",
    "standings.json?tiebreaks=PTS,BH/C1,WIN,DE,DE",
    "standings.csv",
    "standings.csv?tiebreaks=PS,TPR",
    "standings.ndjson",
    "standings.trf",
    "standings.trf26",
    "crosstable.json",
    "crosstable.json?order=number&tiebreaks=SB",
    "crosstable.json?shape=square",
    "crosstable.csv",
    "crosstable.ndjson",
    "prizes.json",
    "prizes.csv",
    "prizes.ndjson?tiebreaks=PTS,ARO",
    "clubs.json",
]
SNAPSHOT_MEMBERS = ("source", "as_of", "digest", "corrected")
"""The members of the JSON that a snapshot changes or adds."""


@pytest.fixture
def event(organiser: Person) -> Event:
    """One of four rounds by six players; the first seats have won."""
    event = make_event(organiser, rounds=4, tiebreaks=["PTS", "BH", "SB"], prizes=PRIZES)
    players = make_players(6)
    Player.objects.update(club=F("name"))
    event.enter(*players)
    event.step("open", "start").play(1)
    return event


def get_content(person: Person, event: Event, path: str, query: str = "") -> Any:
    """Return a response, JSON without the members of a snapshot."""
    joined = f"{path}{'&' if '?' in path else '?'}{query}"
    answer = person.get(f"{event.path}/{joined}")
    assert answer.status_code == 200, answer.content
    if not answer["Content-Type"].startswith("application/json"):
        return answer.content
    return {name: value for name, value in answer.json().items() if name not in SNAPSHOT_MEMBERS}


def get_json(person: Person, event: Event, path: str) -> dict[str, Any]:
    answer = person.get(f"{event.path}/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def correct(event: Event, number: int, result: str = "10-11") -> tuple[str, str]:
    """Correct the result of a round's first board; return the names of first and second seat."""
    game = event.games(number)[0]
    rule_game(game, by=event.owner.account, reason="the score was reversed", result=result)
    settle()
    return game.first.name, game.second.name


def test_every_format_stays_as_it_was_when_the_round_was_completed(
    organiser: Person, event: Event
) -> None:
    before = {path: get_content(organiser, event, path) for path in PATHS}
    event.play(2)
    event.play(3)
    correct(event, 1)
    Player.objects.filter(name="Player 3").update(name="Zoe Renamed", club="Rovers", country="ESP")
    event.enter(*make_players(1, first_rating=4000))

    after = {path: get_content(organiser, event, path, "round=1") for path in PATHS}

    assert after == before
    current = {path: get_content(organiser, event, path, "round=1&current=1") for path in PATHS}
    assert [path for path in PATHS if current[path] == before[path]] == []


def test_the_number_of_the_last_round_selects_its_snapshot(anonymous: Person, event: Event) -> None:
    correct(event, 1)

    assert get_json(anonymous, event, "standings")["source"] == "current"
    snapshot = get_json(anonymous, event, "standings?round=1")
    assert snapshot["source"] == "snapshot"
    assert [row["rank"] for row in snapshot["corrected"]] == [[1, 4], [4, 1]]


class TestCorrections:
    def test_values_by_other_tiebreaks(self, anonymous: Person, event: Event) -> None:
        assert get_json(anonymous, event, "standings?round=1&tiebreaks=WON")["corrected"] == []
        first, second = correct(event, 1)

        lines = get_json(anonymous, event, "standings?round=1&tiebreaks=WON")["corrected"]

        assert {line["player"]["name"]: line["values"] for line in lines if line["values"]} == {
            first: {"WON": ["1", "0"]},
            second: {"WON": ["0", "1"]},
        }

    @pytest.mark.parametrize("shape", ["rounds", "square"])
    def test_cells_of_the_crosstable(self, anonymous: Person, event: Event, shape: str) -> None:
        path = f"crosstable?round=1&order=number&shape={shape}"
        assert get_json(anonymous, event, path)["corrected"] == []
        event.enter(*make_players(1, first_rating=4000))
        first, second = correct(event, 1)

        answer = get_json(anonymous, event, path)

        lines = {line["player"]["name"]: line for line in answer["corrected"]}
        numbers = {name: lines[name]["number"] for name in (first, second)}
        label, other_label = str(numbers[second]), str(numbers[first])
        expected = {
            "rounds": [
                {"1": [f"{label}f1", f"{label}f0"]},
                {"1": [f"{other_label}s0", f"{other_label}s1"]},
            ],
            "square": [{label: ["1", "0"]}, {other_label: ["0", "1"]}],
        }
        assert [lines[name]["cells"] for name in (first, second)] == expected[shape]
        assert [lines[name]["points"] for name in (first, second)] == [["1", "0"], ["0", "1"]]
        assert len(lines) == 2

    def test_awards(self, anonymous: Person, event: Event) -> None:
        assert get_json(anonymous, event, "prizes?round=1")["corrected"] == []
        first, second = correct(event, 1)

        lines = get_json(anonymous, event, "prizes?round=1")["corrected"]

        changed = {(line["group"], line["player"]["name"]): line for line in lines}
        assert changed["all", first]["coins"] == [300, 0]
        assert changed["all", first]["place"] == [1, None]
        assert changed["all", second]["coins"] == [0, 300]
        assert changed["all", second]["place"] == [None, 1]

    def test_totals_of_clubs(self, anonymous: Person, organiser: Person) -> None:
        event = make_event(organiser, slug="clubs", rounds=2, tiebreaks=["PTS"])
        event.enter(*make_players(2))
        Player.objects.update(club=Concat(Value("Club of "), F("name")))
        event.step("open", "start").play(1)
        assert get_json(anonymous, event, "clubs?round=1")["corrected"] == []
        late = make_players(1, first_rating=4000)
        Player.objects.filter(pk=late[0].pk).update(club="Late")
        event.enter(*late)
        assert get_json(anonymous, event, "clubs?round=1")["corrected"] == []
        first, second = correct(event, 1)

        assert get_json(anonymous, event, "clubs?round=1")["corrected"] == [
            {"name": f"Club of {first}", "rank": [1, 2], "points": ["1", "0"]},
            {"name": f"Club of {second}", "rank": [2, 1], "points": ["0", "1"]},
        ]
        page = anonymous.get(f"{event.path}/clubs.html?round=1").content.decode()
        assert f"Corrected since: Club of {first}; Club of {second}." in page

    def test_an_annulled_game(self, anonymous: Person, event: Event) -> None:
        game = event.games(1)[0]
        annul_game(game, by=event.owner.account, reason="played twice")
        settle()

        lines = get_json(anonymous, event, "crosstable?round=1&order=number")["corrected"]

        assert [line["cells"]["1"][1] for line in lines] == ["Z", "Z"]

    @pytest.mark.parametrize("path", ["standings", "crosstable", "prizes"])
    def test_a_page_has_a_note(self, anonymous: Person, event: Event, path: str) -> None:
        first, second = correct(event, 1)

        pages = {
            query: anonymous.get(f"{event.path}/{path}.html{query}").content.decode()
            for query in ("", "?round=1", "?round=1&current=1")
        }

        notes = {
            query: page.partition("<table>")[0].partition("</p>\n<p>")[2]
            for query, page in pages.items()
        }
        assert "Journal " in notes[""]
        assert "As of " not in notes[""]
        assert "As of " in notes["?round=1"]
        assert "Corrected since: " in notes["?round=1"]
        assert first in notes["?round=1"]
        assert second in notes["?round=1"]
        assert "Computed from the current results." in notes["?round=1&current=1"]


@pytest.mark.parametrize("path", ["standings", "crosstable", "prizes", "clubs"])
def test_a_sheet_has_a_remark(
    anonymous: Person, event: Event, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = correct(event, 1)
    sheets: list[dict[str, Any]] = []

    def print_sheet(template: str, data: dict[str, Any]) -> bytes:
        sheets.append(data)
        return b"%PDF-"

    monkeypatch.setattr(pdf_table, "print_sheet", print_sheet)
    for query in ("", "?round=1", "?round=1&current=1"):
        assert anonymous.get(f"{event.path}/{path}.pdf{query}").status_code == 200

    current, snapshot, current_round = (sheet["remark"] for sheet in sheets)
    assert "As of " in snapshot.removeprefix(current)
    assert f"Corrected since: {first}" in snapshot
    assert current_round.removeprefix(current).strip() == "Computed from the current results."


@pytest.mark.parametrize("suffix", ["csv", "ndjson", "html", "pdf", "trf", "trf26"])
def test_other_formats_than_json_refuse_terms(anonymous: Person, event: Event, suffix: str) -> None:
    for query in ("terms=1", "terms=1&round=1", "terms=1&round=1&tiebreaks=PTS"):
        answer = anonymous.get(f"{event.path}/standings.{suffix}?{query}")
        assert problem_in(answer, 422, "invalid_parameter")["parameter"] == "terms"


class TestNames:
    def names(self, person: Person, event: Event) -> set[str]:
        """Return the names in the JSON, which every other format must contain."""
        paths = ("standings.csv", "crosstable.csv", "standings.trf")
        texts = [get_content(person, event, path, "round=1").decode() for path in paths]
        rows = get_content(person, event, "standings", "round=1")["rows"]
        names = {row["player"]["name"] for row in rows}
        assert all(name in text for name in names for text in texts)
        return names

    def test_a_merged_player_has_the_name_of_the_survivor(
        self, organiser: Person, event: Event
    ) -> None:
        survivor = Player.objects.create(name="Ana Maria", country="ESP", club="Rovers")
        Player.objects.filter(name="Player 2").update(merged_into=survivor)

        names = self.names(organiser, event)

        assert "Ana Maria" in names
        assert "Player 2" not in names
        rows = get_content(organiser, event, "standings", "round=1")["rows"]
        (row,) = [row for row in rows if row["number"] == 2]
        summary = {"id": survivor.pk, "name": "Ana Maria", "country": "ESP", "club": "Rovers"}
        assert row["player"] == summary

    def test_an_erased_player_has_their_current_name(self, organiser: Person, event: Event) -> None:
        player = Player.objects.get(name="Player 2")
        Player.objects.filter(pk=player.pk).update(name="N. N.", club="", country="")

        numbers = [entry.pk for entry in player.entries.all()]
        assert len(erase_from_snapshots(event.tournament, numbers)) == 1

        rows = get_content(organiser, event, "standings", "round=1")["rows"]
        (row,) = [row for row in rows if row["number"] == 2]
        assert row["player"] == {"id": player.pk, "name": "N. N.", "country": None, "club": None}
        snapshot = Snapshot.objects.get()
        assert "Player 2" not in json.dumps(snapshot.body)
        assert "Player 3" in json.dumps(snapshot.body)


def test_values_stay_when_their_record_is_overruled(organiser: Person) -> None:
    record = '[Game "star-star"]\n[Board "4"]\n1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10'
    event = make_event(organiser, rounds=1, tiebreaks=["PTS", "STARS", "MARGIN"])
    event.enter(*make_players(2))
    event.step("open", "start")
    for game in event.publish():
        rule_game(game, by=organiser.account, reason="seen", record=record)
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    before = get_json(organiser, event, "standings?round=1&tiebreaks=QUARKS,PTS")
    correct(event, 1, "11-10")

    current = get_json(organiser, event, "standings")
    assert [row["tiebreak"] for row in current["empty"]] == ["STARS", "MARGIN"]
    snapshot = get_json(organiser, event, "standings?round=1")

    assert [row["values"]["MARGIN"] for row in snapshot["rows"]] == ["1", "-1"]
    corrected = [row["values"]["MARGIN"] for row in snapshot["corrected"]]
    assert corrected == [["1", None], ["-1", None]]
    after = get_json(organiser, event, "standings?round=1&tiebreaks=QUARKS,PTS")
    assert after["rows"] == before["rows"]


def test_an_imported_event_has_a_snapshot_of_each_round(organiser: Person, event: Event) -> None:
    event.play(2)
    trf = organiser.get(f"{event.path}/standings.trf").content
    address = "tournaments/import?ruleset=star-star&board_size=4&slug=again"
    answer = organiser.post(address, trf, content_type="text/plain")
    assert answer.status_code == 201, answer.content
    again = Event(Tournament.objects.get(slug="again"), organiser)
    correct(again, 1)

    lines = organiser.get(f"{again.path}/journal").json()["results"]
    (imported,) = [line["payload"] for line in lines if line["kind"] == "tournament.imported"]
    rounds = [get_json(organiser, again, f"standings?round={number}") for number in (1, 2)]
    originals = [get_json(organiser, event, f"standings?round={number}") for number in (1, 2)]
    assert [table["source"] for table in rounds] == ["snapshot", "snapshot"]
    assert [table["digest"] for table in rounds] == imported["standings"]
    assert imported["standings"] == [table["digest"] for table in originals]
    assert all(table["corrected"] for table in rounds)


def test_invalid_codes_and_rounds_are_rejected(anonymous: Person, event: Event) -> None:
    for path in ("standings", "crosstable", "prizes"):
        address = f"{event.path}/{path}?round=1&tiebreaks="
        problem_in(anonymous.get(f"{address}XYZ"), 422, "invalid_parameter")
        problem_in(anonymous.get(f"{address}PTS,PTS"), 422, "invalid_parameter")
        for number in ("2", "-1", "1e3", "99999", "\u00b2"):
            problem_in(
                anonymous.get(f"{event.path}/{path}?round={number}"), 422, "invalid_parameter"
            )


def test_round_0_has_no_snapshot(anonymous: Person, event: Event) -> None:
    for path in ("standings", "crosstable", "prizes"):
        assert get_json(anonymous, event, f"{path}?round=0")["source"] == "current"


@pytest.mark.parametrize(
    "path", ["standings?round=1", "crosstable?round=1", "prizes?round=1&current=1"]
)
def test_a_private_event_is_not_found(everyone: dict[str, Person], event: Event, path: str) -> None:
    event.tournament.public = False
    event.tournament.save()

    assert statuses(everyone, "GET", f"{event.path}/{path}") == {
        "organiser": 200,
        "player": 404,
        "stranger": 404,
        "anonymous": 404,
    }
