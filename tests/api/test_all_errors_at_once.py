"""A write names all that is wrong at once: in the shape of its body, then by the rules."""

import json
from typing import Any

import pytest

from games.models import Player
from tests.api.one_of_each import make_everything
from tests.events import SET_UP, make_event
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db


def found(person: Person, method: str, path: str, body: Any) -> list[tuple[str, str]]:
    problem = problem_in(person.send(method, path, body), 422)
    return [(error["pointer"], error["code"]) for error in problem["errors"]]


def test_the_shape_comes_before_the_rules(organiser: Person) -> None:
    body = SET_UP | {"rounds": 0, "nmae": "Spring", "board_size": "99"}

    assert found(organiser, "POST", "tournaments", body) == [
        ("/nmae", "unknown_member"),
        ("/rounds", "min_value"),
    ]


def test_what_follows_from_no_system_is_known_without_it(organiser: Person) -> None:
    body = SET_UP | {
        "system": "luck",
        "tiebreaks": ["PTS", "LUCK"],
        "points": {"win": "1", "draw": "2"},
        "prizes": [{"name": "all", "amounts": [5, "x", 9], "sex": "x"}, {"name": "w"}],
        "check_in": "tournament",
    }

    assert [pointer for pointer, _ in found(organiser, "POST", "tournaments", body)] == [
        "/system",
        "/prizes/0/sex",
        "/prizes/0/amounts/1",
        "/prizes/0/amounts/2",
        "/prizes/1/amounts",
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


def test_a_token(organiser: Person) -> None:
    body = {
        "tournament_slug": "moon", "scopes": ["moon:read"], "expires_at": "2020-01-01T00:00:00Z",
    }  # fmt: skip

    assert found(organiser, "POST", "tokens", body) == [
        ("/tournament_slug", "unknown_tournament"),
        ("/scopes", "unknown_scope"),
        ("/expires_at", "expired"),
    ]


def test_the_byes_of_a_player(organiser: Person) -> None:
    event = make_event(organiser)
    (entry,) = event.enter(Player.objects.create(name="Ada"))
    address = f"{event.path}/entries/{entry.pk}/availability"

    assert found(organiser, "PUT", address, {"77": "zero_bye", "88": "zero_bye"}) == [
        ("/77", "no_such_round"),
        ("/88", "no_such_round"),
    ]
    assert found(organiser, "PUT", address, None) == [("", "required")]


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
        "opponent_id": 999_999, "seat": "first", "ruleset": "star-star", "board_size": "99",
        "rated": True, "pool": "moon",
    }  # fmt: skip

    assert found(ada, "POST", "games", body) == [
        ("/board_size", "unknown_board_size"),
        ("/pool", "unknown_pool"),
        ("/opponent_id", "unknown_player"),
    ]


ILLEGAL = '[Game "star-star"]\n[Board "4"]\n1. Z99'
NOBODY = 999_999_999
ENTRY = "{entry_id}"
"""Stands for the id of an entry in a body."""
LINE = {"board": 1, "result": "1/2", "score": "900-1"}
RULES: dict[str, tuple[str, Any, set[str]]] = {
    "POST tournaments/{slug}/rounds/{number}/explain": (
        "owner", {"first_number": 1}, {"/second_number"},
    ),
    "POST games/{game_id}/rule": (
        "owner",
        {"result": "900-1", "record": ILLEGAL, "reason": "seen"},
        {"/result", "/record"},
    ),
    "POST pools": (
        "staff",
        {"code": "moon", "name": "Moon", "preset": "fixed", "casual_rulesets": ["a", "b"],
         "parameters": {"k0": 0, "a/b": 1},
         "rated_rulesets": {"hex": ["11", "99", "x"], "go~": []}},
        {"/casual_rulesets/0", "/casual_rulesets/1", "/parameters/k0", "/parameters/a~1b",
         "/rated_rulesets/hex/1", "/rated_rulesets/hex/2", "/rated_rulesets/go~0"},
    ),
    "PATCH pools/{code}": (
        "officer",
        {"rated_rulesets": {"moon": []}, "handicap_table": "v99"},
        {"/rated_rulesets/moon", "/handicap_table"},
    ),
    "POST handicap-tables": (
        "officer",
        {"pool": "star", "reason": "new", "rows": [
            {"ruleset": ruleset, "board_size": board, "first_move": 1, "first_stone": 1,
             "further_stone": 1, "point": 1}
            for ruleset, board in (("moon", "10"), ("star-star", "10"), ("moon", "11"))
        ]},
        {"/rows/0/board_size", "/rows/2/board_size"},
    ),
    "POST players/{player_id}/what-if": (
        "owner",
        {"pool": "moon", "results": [{"opponent_id": NOBODY, "score": "1"}]},
        {"/pool", "/results/0/opponent_id"},
    ),
    "POST tournaments/{slug}/byes": (
        "owner", {"entry_id": NOBODY, "round": 99, "kind": "half_bye"}, {"/entry_id", "/round"},
    ),
    "POST tournaments/{slug}/corrections": (
        "owner",
        {"changes": [
            {"game_id": NOBODY, "result": "1-0"},
            {"entry_id": NOBODY, "seed_rating": 1500},
        ], "reason": "misread"},
        {"/changes/0/game_id", "/changes/1/entry_id", "/digest"},
    ),
    "POST tournaments/{slug}/entries/apply": (
        "stranger", {"key": "wrong"}, {"/key", "/name"},
    ),
    "PATCH tournaments/{slug}/rounds/{number}/pairings": (
        "owner",
        {"boards": [
            {"board": 1, "first_id": NOBODY, "second_id": ENTRY},
            {"board": 77, "first_id": ENTRY, "second_id": NOBODY,
             "handicap": {"seat": "second", "stones": 9999}},
        ], "reason": "by hand"},
        {"/boards/0/first_id", "/boards/1/second_id", "/boards/1/handicap", "/boards/1/board"},
    ),
    "POST tournaments/{slug}/rounds/{number}/results": (
        "owner",
        {"results": [LINE, {"board": 77, "result": "1-0"}], "basis": "ruling"},
        {"/results/0/result", "/results/0/score", "/results/1/board", "/reason"},
    ),
    "PATCH webhooks/{webhook_id}": (
        "owner",
        {"receiver_url": "https://127.0.0.1/", "kinds": ["moon.full"]},
        {"/receiver_url", "/kinds/0"},
    ),
}  # fmt: skip


