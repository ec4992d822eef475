"""Handicaps in every pairing system, by hand, and with two games in each pairing."""

from typing import Any

import pytest

from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tests.tournament.handicaps import (
    RATINGS,
    boards,
    boards_in,
    change,
    conditions,
    make_handicap_event,
)

pytestmark = pytest.mark.django_db

EVEN = {"handicap": None, "handicap_text": None, "by_hand": False, "reason": None}


SYSTEMS = {
    "dutch": {"system": "dutch"},
    "a league": {"system": "round-robin", "system_options": {"schedule": "league"}},
    "groups": {"system": "groups-knockout", "rounds": 4, "system_options": {"groups": 1}},
}


@pytest.mark.parametrize("settings", SYSTEMS.values(), ids=SYSTEMS)
def test_every_system_gives_handicaps(organiser: Person, settings: dict[str, Any]) -> None:
    event = make_handicap_event(organiser, **settings)
    if settings["system"] != "round-robin":
        event.publish(1)

    ratings = dict(zip("ABCD", RATINGS, strict=True))
    for first, second, handicap in boards(organiser, event):
        assert (ratings[first] - ratings[second] > 55) == bool(handicap)
    first, second, _ = boards(organiser, event)[0]
    changed = change(organiser, event, (1, first, second, "second 9 stones")).json()
    assert (changed["differences"], changed["system"]) == ([], settings["system"])
    assert not any(row["by_hand"] for row in changed["rows"])
    assert organiser.get(f"{event.path}/rounds/1/certificate").status_code == 200
    assert verify() == []


def test_reasons_do_not_explain_seats_that_a_handicap_exchanged(organiser: Person) -> None:
    event = make_handicap_event(organiser, system="dutch", initial_seat="second")
    event.publish(1)
    assert boards(organiser, event)[0] == ("A", "C", "second 4 stones")

    body = organiser.get(f"{event.path}/rounds/1/pairings?explain=1").json()

    codes = [[reason["code"] for reason in row["reasons"]] for row in body["rows"]]
    assert [(found[0], "seats" in found) for found in codes] == [
        ("score_group", False),
        ("score_group", True),
    ]


def test_mcmahon_compares_scores_so_that_the_bar_has_no_handicaps(organiser: Person) -> None:
    ratings = (2400, 2000, 1910, 1500)
    options = {"bar": 2000, "pairing_method": "adjacent"}
    event = make_handicap_event(organiser, ratings, system="mcmahon", system_options=options)

    event.draft(1)

    body = organiser.get(f"{event.path}/rounds/1/pairings").json()
    assert boards_in(body) == [("A", "B", None), ("C", "D", "second 4 stones")]
    found = [row["recommended"] for row in body["rows"]]
    assert [(row["basis"], row["opponent_rating"], row["rating"]) for row in found] == [
        ("scores", 500, 500),
        ("scores", 400, 0),
    ]


def test_a_player_without_a_rating_has_no_recommended_handicap(organiser: Person) -> None:
    event = make_handicap_event(organiser, (1500, 0))
    event.draft(1)

    (row,) = organiser.get(f"{event.path}/rounds/1/pairings").json()["rows"]

    assert row["recommended"] is None
    assert row["applied"] == EVEN


def test_handicaps_by_hand_are_only_recommended(organiser: Person) -> None:
    event = make_handicap_event(organiser, handicaps="by_hand", handicap_share=40)
    event.draft(1)

    (_, row) = organiser.get(f"{event.path}/rounds/1/pairings").json()["rows"]

    assert row["recommended"]["handicap_text"] == "second 1 stone"
    assert row["applied"] == EVEN
    body = change(organiser, event, (2, "C", "D", "second 2 stones")).json()
    assert body["rows"][1]["applied"] == {
        "handicap": {"seat": "second", "stones": 2},
        "handicap_text": "second 2 stones",
        "by_hand": True,
        "reason": "they asked for it",
    }


def test_the_points_of_two_games_change_the_seat_with_the_player(organiser: Person) -> None:
    event = make_handicap_event(organiser, games_per_pairing=2, handicap_kinds=[])
    event.draft(1)
    answer = change(organiser, event, (1, "A", "B", "second 2 stones"))
    problem_in(answer, 422, "handicap_conflict")

    assert boards(organiser, event)[0] == ("A", "B", "second 2 points")
    seats = change(organiser, event, (1, "B", "A", ...)).json()["rows"][0]
    assert (
        seats["applied"]["handicap_text"]
        == seats["recommended"]["handicap_text"]
        == "first 2 points"
    )
    assert not seats["applied"]["by_hand"]
    organiser.post(f"{event.path}/rounds/1/publish", {})

    assert [row for row in conditions(event) if row[2]["points"] == 2] == [
        ("B", True, {"seat": "first", "points": 2}, False),
        ("A", True, {"seat": "second", "points": 2}, False),
    ]
    assert verify() == []
