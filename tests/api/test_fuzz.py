"""Any JSON at every address that takes a body: an error or a success, never a 500."""

import json
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.models import Pool
from tests.events import FIRST_WINS, SET_UP, make_event, make_players
from tests.people import PROBLEM_JSON, Person, player_of
from tests.ratings.factories import day, file_event

LENGTHS = st.sampled_from([0, 1, 2, 80, 81, 120, 121, 240, 241, 2001])
WORDS = st.one_of(
    st.text(max_size=30),
    st.builds(lambda character, length: character * length, st.sampled_from("aé0 -"), LENGTHS),
    st.sampled_from(
        ["first", "second", "star-star", "4", "10", "monrad", "dutch", "PTS", "BH/C1", "MARGIN",
         "1/2", "1-0", "0-0", "26-25", "-1--1", "agreed", "forfeit", "pairing-bye", "half-bye",
         "2026-05-01", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59Z", "UTC", "1e999", "NaN",
         "²", "\u202e", "\ufeff", "true", "null", FIRST_WINS, FIRST_WINS + FIRST_WINS]
    ),
)  # fmt: skip
NUMBERS = st.one_of(
    st.integers(),
    st.integers(-2, 5),
    st.sampled_from([2**31, 2**63 - 1, 2**63, 2**64, 10**400, -(10**400)]),
    st.floats(allow_nan=False, allow_infinity=False),
)
NAMES = sorted(
    {*SET_UP, "record", "records", "claim", "result", "termination", "seat", "version", "reason",
     "moves", "tags", "options", "handicap", "stones", "points", "swap", "win", "draw", "loss",
     "player", "entry", "round", "kind", "pairings", "bye", "first", "second", "scopes",
     "expires_at", "tournament", "tiebreaks", "time_zone", "pool", "code", "preset", "parameters",
     "slug", "public", "half_byes", "confirm_hours", "country", "club", "seed_rating", "board",
     "birth_year", "sex", "category", "prizes", "boards", "accept", "changes", "digest", "scope",
     "game", "title", "results", "basis", "email", "token", "password", "role", "keep", "merge"}
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), inner, max_size=5),
    ),
    max_leaves=8,
)
BODIES: dict[str, tuple[str, str, Any]] = {
    "players": ("POST", "players", {"name": "Cleo", "country": "POR", "seed_rating": 1700}),
    "tokens": ("POST", "tokens", {"scopes": ["tournament:read"], "expires_at": None}),
    "referee": ("POST", "rules/referee", {"record": FIRST_WINS}),
    "tournaments": ("POST", "tournaments", SET_UP | {"points": {"win": 1}, "tiebreaks": ["PTS"]}),
    "a tournament": ("PATCH", "tournaments/spring", {"place": "Lisbon", "time_zone": "UTC"}),
    "prizes": (
        "PATCH",
        "tournaments/spring",
        {"prizes": [{"name": "all", "amounts": [100, 50], "split": "half", "age_to": 12}]},
    ),
    "a draft": ("PATCH", "tournaments/draft", {"rounds": 3, "points": {"win": 3}, "places": 4}),
    "entries": (
        "POST",
        "tournaments/spring/entries",
        {"player": 1, "seed_rating": 1500, "birth_year": 2014, "sex": "w", "category": "x"},
    ),
    "an entry": (
        "PATCH",
        "tournaments/spring/entries/{entry}",
        {"birth_year": 2014, "sex": "w", "club": "x", "seed_rating": 1600, "reason": "x"},
    ),
    "availability": (
        "PUT",
        "tournaments/spring/entries/{entry}/availability",
        {"3": "half-bye", "2": "zero-bye"},
    ),
    "a withdrawal": (
        "POST",
        "tournaments/spring/entries/{entry}/withdraw",
        {"from_round": 3, "reason": "x"},
    ),
    "an application": (
        "POST",
        "tournaments/rated/entries/apply",
        {"name": "Cleo", "country": "POR", "birth_year": 1990, "fide": "1", "link": ""},
    ),
    "links": ("POST", "tournaments/spring/links", {"entries": [1]}),
    "a session": ("POST", "tournaments/spring/links/session", {"link": "WzEsMV0:x"}),
    "byes": ("POST", "tournaments/spring/byes", {"entry": 1, "round": 2, "kind": "half-bye"}),
    "a round": ("PATCH", "tournaments/spring/rounds/2", {"starts_on": "2026-05-01"}),
    "pairings": (
        "PUT",
        "tournaments/spring/rounds/2/pairings",
        {"reason": "x", "pairings": [{"first": 1, "second": 2}]},
    ),
    "pair": ("POST", "tournaments/spring/rounds/2/pair", {"reason": "x", "relax": ["rematch"]}),
    "explain": ("POST", "tournaments/spring/rounds/2/explain", {"first": 1, "second": 2}),
    "check": ("POST", "tournaments/spring/rounds/2/check", {}),
    "results": (
        "POST",
        "tournaments/spring/rounds/2/results",
        {"results": [{"board": 1, "result": "1-0", "score": "11-10"}], "basis": "slip"},
    ),
    "a proposal": (
        "POST",
        "games",
        {
            "opponent": 1,
            "seat": "first",
            "ruleset": "star-star",
            "board_size": "4",
            "options": [],
            "swap": True,
            "handicap": "",
            "rated": True,
            "pool": "star",
        },
    ),
    "a record": ("POST", "games/{game}/reports", {"record": FIRST_WINS, "seat": "first"}),
    "a claim": ("POST", "games/{game}/reports", {"claim": {"result": "11-10"}}),
    "confirm": ("POST", "games/{game}/confirm", {"version": 1}),
    "dispute": ("POST", "games/{game}/dispute", {"reason": "x"}),
    "rule": ("POST", "games/{game}/rule", {"reason": "x", "result": "1-0"}),
    "annul": ("POST", "games/{game}/annul", {"reason": "x"}),
    "adjourn": ("POST", "games/{game}/adjourn", {"reason": "x"}),
    "a player": ("PATCH", "players/{player}", {"name": "Cleo", "birth_year": 1990, "sex": "w"}),
    "a claim of a player": ("POST", "claims", {"player": 1}),
    "a merge": ("POST", "merges", {"keep": 1, "merge": 2, "reason": "x"}),
    "a role": ("POST", "tournaments/spring/roles", {"email": "a@b.org", "role": "scorer"}),
    "boards": (
        "PATCH",
        "tournaments/spring/rounds/2/pairings",
        {
            "reason": "x",
            "boards": [{"board": 1, "first": 1, "second": 2, "handicap": "second 2 stones"}],
            "accept": ["rematch"],
        },
    ),
    "publish": ("POST", "tournaments/spring/rounds/2/publish", {"accept": ["rematch"]}),
    "unpair": ("POST", "tournaments/spring/rounds/2/unpair", {"reason": "x"}),
    "restore": ("POST", "tournaments/spring/rounds/2/restore", {"version": 1, "reason": "x"}),
    "reopen": ("POST", "tournaments/spring/rounds/1/reopen", {"reason": "x"}),
    "cancel": ("POST", "tournaments/draft/cancel", {"reason": "x"}),
    "a preview": (
        "POST",
        "tournaments/spring/corrections?dry_run=1",
        {
            "changes": [
                {"game": 1, "result": "0-1", "score": "10-11"},
                {"entry": 1, "round": 1, "bye": "half-bye"},
                {"entry": 1, "seed_rating": 1500, "title": "GM", "sex": "w"},
            ],
            "scope": "standings",
            "reason": "x",
        },
    ),
    "a correction": (
        "POST",
        "tournaments/spring/corrections",
        {
            "changes": [{"game": 1, "record": FIRST_WINS}],
            "digest": f"1.{'0' * 64}",
            "accept": ["advance_changes"],
            "reason": "x",
        },
    ),
    "an undo": (
        "POST",
        "tournaments/spring/corrections/1/undo",
        {"reason": "x", "digest": f"1.{'0' * 64}", "accept": ["advance_changes"]},
    ),
    "pools": ("POST", "pools", {"code": "moon", "name": "Moon", "preset": "decay"}),
    "a pool": ("PATCH", "pools/star", {"policy": "open"}),
    "an event of a pool": ("POST", "pools/star/tournaments/rated/refuse", {"reason": "x"}),
    "a date": (
        "POST",
        "pools/star/batches/{batch}/backdate",
        {"effective_at": "2020-01-01T00:00:00Z", "reason": "x"},
    ),
}


