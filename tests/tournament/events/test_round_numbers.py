"""The rounds that separate a winner, the most that can be paired, and the time they take."""

from typing import Any

import pytest
from django.test import Client

from tests.events import make_event, make_players
from tests.people import Person
from tests.tournament.events.test_new_event_page import SETTINGS, send
from tournament.events.round_numbers import RoundNumbers, find_round_numbers

TIME = {"main_minutes": 25, "increment_seconds": 10}


@pytest.mark.parametrize(
    ("system", "options", "players", "expected"),
    [
        ("knockout", {}, 9, (4, 4)),
        ("knockout", {"best_of": 3}, 8, (9, 9)),
        ("monrad", {}, 8, (5, 7)),
        ("dutch", {}, 9, (6, 9)),
        ("mcmahon", {"bar": 2000}, 130, (10, 99)),
        ("round-robin", {}, 7, (7, 98)),
        ("round-robin", {"cycles": 2}, 8, (14, 14)),
        ("round-robin", {}, 100, (99, 99)),
        ("round-robin", {}, 101, None),
        ("groups-knockout", {"groups": 2, "advance": 2}, 8, (5, 5)),
        ("groups-knockout", {"groups": 2, "advance": 2}, 3, None),
        ("luck", {}, 8, None),
    ],
)
def test_rounds_by_system(
    system: str, options: dict[str, Any], players: int, expected: tuple[int, int] | None
) -> None:
    rows = find_round_numbers({"system": system, "system_options": options}, players)

    found = [(row.players, row.separating, row.most) for row in rows]
    assert found == ([(players, *expected)] if expected else [])


@pytest.mark.parametrize(
    ("time", "hours"),
    [
        ({}, ""),
        (TIME, "3:30"),
        (TIME | {"games_per_pairing": "2"}, "7:00"),
        ({"main_minutes": "1", "increment_seconds": "0"}, "0:06"),
    ],
)
def test_the_time_of_the_rounds_that_separate_a_winner(time: dict[str, Any], hours: str) -> None:
    (found,) = find_round_numbers({"system": "knockout", **time}, 8)

    assert found.hours == hours


def test_a_new_event_has_them_for_its_places_or_for_usual_numbers(organiser: Person) -> None:
    sent = SETTINGS | {"system": "knockout", "system_options.best_of": "3"}

    def rows(**form: str) -> list[tuple[int, int]]:
        page = send(organiser, sent | {"step": "2", "go": "same"} | form)
        return [(row.players, row.separating) for row in page.context["round_numbers"]]

    assert rows() == [(8, 9), (16, 12), (32, 15), (64, 18)]
    assert rows(places="20") == [(20, 15)]


def test_the_settings_have_them_for_the_players_who_are_accepted(
    organiser: Person, client: Client
) -> None:
    event = make_event(organiser, system="monrad", places=40, **TIME)
    event.enter(*make_players(5, by=organiser))
    assert organiser.account is not None
    client.force_login(organiser.account)

    page = client.get("/e/spring/run/setup")

    assert page.context["round_numbers"] == [RoundNumbers("Monrad", 5, 5, 5, 350)]
    assert "5:50" in page.content.decode()