def test_each_write_names_all_broken_rules_at_once(db: None) -> None:
    everything = make_everything(rounds=2)
    differences = {}
    for name, (role, body, expected) in RULES.items():
        method, _, address = name.partition(" ")
        entry = str(everything.values["entry_id"])
        body = json.loads(json.dumps(body).replace(f'"{ENTRY}"', entry))
        response = everything.people[role].send(method, everything.path(address), body)
        pointers = {error["pointer"] for error in response.json().get("errors", ())}
        if response.status_code != 422 or pointers != expected:
            differences[name] = (response.status_code, pointers)

    assert differences == {}


def test_values_that_are_wrong_only_in_the_database(db: None) -> None:
    everything = make_everything(rounds=2, system="dutch")
    explained = everything.path("tournaments/{slug}/rounds/{number}/explain")

    merged = found(
        everything.people["staff"], "POST", "merges", {"keep_id": NOBODY, "merge_id": 10**8}
    )
    numbers = {"first_number": 98, "second_number": 99}
    compared = found(everything.people["owner"], "POST", explained, numbers)

    assert [pointer for pointer, _ in merged] == ["/keep_id", "/merge_id"]
    assert [pointer for pointer, _ in compared] == ["/first_number", "/second_number"]


def test_a_webhook_of_an_unknown_event(organiser: Person) -> None:
    body = {
        "tournament_slug": "moon", "receiver_url": "https://127.0.0.1/", "kinds": ["moon.full"]
    }  # fmt: skip

    assert found(organiser, "POST", "webhooks", body) == [
        ("/tournament_slug", "unknown_tournament"),
        ("/receiver_url", "address_refused"),
        ("/kinds/0", "unknown_kinds"),
    ]


NOT_THE_TYPE = [
    ("players", {"name": 5}, "/name"),
    ("players", {"name": "Ada", "seed_rating": "1500"}, "/seed_rating"),
    ("players", {"name": "Ada", "seed_rating": True}, "/seed_rating"),
    ("players", {"name": "Ada", "seed_reached_2400": 1}, "/seed_reached_2400"),
    ("players", {"name": "Ada", "external_ids": {"fide": 1503014}}, "/external_ids/fide"),
    ("tournaments", SET_UP | {"board_size": 6}, "/board_size"),
    ("players", {"name": "Ada", "sex": 1}, "/sex"),
    ("tournaments", SET_UP | {"tiebreaks": ["PTS", 5]}, "/tiebreaks/1"),
]


@pytest.mark.parametrize(("path", "body", "pointer"), NOT_THE_TYPE)
def test_a_value_of_another_json_type(
    organiser: Person, path: str, body: Any, pointer: str
) -> None:
    assert found(organiser, "POST", path, body) == [(pointer, "invalid")]


PARAMETERS = [
    (
        "POST tournaments/import?dry_run=maybe&rated=2&encoding=utf-7&slug=a+b&pool=moon",
        {"dry_run", "rated", "encoding", "slug", "ruleset", "board_size"},
    ),
    (
        "POST players/import?dry_run=maybe&columns=Verein&encoding=utf-7",
        {"dry_run", "columns", "encoding"},
    ),
    ("GET players?external_id=fide&external_id=x&order=odd&order=x", {"external_id", "order"}),
    ("GET players?external_id=fide&order=odd", {"external_id", "order"}),
    (
        "GET handicap?first_player_id=x&second_player_id=1&ruleset=star-star&board_size=99"
        "&pool=moon",
        {"first_player_id", "board_size", "pool"},
    ),
    ("GET games?rated=maybe&ruleset=moon&limit=0&moon=1", {"rated", "ruleset", "limit", "moon"}),
]


def test_each_request_names_all_wrong_parameters_at_once(db: None) -> None:
    everything = make_everything(rounds=2)
    differences = {}
    for request, expected in PARAMETERS:
        method, _, address = request.partition(" ")
        response = everything.people["owner"].send(method, everything.path(address))
        names = {error.get("parameter") for error in problem_in(response, 422)["errors"]}
        if names != expected:
            differences[request] = names

    assert differences == {}
