"""`/tournaments`: create, edit, list, and the transitions."""

from typing import Any

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Role
from games.rules.registry import GAMES, TWO_PLAYER_GAMES
from ratings.models import Batch, Pool
from tests.events import SET_UP, make_event, make_players, settle
from tests.people import URL, Person, problem_in
from tournament.core.states import EVENT_RULES
from tournament.events.transitions import TRANSITIONS
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS

pytestmark = pytest.mark.django_db


def test_a_tournament_is_created(organiser: Person) -> None:
    answer = organiser.post("tournaments", SET_UP)

    assert answer["Location"] == f"{URL}tournaments/spring-open"
    body = answer.json()
    times = {name: body.pop(name) for name in ("created_at", "updated_at")}
    (row,) = organiser.get("tournaments").json()["results"]
    assert times.items() <= row.items()
    assert body == SET_UP | {
        "slug": "spring-open",
        "place": None,
        "country": None,
        "time_zone": "UTC",
        "arbiter": None,
        "time_control": None,
        "main_minutes": None,
        "increment_seconds": 0,
        "time_class": None,
        "state": "draft",
        "public": True,
        "options": [],
        "swap": True,
        "advice": False,
        "rated": True,
        "pool": None,
        "confirm_hours": 24,
        "points": {},
        "tiebreaks": ["PTS", "BH/C1", "BH", "SB"],
        "initial_seat": "first",
        "half_byes": 1,
        "half_byes_until_round": None,
        "missed_rounds": "zero",
        "seed_source": "given",
        "places": None,
        "fills_places": False,
        "check_in": "none",
        "live_delay": "none",
        "play": "anywhere",
        "days_per_turn": None,
        "forecast": "public",
        "description": None,
        "venue": None,
        "map_url": None,
        "fee": None,
        "contact": None,
        "applications": "accounts",
        "registration_from": None,
        "registration_until": None,
        "system_options": {},
        "separations": [],
        "balance_seats": True,
        "games_per_pairing": 1,
        "handicaps": "none",
        "handicap_table": None,
        "handicap_share": 100,
        "handicap_cap": None,
        "handicap_kinds": [],
        "prizes": [],
        "currency": None,
        "draw_seed_digest": None,
        "draw_seed": None,
        "rating_batch": None,
        "url": f"{settings.PUBLIC_URL}/api/v1/tournaments/spring-open",
        "page_url": f"{settings.PUBLIC_URL}/e/spring-open",
        "unrated_rating": None,
        "warnings": [],
    }
    assert organiser.get(answer["Location"]).json().items() >= answer.json().items()
    (role,) = organiser.get("me").json()["roles"]
    assert role == {
        "id": role["id"],
        "tournament": {"slug": "spring-open", "name": answer.json()["name"]},
        "pool": None,
        "role": "owner",
        "url": f"{URL}me/roles/{role['id']}",
    }
    line = JournalLine.objects.select_related("payload").get(stream="tournament/spring-open")
    assert (line.kind, line.payload.body["name"]) == ("tournament.created", "Spring Open")


@pytest.mark.parametrize(
    ("ruleset", "codes", "refused"),
    [("hex", ["PTS", "STARS"], "STARS"), ("star", ["PTS", "STARS", "QUARKS"], "QUARKS")],
)
def test_a_tiebreak_of_what_the_game_lacks_is_refused(
    organiser: Person, ruleset: str, codes: list[str], refused: str
) -> None:
    board = GAMES[ruleset].first_board
    body = SET_UP | {"ruleset": ruleset, "board_size": board, "rated": False, "tiebreaks": codes}
    event = make_event(organiser, slug="other", tiebreaks=["PTS", *codes[1:]])
    change = {"ruleset": ruleset, "board_size": board, "rated": False}

    for answer in (organiser.post("tournaments", body), organiser.patch(event.path, change)):
        problem = problem_in(answer, 422, "unknown_tiebreak")
        assert f"so {refused} ranks nobody" in problem["detail"]
        assert "BH[/Cn|/Mn][/P][/F]" in problem["valid"]
        assert refused not in problem["valid"]

    Tournament.objects.update(game=ruleset, board=board)
    assert organiser.patch(event.path, {"name": "Another name"}).status_code == 200


