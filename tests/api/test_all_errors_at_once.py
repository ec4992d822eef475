"""A write that several checks refuse names all that is wrong at once."""

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


def test_settings_of_a_tournament(organiser: Person) -> None:
    body = SET_UP | {"board_size": "99", "system": "luck"}

    assert {pointer for pointer, _ in found(organiser, "POST", "tournaments", body)} == {
        "/board_size",
        "/system",
    }


def test_unknown_members_and_wrong_values(organiser: Person) -> None:
    body = SET_UP | {"rounds": 0, "nmae": "Spring"}

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


NOBODY = 999_999_999
ENTRY = "{entry_id}"
"""Stands for the id of an entry in a body."""
LINE = {"board": 1, "result": "1/2", "score": "900-1"}
ALL_WRONG: dict[str, tuple[str, Any, set[str]]] = {
    "POST claims": ("stranger", {"player": "1", "x": 1}, {"/player", "/x"}),
    "POST games": (
        "player",
        {"opponent": NOBODY, "seat": "third", "ruleset": "star-star", "board_size": "99",
         "options": ["moon"], "handicap": "lots", "swap": "yes", "main_minutes": -1,
         "rated": "no", "pool": "moon"},
        {"/opponent", "/seat", "/board_size", "/options", "/handicap", "/swap", "/main_minutes",
         "/rated", "/pool"},
    ),
    "POST games/{game_id}/rule": (
        "owner",
        {"result": "9:9", "before_handicap": "no", "termination": "moon", "record": 5},
        {"/result", "/before_handicap", "/termination", "/record", "/reason"},
    ),
    "POST players": (
        "owner",
        {"name": 5, "country": "pol1", "club": 6, "seed_rating": "1500", "seed_games": "7",
         "seed_reached_2400": "yes", "external_ids": {"fide": 5}, "birth_year": 2200, "sex": "x"},
        {"/name", "/country", "/club", "/seed_rating", "/seed_games", "/seed_reached_2400",
         "/external_ids/fide", "/birth_year", "/sex"},
    ),
    "POST pools": (
        "staff",
        {"code": "moon", "name": 5, "preset": "fixed", "casual_rulesets": ["a", "b"],
         "parameters": {"k0": 0, "a/b": 1, "start": "1500"},
         "policy": "moon", "rated_rulesets": {"hex": ["11", "99", "x"], "go~": []},
         "time_classes": ["moon"], "least_expected": -1},
        {"/name", "/casual_rulesets/0", "/casual_rulesets/1", "/parameters/k0",
         "/parameters/a~1b", "/parameters/start", "/policy", "/rated_rulesets/hex/1",
         "/rated_rulesets/hex/2", "/rated_rulesets/go~0", "/time_classes/0", "/least_expected"},
    ),
    "PATCH pools/{code}": (
        "officer",
        {"policy": "moon", "rated_rulesets": {"moon": []}, "least_expected": "5",
         "handicap_table": "v99"},
        {"/policy", "/rated_rulesets/moon", "/least_expected", "/handicap_table"},
    ),
    "POST pools/{code}/analyses": (
        "officer", {"kind": "moon", "level": 2}, {"/kind", "/level"},
    ),
    "POST pools/{code}/batches/{batch_id}/backdate": (
        "officer", {"effective_at": "tomorrow"}, {"/reason", "/effective_at"},
    ),
    "POST pools/{code}/handicap-tables": (
        "officer",
        {"rows": [
            {"ruleset": "moon", "board_size": "10", "first_move": 1, "first_stone": 1,
             "further_stone": 1, "point": 1},
            {"ruleset": "star-star", "board_size": "10"},
            {"ruleset": "moon", "board_size": "11", "first_move": 1, "first_stone": 1,
             "further_stone": 1, "point": 1},
        ]},
        {"/reason", "/rows/0/board_size", "/rows/1/first_move", "/rows/1/first_stone",
         "/rows/1/further_stone", "/rows/1/point", "/rows/2/board_size"},
    ),
    "POST tokens": (
        "owner",
        {"name": 5, "scopes": ["moon"], "tournament": "a b", "preconditions": "moon",
         "expires_at": "2020-01-01T00:00:00Z"},
        {"/name", "/scopes", "/tournament", "/preconditions", "/expires_at"},
    ),
    "POST tournaments": (
        "owner",
        SET_UP | {
            "name": 5, "slug": "import", "rounds": 0, "system": "luck", "board_size": "99",
            "options": ["moon"], "tiebreaks": ["LUCK"], "points": {"win": "1", "draw": "2"},
            "prizes": [{"name": "all", "amounts": [5, "x", 9], "sex": "x"}, {"name": "w"}],
            "pool": "moon", "time_zone": "Moon/Base",
            "increment_seconds": "5", "handicap_table": "v99", "rated": "yes",
        },
        {"/name", "/slug", "/rounds", "/system", "/board_size", "/options", "/tiebreaks", "/points",
         "/prizes/0/amounts/1", "/prizes/0/amounts/2", "/prizes/0/sex", "/prizes/1/amounts",
         "/pool", "/time_zone", "/increment_seconds", "/handicap_table",
         "/rated"},
    ),
    "PATCH tournaments/{slug}": (
        "owner",
        {"rounds": "5", "system": "luck", "board_size": "99", "ends_on": "1999-01-01",
         "time_zone": "Moon/Base", "pool": "moon"},
        {"/rounds", "/system", "/board_size", "/ends_on", "/time_zone", "/pool"},
    ),
    "POST tournaments/{slug}/byes": (
        "owner",
        {"entry": NOBODY, "round": 99, "kind": "moon", "reason": 5},
        {"/entry", "/round", "/kind", "/reason"},
    ),
    "POST tournaments/{slug}/corrections": (
        "owner",
        {"changes": [
            {"game": NOBODY, "result": "1-0"},
            {"game": "1", "result": "1-0"},
            {"entry": NOBODY, "seed_rating": 1500},
        ], "scope": "moon", "digest": "x"},
        {"/changes/0/game", "/changes/1/game", "/changes/2/entry", "/scope", "/reason", "/digest"},
    ),
    "POST tournaments/{slug}/entries": (
        "owner",
        {"player": NOBODY, "seed_rating": "1500", "lot": 0, "birth_year": 2200, "sex": "x"},
        {"/player", "/seed_rating", "/lot", "/birth_year", "/sex"},
    ),
    "POST tournaments/{slug}/entries/apply": (
        "stranger",
        {"link": "wrong", "seed_rating": 5, "birth_year": 2200, "club": 5},
        {"/link", "/name", "/seed_rating", "/birth_year", "/club"},
    ),
    "PATCH tournaments/{slug}/entries/{entry_id}": (
        "owner",
        {"seed_rating": "1500", "birth_year": 1500, "first_round": "1"},
        {"/seed_rating", "/birth_year", "/first_round", "/reason"},
    ),
    "PUT tournaments/{slug}/entries/{entry_id}/availability": (
        "player", {"x": "half-bye", "3": "moon"}, {"/x", "/3"},
    ),
    "POST tournaments/{slug}/entries/{entry_id}/withdraw": (
        "owner", {"from_round": "2", "reason": 5}, {"/from_round", "/reason"},
    ),
    "POST tournaments/{slug}/roles": (
        "owner", {"email": "nobody", "role": "king"}, {"/email", "/role"},
    ),
    "PATCH tournaments/{slug}/rounds/{number}": (
        "owner", {"starts_on": "soon", "starts_at": "later"}, {"/starts_on", "/starts_at"},
    ),
    "POST tournaments/{slug}/rounds/{number}/explain": (
        "owner", {"first": "1", "second": None}, {"/first", "/second"},
    ),
    "POST tournaments/{slug}/rounds/{number}/pair": (
        "owner", {"relax": [5], "reason": 5}, {"/relax/0", "/reason"},
    ),
    "PATCH tournaments/{slug}/rounds/{number}/pairings": (
        "owner",
        {"boards": [
            {"board": 1, "first": NOBODY, "second": ENTRY},
            {"board": "2", "first": ENTRY, "second": ENTRY},
            {"board": 3, "first": ENTRY, "second": NOBODY, "handicap": "lots"},
        ], "accept": "x"},
        {"/reason", "/boards/0/first", "/boards/1/board", "/boards/2/second",
         "/boards/2/handicap", "/accept"},
    ),
    "POST tournaments/{slug}/rounds/{number}/restore": (
        "owner", {"version": "1"}, {"/version", "/reason"},
    ),
    "POST tournaments/{slug}/rounds/{number}/results": (
        "owner",
        {"results": [LINE, {"board": "1", "result": "1-0"}, {"board": 77, "result": "1-0"}],
         "basis": "ruling"},
        {"/results/0/result", "/results/0/score", "/results/1/board", "/results/2/board",
         "/reason"},
    ),
    "POST tournaments/{slug}/ties": (
        "owner", {"numbers": ["1"], "by": "moon"}, {"/numbers", "/numbers/0", "/by", "/reason"},
    ),
    "POST webhooks": (
        "owner",
        {"url": "https://127.0.0.1/", "kinds": ["moon.full", 5, "tide.high"]},
        {"/tournament", "/url", "/kinds/0", "/kinds/1", "/kinds/2"},
    ),
    "PATCH webhooks/{webhook_id}": (
        "owner",
        {"url": "https://127.0.0.1/", "kinds": ["moon.full"], "active": "yes"},
        {"/url", "/kinds/0", "/active"},
    ),
}  # fmt: skip


