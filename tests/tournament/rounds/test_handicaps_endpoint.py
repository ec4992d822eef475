"""Handicaps of boards: what is recommended and applied, what directors change."""

import csv
import io
import json
from typing import Any

import pytest

from games.models import Game
from tests.events import Event, settle
from tests.people import Person, make_person, problem_in
from tests.tournament.events.test_verify_state import verify
from tests.tournament.handicaps import (
    Board,
    boards,
    boards_in,
    body_of,
    change,
    conditions,
    make_handicap_event,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A Monrad of stones, whose first round is drafted: A meets B, C meets D."""
    event = make_handicap_event(make_person("Olga"))
    event.draft(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture
def olga(event: Event) -> Person:
    return event.owner


def test_a_draft_has_the_recommended_handicaps(olga: Person, event: Event) -> None:
    body = olga.get(f"{event.path}/rounds/1/pairings").json()

    again = olga.post(f"{event.path}/rounds/1/pair?dry_run=1", {}).json()
    assert again["rows"] == body["rows"]
    assert boards_in(body) == [("A", "B", None), ("C", "D", "second 3 stones")]
    even, stones = body["rows"]
    assert (even["recommended"]["handicap_text"], even["recommended"]["value"]) == (None, 0)
    reason = (
        "the ratings differ by 250, of which 100 % are given; this is worth 280 rating points by "
        "table v1, so 54 % of the score can be expected for the weaker player"
    )
    assert stones["recommended"] == {
        "entry": stones["second"],
        "handicap": {"seat": "second", "stones": 3},
        "handicap_text": "second 3 stones",
        "rating": 900,
        "opponent_rating": 1150,
        "basis": "ratings",
        "value": 280,
        "table": "v1",
        "expected": 0.543066,
        "limited": False,
        "reason": reason,
    }
    assert stones["applied"] == {
        "handicap": {"seat": "second", "stones": 3},
        "handicap_text": "second 3 stones",
        "by_hand": False,
        "reason": reason,
    }


def test_a_later_rating_does_not_change_a_draft(olga: Person, event: Event) -> None:
    before = olga.get(f"{event.path}/rounds/1/pairings").json()["rows"][1]
    event.tournament.entries.filter(player__name="D").update(seed_rating=400)

    after = change(olga, event, (2, "C", "D", "second 1 stones")).json()["rows"][1]

    assert after["recommended"] == before["recommended"]
    assert after["applied"] == {
        "handicap": {"seat": "second", "stones": 1},
        "handicap_text": "second 1 stone",
        "by_hand": True,
        "reason": "they asked for it",
    }


CHANGES = {
    "none": ([(2, "C", "D", None)], [("A", "B", None), ("C", "D", None)]),
    "the recommended one in its seats": (
        [(1, "D", "A", ...), (2, "C", "B", ...)],
        [("A", "D", "second 7 stones"), ("B", "C", "second 4 stones")]),
    "seats with a handicap": ([(2, "D", "C", "first move")],
                              [("A", "B", None), ("D", "C", "first move")]),
    "stones on the usual cells": ([(2, "C", "D", "second S60 A60, 1 point")],
                                  [("A", "B", None), ("C", "D", "second 2 stones, 1 point")]),
    "even seats": ([(1, "B", "A", ...)], [("B", "A", None), ("C", "D", "second 3 stones")]),
    "nothing": ([(2, "C", "D", ...)], [("A", "B", None), ("C", "D", "second 3 stones")]),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "result"), CHANGES.values(), ids=CHANGES)
def test_directors_change_single_boards(
    olga: Person, event: Event, rows: Any, result: list[Board]
) -> None:
    assert boards_in(change(olga, event, *rows).json()) == result
    assert boards(olga, event) == result
    assert verify() == []


def test_a_changed_handicap_is_a_new_game(olga: Person, anonymous: Person, event: Event) -> None:
    assert olga.post(f"{event.path}/rounds/1/publish", {}).status_code == 200
    assert conditions(event) == [
        ("A", True, None, False),
        ("C", False, {"seat": "second", "stones": 3}, False),
    ]

    assert change(olga, event, (1, "A", "B", "second 2 points")).status_code == 200
    assert change(olga, event, (2, "D", "C", "first move")).status_code == 200

    assert conditions(event) == [
        ("A", True, None, True),
        ("C", False, {"seat": "second", "stones": 3}, True),
        ("A", True, {"seat": "second", "points": 2}, False),
        ("D", False, None, False),
    ]
    assert boards(anonymous, event) == [("A", "B", "second 2 points"), ("D", "C", "first move")]
    assert verify() == []
    olga.post(f"{event.path}/rounds/1/restore", {"version": 1, "reason": "they agreed again"})
    assert boards(anonymous, event) == [("A", "B", None), ("C", "D", "second 3 stones")]
    assert [is_void for *_, is_void in conditions(event)] == [False, False, True, True]
    assert verify() == []
    Game.objects.filter(void=False).update(swap=True, handicap=None)
    assert len(verify()) == 2  # the handicap of C and D, and the pie rule


def test_the_handicap_is_fixed_once_the_game_has_a_report(olga: Person, event: Event) -> None:
    olga.post(f"{event.path}/rounds/1/publish", {})
    game = event.games()[1]
    body = {"result": "0-1", "termination": "resigned", "reason": "seen"}
    assert olga.post(f"games/{game.pk}/rule", body).status_code == 202
    settle()

    answer = change(olga, event, (2, "C", "D", None), accept=["game_reported"])

    assert problem_in(answer, 409, "handicap_fixed")["board"] == 2
    assert change(olga, event, (1, "A", "B", "second 1 stones")).status_code == 200
    assert olga.post(f"games/{game.pk}/annul", {"reason": "the wrong stones"}).status_code == 202
    settle()
    assert change(olga, event, (2, "C", "D", None)).status_code == 200
    assert verify() == []


def test_the_tables_of_a_round_have_the_handicaps(
    olga: Person, anonymous: Person, event: Event
) -> None:
    change(olga, event, (1, "A", "B", "second 1 stones"))
    olga.post(f"{event.path}/rounds/1/publish", {})
    path = f"{event.path}/rounds/1/pairings"

    rows = list(csv.DictReader(io.StringIO(anonymous.get(f"{path}.csv").content.decode())))

    assert [(row["recommended_handicap"], row["handicap"]) for row in rows] == [
        ("", "second 1 stone"),
        ("second 3 stones", "second 3 stones"),
    ]
    lines = anonymous.get(f"{path}.ndjson").content.decode().splitlines()
    assert [json.loads(line)["applied"] for line in lines] == [
        row["applied"] for row in anonymous.get(path).json()["rows"]
    ]
    day = event.tournament.starts_on
    event.tournament.round_set.filter(number=1).update(starts_on=day)
    entry = event.tournament.entries.get(player__name="D")
    calendar = anonymous.get(f"players/{entry.player_id}/calendar.ics").content.decode()
    assert "against C\\, handicap: second: 3 stones" in calendar


@pytest.mark.parametrize(
    ("method", "handicap", "code", "place"),
    [
        ("patch", {"seat": "second", "stones": -3}, "invalid", "/stones"),
        # which nobody overcomes
        ("patch", {"seat": "second", "stones": 2, "points": 24}, "handicap_conflict", ""),
        ("put", {"seat": "second", "stones": -3}, "invalid", "/stones"),
    ],
)
def test_refused_handicaps(
    olga: Person, event: Event, method: str, handicap: Any, code: str, place: str
) -> None:
    body = body_of(event, (1, "A", "B", ...), (2, "C", "D", None))
    body["boards"][1]["handicap"] = handicap
    name = "boards"
    if method == "put":
        name = "pairings"
        rows = [{k: v for k, v in row.items() if k != "board"} for row in body["boards"]]
        body = {"reason": body["reason"], "pairings": rows}

    answer = getattr(olga, method)(f"{event.path}/rounds/1/pairings", body)

    problem = problem_in(answer, 422, code)
    assert problem["errors"][0]["pointer"] == f"/{name}/1/handicap{place}"


def test_stones_do_not_move_to_the_other_seat(olga: Person, event: Event) -> None:
    problem_in(change(olga, event, (2, "D", "C", ...)), 422, "handicap_needed")
    bye = {
        "reason": "away",
        "boards": [{"first_id": 1, "handicap": {"seat": "second", "stones": 1}}],
    }
    problem_in(olga.patch(f"{event.path}/rounds/1/pairings", bye), 422)


def test_all_boards_set_by_hand(olga: Person, event: Event) -> None:
    rows = body_of(event, (1, "D", "A", ...), (2, "B", "C", "second 1 stones"))["boards"]
    body = {"reason": "drawn", "pairings": [
        {name: value for name, value in row.items() if name != "board"} for row in rows
    ]}  # fmt: skip
    path = f"{event.path}/rounds/1/pairings"
    expected = [("A", "D", "second 7 stones"), ("B", "C", "second 1 stone")]

    assert boards_in(olga.put(f"{path}?dry_run=1", body).json()) == expected
    assert boards_in(olga.put(path, body).json()) == expected
    applied = [row["applied"] for row in olga.get(path).json()["rows"]]
    assert [(row["by_hand"], row["reason"] == "drawn") for row in applied] == [
        (False, False),
        (True, True),
    ]
    assert verify() == []
