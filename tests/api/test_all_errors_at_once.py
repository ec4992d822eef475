"""A write that several checks refuse names all that is wrong at once."""

from typing import Any

import pytest

from games.models import Player
from tests.events import SET_UP, make_event
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db


def found(person: Person, method: str, path: str, body: Any) -> list[tuple[str, str]]:
    problem = problem_in(person.send(method, path, body), 422)
    return [(error["pointer"], error["code"]) for error in problem["errors"]]


def test_settings_of_a_tournament(organiser: Person) -> None:
    body = SET_UP | {"board_size": "99", "system": "luck"}

    assert {pointer for pointer, _ in found(organiser, "POST", "tournaments", body)} == {
        "/board_size",
        "/system",
    }


def test_what_follows_from_no_system_is_known_without_it(organiser: Person) -> None:
    body = SET_UP | {
        "system": "luck",
        "tiebreaks": ["PTS", "LUCK"],
        "points": {"win": "1", "draw": "2"},
        "prizes": [{"name": "all", "amounts": []}],
        "check_in": "tournament",
    }

    assert [pointer for pointer, _ in found(organiser, "POST", "tournaments", body)] == [
        "/system",
        "/prizes/0/amounts",
        "/points",
        "/tiebreaks",
    ]


def test_a_league_with_wrong_options(organiser: Person) -> None:
    options = {"system": "round-robin", "system_options": {"schedule": "moon"}}
    body = SET_UP | options | {"check_in": "tournament", "tiebreaks": ["LUCK"]}

    assert [pointer for pointer, _ in found(organiser, "POST", "tournaments", body)] == [
        "/system_options/schedule",
        "/tiebreaks",
    ]


def test_a_webhook(organiser: Person) -> None:
    event = make_event(organiser)
    body = {
        "tournament": event.tournament.slug,
        "url": "https://127.0.0.1/",
        "kinds": ["round.published", "moon.full", "tide.high"],
    }

    assert found(organiser, "POST", "webhooks", body) == [
        ("/url", "address_refused"),
        ("/kinds/1", "unknown_kinds"),
        ("/kinds/2", "unknown_kinds"),
    ]


def test_a_token(organiser: Person) -> None:
    body = {"scopes": ["moon:read"], "expires_at": "2020-01-01T00:00:00Z"}

    assert found(organiser, "POST", "tokens", body) == [
        ("/scopes", "unknown_scope"),
        ("/expires_at", "expired"),
    ]


def test_the_byes_of_a_player(organiser: Person) -> None:
    event = make_event(organiser)
    (entry,) = event.enter(Player.objects.create(name="Ada"))
    address = f"{event.path}/entries/{entry.pk}/availability"

    assert found(organiser, "PUT", address, {"77": "zero-bye", "88": "zero-bye"}) == [
        ("/77", "no_such_round"),
        ("/88", "no_such_round"),
    ]


def test_an_entry_of_a_running_event(organiser: Person) -> None:
    event = make_event(organiser)
    entry, *_ = event.enter(*(Player.objects.create(name=name) for name in "ABCD"))
    event.step("open", "start")
    address = f"{event.path}/entries/{entry.pk}"

    assert found(organiser, "PATCH", address, {"birth_year": 2050}) == [
        ("/birth_year", "wrong_year"),
        ("/reason", "reason_needed"),
    ]


def test_a_proposal(ada: Person) -> None:
    body = {
        "opponent": 999_999, "seat": "first", "ruleset": "star-star", "board_size": "99",
        "rated": True, "pool": "moon",
    }  # fmt: skip

    assert found(ada, "POST", "games", body) == [
        ("/board_size", "unknown_board_size"),
        ("/pool", "unknown_pool"),
        ("/opponent", "unknown_player"),
    ]


def test_a_result_with_a_score(organiser: Person) -> None:
    event = make_event(organiser)
    event.enter(*(Player.objects.create(name=name) for name in "AB"))
    event.step("open", "start").publish()
    lines = [{"board": 1, "result": "1/2", "score": "900-1"}]

    assert found(
        organiser, "POST", f"{event.path}/rounds/1/results", {"results": lines, "basis": "slip"}
    ) == [("/results/0/result", "impossible_result"), ("/results/0/score", "impossible_result")]
