"""A knockout of twelve with third place through the API, and the correction of a semi-final."""

import csv
import io
from typing import Any

import pytest

from games.models import Game
from tests.events import make_players, settle
from tests.people import Person, make_person, problem_in
from tests.tournament.actions import numbered
from tournament.events.verification import verify_tournament
from tournament.models import Tournament
from tournament.rounds.advances import find_changed_advances

EVENT = "tournaments/cup"

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def post(person: Person, path: str, body: Any = None, **headers: str) -> Any:
    answer = person.post(path, body, **headers)
    assert answer.status_code < 300, answer.content
    return answer.json()


def boards(person: Person, number: int) -> dict[tuple[int, int], int]:
    """Return the games of a round by the pairing numbers, the better seed first."""
    rows = person.get(f"{EVENT}/rounds/{number}/pairings").json()["rows"]
    found = {}
    for row in rows:
        if row["game_id"]:
            first, second = row["first"]["number"], row["second"]["number"]
            found[min(first, second), max(first, second)] = row["game_id"]
    return found


def rule(person: Person, game: int, winner: str) -> None:
    """Rule that the player wins, whatever the seat."""
    names = person.get(f"games/{game}").json()["first"]["player"]["name"]
    body = {"result": "1-0" if names == winner else "0-1", "reason": "a slip"}
    assert person.post(f"games/{game}/rule", body).status_code == 202
    settle()


def publish(person: Person, number: int) -> dict[tuple[int, int], int]:
    for action in ("pair", "publish"):
        post(person, f"{EVENT}/rounds/{number}/{action}", {})
    return boards(person, number)


def play(person: Person, number: int, *winners: int) -> None:
    """Publish a round; the better seeds win, except where another winner is named."""
    for pair, game in publish(person, number).items():
        winner = next((player for player in pair if player in winners), pair[0])
        rule(person, game, f"Player {winner}")
    post(person, f"{EVENT}/rounds/{number}/complete")


@pytest.fixture(scope="module")
def cup_of_module(rows_of_module: None) -> Person:
    """The organiser of the cup; the quarter-finals are played, the semi-finals are 1-4 and 2-3."""
    organiser = make_person("Olga")
    body = {
        "name": "Cup", "slug": "cup", "ruleset": "star-star", "board_size": "4",
        "system": "knockout", "starts_on": "2026-05-01", "ends_on": "2026-05-03", "rounds": 4,
        "system_options": {"third_place": True},
    }  # fmt: skip
    post(organiser, "tournaments", body)
    for player in make_players(12):
        post(organiser, f"{EVENT}/entries", {"player_id": player.pk})
    for action in ("open", "start"):
        post(organiser, f"{EVENT}/{action}")
    play(organiser, 1)
    play(organiser, 2)
    return organiser


@pytest.fixture
def cup(db: None, cup_of_module: Person) -> Person:
    return cup_of_module


def test_a_corrected_semi_final_decides_the_final_and_the_final_order(
    cup: Person, anonymous: Person
) -> None:
    play(cup, 3)
    semi_final = boards(cup, 3)[1, 4]
    commit(cup, correction(semi_final, loser="Player 1"))

    play(cup, 4, 2, 3)

    assert list(boards(cup, 4)) == [(2, 4), (1, 3)]
    for action in ("review", "finalise"):
        post(cup, f"{EVENT}/{action}")
    table = csv.DictReader(io.StringIO(anonymous.get(f"{EVENT}/standings.csv").content.decode()))
    assert [(row["rank"], row["number"], row["STAGE"]) for row in table] == [
        ("1", "2", "4"), ("2", "4", "3"), ("3", "3", "2.5"), ("4", "1", "2"),
        ("5", "7", "1"), ("6", "5", "1"), ("7", "6", "1"), ("8", "8", "1"),
        ("9", "10", "0"), ("10", "12", "0"), ("11", "11", "0"), ("12", "9", "0"),
    ]  # fmt: skip
    assert verify_tournament("tournament/cup") == []

    # A file that is imported for another system leaves the final order and the options out.
    content = anonymous.get(f"{EVENT}/standings.trf").content
    assert b"212 STAGE,LOST,PTS" in content
    address = "tournaments/import?dry_run=1&ruleset=star-star&board_size=4&slug=again"
    assert [
        post(cup, f"{address}{system}", content, content_type="text/plain")["left_out"]
        for system in ("", "&system=dutch")
    ] == [
        [],
        [
            "the tie-break STAGE: it needs the bracket of a knockout",
            "the tie-break LOST: it needs the bracket of a knockout",
            "the options of the pairing system knockout: third_place=yes",
        ],
    ]