def test_each_write_names_all_wrong_members_at_once(db: None) -> None:
    everything = make_everything(rounds=2)
    differences = {}
    for name, (role, body, expected) in ALL_WRONG.items():
        method, _, address = name.partition(" ")
        entry = str(everything.values["entry_id"])
        body = json.loads(json.dumps(body).replace(f'"{ENTRY}"', entry))
        response = everything.people[role].send(method, everything.path(address), body)
        pointers = {error["pointer"] for error in response.json().get("errors", ())}
        if response.status_code != 422 or pointers != expected:
            unknown, missing = pointers - expected, expected - pointers
            differences[name] = (response.status_code, unknown, missing)

    assert differences == {}


def test_values_that_are_wrong_only_in_the_database(db: None) -> None:
    everything = make_everything(rounds=2, system="dutch")
    explained = everything.path("tournaments/{slug}/rounds/{number}/explain")

    merged = found(everything.people["staff"], "POST", "merges", {"keep": NOBODY, "merge": 10**8})
    compared = found(everything.people["owner"], "POST", explained, {"first": 98, "second": 99})

    assert [pointer for pointer, _ in merged] == ["/keep", "/merge"]
    assert [pointer for pointer, _ in compared] == ["/first", "/second"]


def test_a_webhook_of_an_unknown_event(organiser: Person) -> None:
    body = {"tournament": "moon", "url": "https://127.0.0.1/", "kinds": ["moon.full"]}

    assert found(organiser, "POST", "webhooks", body) == [
        ("/tournament", "unknown_tournament"),
        ("/url", "address_refused"),
        ("/kinds/0", "unknown_kinds"),
    ]


