"""The table of each group before a knockout: who has qualified, and whose tie is not decided."""

import re
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.core.tables import typesetting
from games.models import Game
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, problem_in
from tests.tournament.conftest import OpenPage, login
from tests.tournament.events.test_verify_state import verify
from tests.tournament.groups import make_groups, play_groups
from tests.tournament.sheets import SheetData
from tournament.pairing.certificates import RoundCertificate

pytestmark = pytest.mark.django_db
HEAD = "group,rank,number,name,PTS,DE,qualification,withdrawn,corrections"
CELL = re.compile(r"<td[^>]*>(?:<a[^>]*>)?([^<]*)")


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Groups whose tie-breaks leave 4, 5 and 8 tied for the second place."""
    event = make_groups(make_person("Olga"), ["STAGE", "PTS", "DE"])
    play_groups(event)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def rows(person: Person, event: Event, query: str = "") -> list[str]:
    """Return the lines of the CSV without names."""
    text = person.get(f"{event.path}/groups.csv{query}").content.decode()
    head, *lines = text.splitlines()
    assert head == HEAD
    return [re.sub(r",Player \d", "", line).removesuffix(",,") for line in lines]


def decide(organiser: Person, event: Event) -> None:
    body = {"numbers": [5, 8, 4], "by": "lot", "reason": "drawn"}
    assert organiser.post(f"{event.path}/ties", body).status_code == 200


TIED = [
    "A,1,1,3,1,qualified", "A,2,4,1,1,tie_not_decided", "A,2,5,1,1,tie_not_decided",
    "A,2,8,1,1,tie_not_decided",
    "B,1,2,3,1,qualified", "B,2,3,2,1,qualified", "B,3,6,1,1,", "B,4,7,0,1,",
]  # fmt: skip
DECIDED = [
    "A,1,1,3,1,qualified", "A,2,5,1,1,qualified", "A,3,8,1,1,", "A,4,4,1,1,",
    *TIED[4:],
]  # fmt: skip


def test_nobody_who_is_tied_has_qualified(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    assert rows(anonymous, event) == TIED
    assert not any(row.endswith("qualified") for row in rows(anonymous, event, "?round=2"))

    decide(organiser, event)
    assert rows(anonymous, event) == DECIDED

    event.draft(4)
    assert rows(anonymous, event) == DECIDED
    event.publish(4)
    event.finish(4, "1-0")
    assert rows(anonymous, event) == DECIDED
    assert anonymous.get(f"{event.path}/groups").json()["round"] == 3


def test_an_expelled_player_does_not_qualify(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    for number, rest in (
        (5, ["A,2,8,1,1,qualified", "A,3,4,1,2,"]),
        (8, ["A,2,4,1,1,qualified"]),
    ):
        path = f"{event.path}/entries/{event.tournament.entries.get(pairing_number=number).pk}"
        organiser.post(f"{path}/withdraw", {})
        body = {
            "expelled": "a second phone",
            "reason": "decided by the arbiters",
            "accept": ["ranks_change"],
        }
        assert organiser.patch(path, body).status_code == 200
        assert rows(anonymous, event) == [TIED[0], *rest, *TIED[4:]]
    groups = anonymous.get(f"{event.path}/groups").json()
    assert [row["number"] for row in groups["expelled"]] == [5, 8]

    event.draft(4)
    text = organiser.get(f"{event.path}/rounds/4/certificate").content.decode()
    certificate = RoundCertificate.parse(text)
    assert dict(certificate.options)["expelled"] == "5 8"
    assert certificate.find_faults() == ()
    assert verify() == []


def test_the_expulsion_of_who_has_advanced_is_accepted(organiser: Person, event: Event) -> None:
    decide(organiser, event)
    event.draft(4)
    path = f"{event.path}/entries/{event.tournament.entries.get(pairing_number=5).pk}"
    organiser.post(f"{path}/withdraw", {})
    body = {"expelled": "a second phone", "reason": "decided by the arbiters"}

    problem = problem_in(organiser.patch(path, body), 409, "acceptance_needed")

    assert problem["accept"] == ["pairings_change", "ranks_change"]
    (due,) = problem["due_rounds"]
    players = {entry["number"] for board in due["due"] for entry in board["entries"]}
    assert (due["round"], players) == (4, {2, 8})
    assert organiser.patch(path, body | {"accept": problem["accept"]}).status_code == 200
    assert organiser.get(f"{event.path}/rounds/4").json()["state"] == "planned"
    assert verify() == []


def test_the_standings_show_no_stage_before_the_tie_is_decided(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    def stages() -> dict[int, Any]:
        found = anonymous.get(f"{event.path}/standings").json()["rows"]
        return {row["number"]: row["values"]["STAGE"] for row in found}

    assert set(stages().values()) == {None}
    decide(organiser, event)
    assert {number for number, stage in stages().items() if stage == "0"} == {1, 2, 3, 5}


def test_who_plays_in_the_knockout_has_qualified(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    """A correction after its first round is published leaves the bracket as it is."""
    decide(organiser, event)
    event.publish(4)
    game, won, _ = game_of_four(event)
    correct(organiser, event, game, won)

    found = rows(anonymous, event)

    assert [row[:5] for row in found[:4]] == ["A,1,1", "A,2,4", "A,3,5", "A,4,8"]
    assert [row[:5] for row in found if "qualified" in row] == ["A,1,1", "A,3,5", "B,1,2", "B,2,3"]


def test_a_correction_that_ties_who_has_qualified_is_warned_of(
    organiser: Person, event: Event
) -> None:
    game, won, lost = game_of_four(event)
    correct(organiser, event, game, won)
    event.publish(4)
    body = {"changes": [{"game_id": game.pk, "result": lost}], "reason": "misread"}
    address = f"{event.path}/corrections"
    preview = organiser.post(f"{address}?dry_run=1", body).json()

    problem = problem_in(
        organiser.post(address, body | {"digest": preview["digest"]}), 409, "advance_changes"
    )

    advances = preview["effect"]["advances"]
    assert (advances["due"], advances["tied"]) == ([], [{"numbers": [4, 5, 8]}])
    tied = (
        "round 4 is published with 1 Player 1 – 3 Player 3, 2 Player 2 – 4 Player 4; by the "
        "results, these are tied for places that qualify: 4 Player 4; 5 Player 5; 8 Player 8"
    )
    assert problem["detail"].startswith(f"{tied}; confirm with")
    told = "The knockout was paired by other results than these."
    assert told not in organiser.get(f"{event.path}/groups.html").content.decode()
    correct(organiser, event, game, lost)
    assert told in organiser.get(f"{event.path}/groups.html").content.decode()
    (tie,) = organiser.get(f"{event.path}/ties").json()["results"]
    expected = (3, [4, 5, 8], "published", None)
    assert (tie["after"], tie["numbers"], tie["paired_as"], tie["by"]) == expected
    director = login(organiser)
    due = '1 tie is not decided<a class="button" href="/e/spring/run/ties">Decide the tie</a>'
    assert due in director.get("/e/spring/run").text
    assert "Round 4 was published before" in director.get("/e/spring/run/ties").text
    as_paired = {"numbers": [4, 5, 8], "by": "lot", "reason": "as paired"}
    decided = organiser.post(f"{event.path}/ties?dry_run=1", as_paired)
    assert [tie["by"] for tie in decided.json()["results"]] == ["lot"], decided.json()
    unpaired = organiser.post(f"{event.path}/rounds/4/unpair", {"reason": "tied"})
    assert unpaired.status_code == 200
    restored = organiser.post(f"{event.path}/rounds/4/restore", {"version": 1, "reason": "again"})
    problem_in(restored, 409, "tie_undecided")


def test_a_tie_after_the_first_round_of_the_knockout_is_not_the_next_step(
    organiser: Person, event: Event
) -> None:
    game, won, lost = game_of_four(event)
    correct(organiser, event, game, won)
    event.play(4, "1-0")
    correct(organiser, event, game, lost)

    (tie,) = organiser.get(f"{event.path}/ties").json()["results"]
    assert (tie["after"], tie["numbers"], tie["paired_as"]) == (3, [4, 5, 8], "complete")
    page = login(organiser).get("/e/spring/run").content.decode()
    assert ("1 tie is not decided" in page, "Pair round 5" in page) == (True, True)


def game_of_four(event: Event) -> tuple[Game, str, str]:
    """Return the game of 4 and 8, with the results by which 4 wins, and is tied."""
    numbers = {entry.player_id: entry.pairing_number for entry in event.tournament.entries.all()}
    (game,) = [g for g in event.games(3) if {numbers[g.first_id], numbers[g.second_id]} == {4, 8}]
    results = ["1-0", "0-1"]
    won = numbers[game.first_id] == 4
    return game, results[not won], results[won]


def correct(organiser: Person, event: Event, game: Game, result: str) -> None:
    body = {"changes": [{"game_id": game.pk, "result": result}], "reason": "misread"}
    address = f"{event.path}/corrections"
    digest = organiser.post(f"{address}?dry_run=1", body).json()["digest"]
    sent = body | {"digest": digest, "accept": ["advance_changes"]}
    assert organiser.post(address, sent).status_code == 201


def test_pages_have_a_table_for_each_group(
    open_page: OpenPage, anonymous: Person, event: Event
) -> None:
    html = anonymous.get(f"{event.path}/groups.html").content.decode()
    for page in (open_page("/e/spring/groups").content.decode(), html):
        assert page.count("<table") == 2
        for group, text in zip("AB", page.split("<table")[1:], strict=True):
            states = [cells[3] for row in text.split("<tr")[2:] if (cells := CELL.findall(row))]
            expected = ["qualified", *["tie not decided"] * 3]
            assert states == (expected if group == "A" else ["qualified", "qualified", "", ""])
    for path in ("/e/spring", "/e/spring/wall"):
        assert open_page(path).content.decode().count("tie not decided") == 3


def test_a_sheet_has_a_table_for_each_group(
    anonymous: Person, event: Event, printed: SheetData
) -> None:
    assert anonymous.get(f"{event.path}/groups.pdf").status_code == 200

    (sheet,) = printed
    assert typesetting.typeset("table", sheet).startswith(b"%PDF")
    assert [part["title"] for part in sheet["parts"]] == ["Group A", "Group B"]
    assert [row[:4] for row in sheet["parts"][0]["rows"]] == [
        ["1", "1", "Player 1", "qualified"],
        ["2", "4", "Player 4", "tie not decided"],
        ["2", "5", "Player 5", "tie not decided"],
        ["2", "8", "Player 8", "tie not decided"],
    ]


def test_groups_before_the_first_round(organiser: Person, anonymous: Person) -> None:
    event = make_groups(organiser, ["PTS"], slug="other")
    body = anonymous.get(f"{event.path}/groups").json()
    assert [[row["number"] for row in group["rows"]] for group in body["groups"]] == [
        [1, 4, 5, 8], [2, 3, 6, 7],
    ]  # fmt: skip


def test_before_the_start_and_in_other_systems(
    organiser: Person, anonymous: Person, open_page: OpenPage
) -> None:
    event = make_event(organiser, slug="other", system="groups-knockout", rounds=5)
    event.enter(*make_players(8))
    event.step("open")
    assert anonymous.get(f"{event.path}/groups").json()["groups"] == []
    assert anonymous.get(f"{event.path}/groups.pdf").status_code == 200
    assert open_page("/e/other/groups").status_code == 200
    swiss = make_event(organiser, slug="swiss").step("open")
    problem_in(anonymous.get(f"{swiss.path}/groups"), 404, "not_found")
    assert open_page("/e/swiss/groups").status_code == 404


def test_the_number_of_queries(
    anonymous: Person, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(11):
        anonymous.get(f"{event.path}/groups")