def test_a_correction_after_the_final_is_paired_is_reported(cup: Person) -> None:
    play(cup, 3)
    semi_final = boards(cup, 3)[1, 4]
    publish(cup, 4)
    body = correction(semi_final, loser="Player 1")
    assert find_changed_advances(Tournament.objects.get(slug="cup")) is None

    shown = post(cup, f"{EVENT}/corrections?dry_run=1", body)

    detail = (
        "round 4 is published with 1 Player 1 – 2 Player 2, 3 Player 3 – 4 Player 4; by the"
        " results, 1 Player 1 – 3 Player 3, 2 Player 2 – 4 Player 4 meet instead"
    )
    assert shown["effect"]["advances"] == {
        "round": 4, "paired": numbered((1, 2), (3, 4)),
        "due": numbered((1, 3), (2, 4)), "tied": [], "detail": detail,
    }  # fmt: skip
    body["digest"] = shown["digest"]
    refused = problem_in(cup.post(f"{EVENT}/corrections", body), 409, "advance_changes")
    assert refused["detail"] == (
        f'{detail}; confirm with `accept: ["advance_changes"]`, or unpair the round first; the'
        " scope standings leaves the bracket as it was played"
    )
    post(cup, f"{EVENT}/corrections", body | {"accept": ["advance_changes"]})
    items = cup.post(f"{EVENT}/rounds/4/check").json()["items"]
    assert [item["detail"] for item in items if item["code"] == "advance_changes"] == [detail]


def correction(game: int, *, loser: str, scope: str = "standings_pairings") -> dict[str, Any]:
    """Return the correction of a game that a player lost."""
    result = "0-1" if Game.objects.get(pk=game).first.name == loser else "1-0"
    change = {"game_id": game, "result": result}
    return {"changes": [change], "scope": scope, "reason": "a slip"}


def commit(person: Person, body: dict[str, Any]) -> Any:
    digest = post(person, f"{EVENT}/corrections?dry_run=1", body)["digest"]
    return post(person, f"{EVENT}/corrections", body | {"digest": digest})


def final_order(person: Person) -> list[tuple[int, str | None]]:
    """Return the pairing numbers and stages of the first four."""
    rows = person.get(f"{EVENT}/standings").json()["rows"][:4]
    return [(row["number"], row["values"].get("STAGE")) for row in rows]


def test_a_round_set_by_hand_continues_the_bracket(cup: Person) -> None:
    """Player 8, who was out, plays the semi-final instead of player 1, who is ill."""
    entries = cup.get(f"{EVENT}/entries").json()["results"]
    ids = {row["number"]: row["id"] for row in entries}
    post(cup, f"{EVENT}/entries/{ids[1]}/withdraw")
    semi_finals = [
        {"first_id": ids[8], "second_id": ids[4]},
        {"first_id": ids[2], "second_id": ids[3]},
    ]
    body = {"reason": "player 1 is ill", "pairings": semi_finals}
    assert cup.put(f"{EVENT}/rounds/3/pairings", body).status_code == 200
    codes = cup.post(f"{EVENT}/rounds/3/publish", {}).json().get("accept", [])
    cup.post(f"{EVENT}/rounds/3/publish", {"accept": codes})
    for (better, _), game in boards(cup, 3).items():
        rule(cup, game, f"Player {better}")
    post(cup, f"{EVENT}/rounds/3/complete")

    play(cup, 4)

    assert list(boards(cup, 4)) == [(2, 4), (3, 8)]
    assert final_order(cup) == [(2, "4"), (4, "3"), (3, "2.5"), (8, "2")]


def test_a_draft_of_the_final_is_withdrawn(cup: Person) -> None:
    play(cup, 3)
    post(cup, f"{EVENT}/rounds/4/pair", {})

    commit(cup, correction(boards(cup, 3)[1, 4], loser="Player 1"))

    assert cup.get(f"{EVENT}/rounds/4").json()["state"] == "planned"
    assert list(publish(cup, 4)) == [(2, 4), (1, 3)]