def test_all_wrong_options_and_tiebreaks_are_named(organiser: Person) -> None:
    body = {"system": "mcmahon", "system_options": {"floor": "low", "door": 1}}
    body["tiebreaks"] = ["PTS", "STAGE", "BH", "LOST"]
    errors = problem_in(organiser.post("tournaments", SET_UP | body), 422)["errors"]
    pointers = ["/system_options/floor", "/system_options/door", "/tiebreaks"]
    assert [error["pointer"] for error in errors] == pointers
    detail = errors[-1]["detail"]
    assert detail == "STAGE is the final order of a knockout; LOST is the final order of a knockout"


UNKNOWN = {
    "game": ({"ruleset": "chess"}, "unknown_ruleset", sorted(TWO_PLAYER_GAMES)),
    "board": ({"board_size": "5"}, "unknown_board_size", sorted(GAMES["star-star"].boards)),
    "system": ({"system": "swiss"}, "unknown_system", sorted(PAIRING_SYSTEMS)),
    "tie-break": ({"tiebreaks": ["PTS", "LUCK"]}, "unknown_tiebreak", None),
    "pool": ({"pool": "moon"}, "unknown_pool", ["star"]),
}


@pytest.mark.parametrize(("body", "code", "valid"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_key_lists_the_valid_ones(
    organiser: Person, body: dict[str, Any], code: str, valid: list[str] | None
) -> None:
    event = make_event(organiser, slug="other")
    (field,) = body

    for answer in (organiser.post("tournaments", SET_UP | body), organiser.patch(event.path, body)):
        problem = problem_in(answer, 422, code)
        assert problem["errors"][0]["pointer"] == f"/{field}"
        if valid is None:
            known = {form.partition("[")[0] for form in problem["valid"]}
            assert {"PTS", "BH", "SB", "WIN", "DE"} <= known
        else:
            assert sorted(problem["valid"]) == valid

    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    "rated_games",
    [{"hex": []}, {"star-star": ["10"], "hex": []}],
    ids=["another game", "another board"],
)
def test_a_pool_that_does_not_rate_the_game_is_refused_at_once(
    organiser: Person, rated_games: dict[str, list[str]]
) -> None:
    Pool.objects.filter(code="star").update(rated_games=rated_games)
    Pool.objects.create(code="all", name="All", preset="fixed")
    event = make_event(organiser, slug="other", pool="star", rated=False)
    body = SET_UP | {"pool": "star"}

    for answer in (
        organiser.post("tournaments", body),
        organiser.patch(event.path, {"rated": True}),
    ):
        problem = problem_in(answer, 422, "pool_rates_others")
        assert (problem["valid"], problem["errors"][0]["pointer"]) == (["all"], "/pool")
    assert Tournament.objects.count() == 1
    unknown = problem_in(organiser.post("tournaments", body | {"pool": "go"}), 422, "unknown_pool")
    assert unknown["valid"] == ["all"]
    assert organiser.post("tournaments", body | {"rated": False}).status_code == 201
    assert organiser.patch(event.path, {"rated": True, "pool": "all"}).status_code == 200


@pytest.mark.parametrize(
    ("rated_games", "game", "codes"),
    [
        ({"star-star": ["6"]}, "star-star", []),
        ({"star-star": ["10"], "hex": []}, "star-star", ["pool_rates_others"]),
        ({}, "star-star", ["pool_rates_everything"]),
        ({}, "hex", ["pool_rates_everything"]),
    ],
)
def test_an_event_is_warned_of_a_pool_that_does_not_rate_its_games_alone(
    organiser: Person, rated_games: dict[str, list[str]], game: str, codes: list[str]
) -> None:
    board = {"star-star": "6", "hex": "11"}[game]
    event = make_event(organiser, pool="star", rated=False, ruleset=game, board_size=board)
    Tournament.objects.update(rated=True)
    Pool.objects.filter(code="star").update(rated_games=rated_games)

    warnings = organiser.get(event.path).json()["warnings"]

    assert [warning["code"] for warning in warnings if "pool" in warning["code"]] == codes


def test_no_pool_that_rates_the_game_is_said(organiser: Person) -> None:
    body = SET_UP | {"pool": "star", "ruleset": "hex", "board_size": "11"}
    problem = problem_in(organiser.post("tournaments", body), 422, "pool_rates_others")
    assert "no other pool" in problem["detail"]
    assert "valid" not in problem


@pytest.mark.parametrize(
    ("times", "detail"),
    [
        ({}, "does not rate games without a stated time"),
        ({"main_minutes": 3, "increment_seconds": 2}, "does not rate blitz games"),
    ],
)
def test_a_pool_that_does_not_rate_the_time_class_is_refused_at_once(
    organiser: Person, times: dict[str, int], detail: str
) -> None:
    Pool.objects.filter(code="star").update(time_classes=["rapid"])
    Pool.objects.create(code="all", name="All", preset="fixed")
    rapid = {"main_minutes": 15, "increment_seconds": 10}
    event = make_event(organiser, slug="other", pool="star", **rapid)
    none = {"main_minutes": None, "increment_seconds": 0}

    answers = [
        organiser.post("tournaments", SET_UP | {"pool": "star"} | times),
        organiser.patch(event.path, none | times),
    ]

    for answer in answers:
        problem = problem_in(answer, 422, "pool_rates_others")
        assert (problem["valid"], problem["errors"][0]["pointer"]) == (["all"], "/pool")
        assert detail in problem["detail"]
    assert organiser.patch(event.path, none | times | {"rated": False}).status_code == 200


def test_the_time_class_follows_from_the_times(organiser: Person) -> None:
    body = {"main_minutes": 15, "increment_seconds": 10}
    created = organiser.post("tournaments", SET_UP | body).json()
    assert (created["time_class"], created["increment_seconds"]) == ("rapid", 10)

    path = f"tournaments/{created['slug']}"
    assert organiser.patch(path, {"main_minutes": 50}).json()["time_class"] == "standard"
    line = JournalLine.objects.filter(stream=f"tournament/{created['slug']}").last()
    assert line is not None
    assert line.payload.body.keys() - {"salt"} == {"main_minutes"}
    for wrong in ({"main_minutes": None}, {"main_minutes": 0, "increment_seconds": 0}):
        problem = problem_in(organiser.patch(path, wrong), 422, "senseless_time")
        assert problem["errors"][0]["pointer"] == "/main_minutes"
    assert organiser.patch(path, {"main_minutes": 0}).status_code == 200
    problem = problem_in(organiser.patch(path, {"increment_seconds": 0}), 422, "senseless_time")
    assert problem["errors"][0]["pointer"] == "/increment_seconds"
    assert organiser.patch(path, {"main_minutes": 50}).status_code == 200
    unchanged = organiser.get(path).json()
    assert (unchanged["main_minutes"], unchanged["increment_seconds"]) == (50, 10)


@pytest.mark.parametrize(
    "points",
    [
        {"win": 1, "draw": "0.75", "loss": 0, "half_bye": 2},
        {"win": "1e9999999999"},
        {"win": "1/0"},
        {"victory": 3},
        {"win": 10**11},
        {"win": True},
    ],
    ids=["a bye beats a win", "a long exponent", "a division by zero", "unknown", "large", "flag"],
)
def test_impossible_points_are_rejected(organiser: Person, points: dict[str, Any]) -> None:
    problem = problem_in(organiser.post("tournaments", SET_UP | {"points": points}), 422)

    (error,) = problem["errors"]
    assert error["pointer"].startswith("/points")
    assert ("valid" in error) == ("victory" in points)


def test_possible_points(organiser: Person) -> None:
    points = {"win": "1", "draw": "1/2", "half_bye": 0.5}
    assert organiser.post("tournaments", SET_UP | {"points": points}).status_code == 201


REFUSED = [
    ("name", "Spring\nOpen"),
    ("country", "PT"),
    ("starts_on", "0999-01-01"),
    ("ends_on", "2026-04-30"),
    ("ends_on", "9999-12-31"),
    ("time_zone", "../../etc/passwd"),
    ("rounds", 100),
    ("options", ["two-point-corners"]),
    ("tiebreaks", ["PTS"] * 13),
    ("tiebreaks", ["PTS", "PTS"]),
]


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_values_that_the_schema_does_not_refuse(
    organiser: Person, field: str, value: object
) -> None:
    problem = problem_in(organiser.post("tournaments", SET_UP | {field: value}), 422)

    assert problem["errors"][0]["pointer"].startswith(f"/{field}")


def test_a_rated_event_needs_a_pool(organiser: Person) -> None:
    event = make_event(organiser, pool="star", rated=True)

    problem = problem_in(organiser.patch(event.path, {"pool": ""}), 422, "pool_needed")

    assert [error["pointer"] for error in problem["errors"]] == ["/pool"]
    assert organiser.patch(event.path, {"pool": "", "rated": False}).status_code == 200


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Łódź Open 2027", "lodz-open-2027"),
        ("Кубок Москвы", "kubok-moskvy"),
        ("import", "import-1"),
        ("★★", "event-1"),
        ("Spring " * 17, "spring-" * 11 + "spr"),
    ],
)
def test_every_name_gives_an_address(organiser: Person, name: str, slug: str) -> None:
    assert organiser.post("tournaments", SET_UP | {"name": name}).json()["slug"] == slug