@st.composite
def mutated(draw: st.DrawFn, body: Any) -> Any:
    """Replace some values of a body, at any depth."""
    if draw(st.integers(0, 3)) == 0 or not isinstance(body, dict | list) or not body:
        return draw(JSON)
    changed = json.loads(json.dumps(body))
    key = draw(st.sampled_from(sorted(changed) if isinstance(changed, dict) else [0]))
    changed[key] = draw(mutated(changed[key]))
    if isinstance(changed, dict) and draw(st.booleans()):
        changed[draw(st.sampled_from(NAMES))] = draw(JSON)
    return changed


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    organiser.account.is_staff = True
    organiser.account.save()
    make_event(organiser, slug="draft")
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben), *make_players(2))
    event.step("open", "start").play(1)
    games = event.publish(2)
    (game,) = [game for game in games if player_of(ada) in (game.first, game.second)]
    entry = event.tournament.entries.get(player=player_of(ada))
    make_event(organiser, slug="rated", pool="star").step("open")
    batch = file_event(Pool.objects.get(code="star"), "cup", day(1), [])
    ids = {
        "game": str(game.pk),
        "entry": str(entry.pk),
        "batch": str(batch.pk),
        "player": str(player_of(ada).pk),
    }
    corrected = {"changes": [{"entry": entry.pk, "category": "u18"}], "reason": "x"}
    correct(organiser, event.path, corrected)
    return {"organiser": organiser, "player": ada, "ids": ids}


def correct(person: Person, path: str, body: dict[str, Any]) -> None:
    """Commit a correction."""
    digest = person.post(f"{path}/corrections?dry_run=1", body).json()["digest"]
    response = person.post(f"{path}/corrections", body | {"digest": digest})
    assert response.status_code == 200, response.content


@pytest.mark.parametrize(("method", "path", "body"), BODIES.values(), ids=BODIES)
def test_no_body_causes_a_500(start: dict[str, Any], method: str, path: str, body: Any) -> None:
    person = start[
        "player" if path.endswith(("games", "reports", "confirm", "dispute")) else "organiser"
    ]
    address = path.format(**start["ids"])

    @settings(
        max_examples=settings().max_examples // (2 if connection.vendor == "sqlite" else 3),
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(sent=mutated(body))
    def send(sent: Any) -> None:
        try:
            content = json.dumps(sent).encode()
        except ValueError:  # more digits than Python writes
            return
        response = person.send(method, f"{address}?dry_run=1", content)
        assert response.status_code < 500
        if response.status_code >= 400:
            assert response["Content-Type"] == PROBLEM_JSON
        if response.status_code < 300:
            assert person.send(method, address, content).status_code < 500

    send()