NOT_THE_TYPE = [
    ("players", {"name": 5}, "/name"),
    ("players", {"name": "Ada", "seed_rating": "1500"}, "/seed_rating"),
    ("players", {"name": "Ada", "seed_rating": True}, "/seed_rating"),
    ("players", {"name": "Ada", "seed_reached_2400": "true"}, "/seed_reached_2400"),
    ("players", {"name": "Ada", "seed_reached_2400": 1}, "/seed_reached_2400"),
    ("players", {"name": "Ada", "external_ids": {"fide": 1503014}}, "/external_ids/fide"),
    ("tournaments", SET_UP | {"rounds": "5"}, "/rounds"),
    ("tournaments", SET_UP | {"board_size": 6}, "/board_size"),
    ("tournaments", SET_UP | {"tiebreaks": ["PTS", 5]}, "/tiebreaks/1"),
]


@pytest.mark.parametrize(("path", "body", "pointer"), NOT_THE_TYPE)
def test_a_value_of_another_json_type(
    organiser: Person, path: str, body: Any, pointer: str
) -> None:
    assert found(organiser, "POST", path, body) == [(pointer, "invalid")]


READS = [
    (
        "handicap?first=x&second=1&ruleset=star-star&board_size=99&pool=moon",
        {"first", "board_size", "pool"},
    ),
    ("handicap?ruleset=star-star&pool=moon", {"first", "second", "board_size", "pool"}),
    ("players/{player_id}/what-if?pool=moon&results=x", {"pool", "results"}),
    ("games?rated=maybe&ruleset=moon&limit=0&moon=1", {"rated", "ruleset", "limit", "moon"}),
    ("tournaments?state=moon&country=1&limit=x", {"state", "country", "limit"}),
    ("players?country=1&limit=0&cursor=x", {"country", "limit", "cursor"}),
]


def test_each_read_names_all_wrong_parameters_at_once(db: None) -> None:
    everything = make_everything(rounds=2)
    differences = {}
    for address, expected in READS:
        response = everything.people["owner"].get(everything.path(address))
        names = {error.get("parameter") for error in problem_in(response, 422)["errors"]}
        if names != expected:
            differences[address] = names

    assert differences == {}


ILLEGAL = '[Game "star-star"]\n[Board "4"]\n1. Z99'


@pytest.mark.parametrize(
    ("role", "action", "body", "expected"),
    [
        ("owner", "rule", {"result": "900-1", "record": ILLEGAL, "reason": 5},
         {"/result", "/record", "/reason"}),
        ("owner", "rule", {"record": "[Game \"star-star\"]", "reason": "seen"}, {"/record"}),
        ("player", "reports", {"claim": {"result": "900-1"}, "record": ILLEGAL, "seat": "third"},
         {"/claim/result", "/record", "/seat"}),
    ],
)  # fmt: skip
def test_a_ruling_and_a_report_that_cannot_be(
    db: None, role: str, action: str, body: Any, expected: set[str]
) -> None:
    everything = make_everything(rounds=2)
    address = everything.path(f"games/{{game_id}}/{action}")

    wrong = found(everything.people[role], "POST", address, body)

    assert {pointer for pointer, _ in wrong} == expected


def test_the_referee_names_the_record(ada: Person) -> None:
    assert {pointer for pointer, _ in found(ada, "POST", "rules/referee", {"record": ILLEGAL})} == {
        "/record"
    }