@pytest.mark.parametrize("slug", ["spring-open", "Spring-Open", "spring_open"])
def test_a_slug_is_not_taken_for_another(organiser: Person, stranger: Person, slug: str) -> None:
    organiser.post("tournaments", SET_UP)

    problem_in(stranger.post("tournaments", SET_UP | {"slug": slug}), 409, "slug_taken")
    assert stranger.post("tournaments", SET_UP | {"slug": "springopen"}).status_code == 201


def test_a_dry_run_creates_nothing(organiser: Person) -> None:
    lines = JournalLine.objects.count()
    answer = organiser.post("tournaments?dry_run=1", SET_UP)
    assert (answer.status_code, answer.json()["slug"]) == (200, "spring-open")

    counts = (Tournament.objects.count(), Role.objects.count(), JournalLine.objects.count())
    assert counts == (0, 0, lines)


def test_the_list_takes_one_query(
    anonymous: Person, organiser: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        make_event(organiser, slug=f"spring-{number}").step("open")

    with django_assert_num_queries(1):
        assert len(anonymous.get("tournaments").json()["results"]) == 3


class TestEditing:
    def test_settings_that_pairings_depend_on_are_frozen_after_the_start(
        self, organiser: Person
    ) -> None:
        event = make_event(organiser)
        event.enter(*make_players(2))
        event.step("open", "start")

        for field, value in (
            ("board_size", "6"),
            ("system", "dutch"),
            ("points", {"win": 3}),
            ("initial_seat", "second"),
            ("half_byes", 0),
            ("half_byes_until_round", 2),
            ("missed_rounds", "half"),
            ("rated", False),
            ("swap", False),
            ("advice", True),
            ("main_minutes", 30),
            ("balance_seats", False),
            ("games_per_pairing", 2),
            ("seed_source", "pool"),
            ("handicaps", "by_hand"),
            ("handicap_table", "v1"),
            ("handicap_share", 50),
            ("handicap_cap", 3),
            ("handicap_kinds", ["stones"]),
        ):
            refused = organiser.patch(event.path, {field: value})
            assert problem_in(refused, 409, "set_up_frozen"), field

        assert organiser.patch(event.path, {"place": "Lisbon"}).status_code == 200


def body_of(action: str) -> dict[str, str]:
    """Return the body of a transition: a reason, if it needs one."""
    return {"reason": "the hall is closed"} if EVENT_RULES[action].is_unsafe else {}


class TestTransitions:
    @pytest.mark.parametrize(
        ("action", "sources"),
        [("open", {"draft"}), ("archive", {"final"}), ("reopen", {"final"})],
    )
    def test_a_transition_from_every_state(
        self, organiser: Person, action: str, sources: set[str]
    ) -> None:
        for state in Tournament.State:
            event = make_event(organiser, slug=state, rounds=1)
            Tournament.objects.filter(slug=state).update(state=state)
            lines = JournalLine.objects.count()
            answer = organiser.post(f"{event.path}/{action}", body_of(action))
            after = organiser.get(event.path).json()["state"]
            if state in sources:
                assert (answer.status_code, after) == (200, TRANSITIONS[action].target)
                assert JournalLine.objects.count() == lines + 1
            else:
                problem_in(answer, 409)
                assert (after, JournalLine.objects.count()) == (state, lines)

    @pytest.mark.parametrize("count", [0, 1])
    def test_the_start_needs_two_entries(self, organiser: Person, count: int) -> None:
        event = make_event(organiser)
        event.enter(*make_players(count))
        event.step("open")

        problem_in(organiser.post(f"{event.path}/start"), 409, "too_few_entries")

        assert organiser.get(f"{event.path}/rounds").json()["results"] == []

    def test_review_needs_complete_rounds(self, organiser: Person) -> None:
        event = make_event(organiser)
        event.enter(*make_players(4))
        event.step("open", "start").play(1)

        problem = problem_in(organiser.post(f"{event.path}/review"), 409, "rounds_open")
        event.play(2)
        last = problem_in(organiser.post(f"{event.path}/review"), 409, "rounds_open")

        assert [error["round"] for error in problem["errors"]] == [2, 3]
        assert problem["detail"] == "rounds 2, 3 are not complete"
        assert last["detail"] == "round 3 is not complete"

    def test_a_rated_event_is_filed_with_ratings_once(self, organiser: Person) -> None:
        event = make_event(organiser, rounds=1, pool="star")
        event.enter(*make_players(2))
        event.step("open", "start").play(1)
        event.step("review")

        preview = organiser.post(f"{event.path}/finalise?dry_run=1")
        assert (preview.json()["state"], Batch.objects.count()) == ("final", 0)

        answer = organiser.post(f"{event.path}/finalise")

        batch = Batch.objects.get()
        assert (answer.status_code, answer["Location"]) == (202, f"{URL}tasks/batch-{batch.pk}")
        assert answer.json()["task"]["id"] == f"batch-{batch.pk}"
        problem_in(organiser.post(f"{event.path}/finalise"), 409, "wrong_state")
        assert organiser.get(answer["Location"]).json()["id"] == f"batch-{batch.pk}"
        assert settle() == 0


@pytest.mark.parametrize(
    "zone",
    ["Pacific/Kiritimati", "Etc/GMT+12"],
)
def test_a_rated_event_ends_in_its_own_time_zone(organiser: Person, zone: str) -> None:
    event = make_event(organiser, rounds=1, pool="star", time_zone=zone)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)

    assert organiser.post(f"{event.path}/review").status_code == 200
    assert organiser.post(f"{event.path}/finalise").status_code == 202


def test_byes_are_bounded_by_the_rounds(organiser: Person) -> None:
    event = make_event(organiser)
    rounds = event.tournament.rounds
    body = {"half_byes": rounds + 1, "half_byes_until_round": rounds + 2}
    problem = problem_in(organiser.patch(event.path, body), 422, "more_than_rounds")
    assert [error["pointer"] for error in problem["errors"]] == [f"/{name}" for name in body]
    assert organiser.patch(event.path, dict.fromkeys(body, rounds)).status_code == 200
