"""`/tournaments`: create, edit, list, and the transitions."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Role
from games.rules.registry import GAMES
from ratings.models import Batch, Pool
from tests.events import SET_UP, Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses
from tournament.core.states import EVENT_RULES
from tournament.events.transitions import TRANSITIONS
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """An event in each state."""
    found = {}
    players = make_players(2)
    for state in Tournament.State:
        event = found[state.value] = make_event(organiser, slug=state, rounds=1)
        event.enter(*players)
        if state == "running":
            event.step("open", "start")
        Tournament.objects.filter(slug=state).update(state=state)
        event.tournament.refresh_from_db()
    return {"events": found}


def test_permissions_to_create(everyone: dict[str, Person]) -> None:
    assert statuses(everyone, "GET", "tournaments") == dict.fromkeys(everyone, 200)

    found = {
        name: person.post("tournaments", SET_UP | {"slug": name}).status_code
        for name, person in everyone.items()
    }

    assert found == {"organiser": 201, "player": 201, "stranger": 201, "anonymous": 401}


def test_a_tournament_is_created(organiser: Person) -> None:
    answer = organiser.post("tournaments", SET_UP)

    assert answer["Location"] == "/api/v1/tournaments/spring-open"
    assert answer.json() == SET_UP | {
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
        "forecast": "public",
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
        "rating": None,
        "unrated_rating": None,
        "warnings": [],
    }
    assert organiser.get(answer["Location"]).json().items() >= answer.json().items()
    (role,) = organiser.get("me").json()["roles"]
    assert role == {
        "id": role["id"],
        "tournament": "spring-open",
        "pool": None,
        "role": "owner",
    }
    line = JournalLine.objects.select_related("payload").get(stream="tournament/spring-open")
    assert (line.kind, line.payload.body["name"]) == ("tournament.created", "Spring Open")


def test_all_wrong_options_and_tiebreaks_are_named(organiser: Person) -> None:
    body = {"system": "mcmahon", "system_options": {"floor": "low", "door": 1}}
    body["tiebreaks"] = ["PTS", "STAGE", "BH", "LOST"]
    errors = problem_in(organiser.post("tournaments", SET_UP | body), 422)["errors"]
    pointers = ["/system_options/floor", "/system_options/door", "/tiebreaks"]
    assert [error["pointer"] for error in errors] == pointers
    detail = errors[-1]["detail"]
    assert detail == "STAGE is the final order of a knockout; LOST is the final order of a knockout"


UNKNOWN = {
    "game": ({"ruleset": "chess"}, "unknown_ruleset", sorted(GAMES)),
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
            assert all(action in problem["detail"] for action in valid)

    assert Tournament.objects.count() == 1


NOT_RATED = {"another game": {"hex": []}, "another board": {"star-star": ["10"], "hex": []}}


@pytest.mark.parametrize("rated_games", NOT_RATED.values(), ids=NOT_RATED)
def test_a_pool_that_does_not_rate_the_game_is_refused_at_once(
    organiser: Person, rated_games: dict[str, list[str]]
) -> None:
    Pool.objects.filter(code="star").update(rated_games=rated_games)
    Pool.objects.create(code="all", name="All", preset="fixed")
    event = make_event(organiser, slug="other", pool="star", rated=False)
    body = SET_UP | {"pool": "star"}

    answers = [
        organiser.post("tournaments", body),
        organiser.post("tournaments?dry_run=1", body),
        organiser.patch(event.path, {"rated": True}),
        organiser.patch(f"{event.path}?dry_run=1", {"rated": True}),
    ]

    for answer in answers:
        problem = problem_in(answer, 422, "pool_rates_others")
        assert (problem["valid"], problem["errors"][0]["pointer"]) == (["all"], "/pool")
    assert Tournament.objects.count() == 1
    assert organiser.post("tournaments", body | {"rated": False}).status_code == 201
    assert organiser.patch(event.path, {"rated": True, "pool": "all"}).status_code == 200


@pytest.mark.parametrize(
    ("times", "detail"),
    [
        ({}, "does not rate games without a stated time"),
        ({"main_minutes": 3, "increment_seconds": 2}, "does not rate blitz games"),
        ({"main_minutes": 60}, "does not rate standard games"),
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
        organiser.post("tournaments?dry_run=1", SET_UP | {"pool": "star"} | times),
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


def test_an_event_whose_pool_rates_other_games_since_can_change(organiser: Person) -> None:
    event = make_event(organiser, pool="star")
    Pool.objects.filter(code="star").update(rated_games={"hex": []})

    assert organiser.patch(event.path, {"name": "Autumn Open"}).status_code == 200
    problem_in(organiser.patch(event.path, {"board_size": "10"}), 422, "pool_rates_others")


IMPOSSIBLE_POINTS = {
    "two draws beat a win": {"win": 1, "draw": "0.75", "loss": 0},
    "a loss beats a draw": {"loss": 2},
    "not a number": {"win": "many"},
    "an exponent": {"win": "1e99999999"},
    "a long exponent": {"win": "1e9999999999"},
    "a division by zero": {"win": "1/0"},
    "an unknown kind": {"victory": 3},
    "negative": {"win": -1},
    "too large": {"win": 10**11},
    "tiny steps": {"win": "1/99999"},
    "underscores": {"win": "1_0"},
    "a list": {"win": [1]},
    "a flag": {"win": True},
}


@pytest.mark.parametrize("points", IMPOSSIBLE_POINTS.values(), ids=IMPOSSIBLE_POINTS)
def test_impossible_points_are_rejected(organiser: Person, points: dict[str, Any]) -> None:
    problem = problem_in(organiser.post("tournaments", SET_UP | {"points": points}), 422)

    assert problem["errors"][0]["pointer"].startswith("/points")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    "points",
    [{"win": 3, "draw": 1}, {"win": "1", "draw": "1/2"}, {"win": 1, "draw": 0.5, "half_bye": 0.5}],
)
def test_possible_points(organiser: Person, points: dict[str, Any]) -> None:
    assert organiser.post("tournaments", SET_UP | {"points": points}).status_code == 201


WRONG = [
    ("name", ["", None, [], {}, "x" * 121, "Spring\nOpen", "a\x1bb"]),
    ("slug", ["two words", "x" * 81, "é", "", None, 7.5, ["spring"]]),
    ("place", ["a\nb", [], "x" * 121]),
    ("arbiter", ["a\nb", {}]),
    ("time_control", ["a\rb"]),
    ("main_minutes", [-1, 1441, 10**30, "x", [], 1.5]),
    ("increment_seconds", [-1, 601, None, "x", []]),
    ("time_class", ["rapid"]),
    ("country", ["Portugal", "PT", 7, ["POR"]]),
    ("starts_on", ["soon", "2026-02-30", None, 20260501, [], "0999-01-01", "99999-01-01"]),
    ("ends_on", ["2026-04-30", "9999-12-31", {}]),
    ("time_zone", ["Mars/Crater", "../../etc/passwd", "", [], "x" * 65]),
    ("rounds", [0, -1, 100, 10**30, "nine", 2.5, None, [], True]),
    ("swap", ["perhaps", [], {}, 7]),
    ("rated", ["perhaps", []]),
    ("public", [None, "perhaps", {}]),
    ("options", ["x", {"a": 1}, [[]], ["x"] * 9, ["two-point-corners"], 7]),
    ("points", [[], "3-1-0", 7]),
    ("tiebreaks", [[], "PTS", [7], [{}], ["PTS"] * 13, ["PTS", "PTS"], [""], {}]),
    ("confirm_hours", [-1, 1441, 10**30, "x", []]),
    ("half_byes", [-1, 100, "x", {}]),
    ("initial_seat", ["white", [], {}, 1]),
    ("pool", ["x" * 41, [], {}]),
    ("game", [None, [], {}, 7]),
    ("board_size", [None, [], {}, -4, "4.0"]),
    ("system", [None, [], {}]),
]


@pytest.mark.parametrize("most", [2, pytest.param(9, marks=pytest.mark.long)])
@pytest.mark.parametrize(("field", "values"), WRONG, ids=[field for field, _ in WRONG])
def test_an_invalid_value_has_a_pointer(
    organiser: Person, field: str, values: list[object], most: int
) -> None:
    """PATCH reads the fields like POST: of each, the first value is sent."""
    event = make_event(organiser, slug="other")
    for number, value in enumerate(values[:most]):
        body = {field: value}
        answers = [organiser.post("tournaments", SET_UP | body)]
        if number == 0 and field != "slug":
            answers.append(organiser.patch(event.path, body))
        for answer in answers:
            problem = problem_in(answer, 422)
            pointers = [error.get("pointer", "") for error in problem["errors"]]
            assert pointers[0].startswith(f"/{field}"), (value, problem)

    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("name", SET_UP)
def test_required_values(organiser: Person, name: str) -> None:
    body = {key: value for key, value in SET_UP.items() if key != name}

    problem = problem_in(organiser.post("tournaments", body), 422, "invalid")

    assert [error["pointer"] for error in problem["errors"]] == [f"/{name}"]


def test_a_rated_event_needs_a_pool(organiser: Person) -> None:
    Pool.objects.update_or_create(code="star", defaults={"name": "Star", "preset": "fixed"})
    event = make_event(organiser, pool="star", rated=True)

    for answer in (
        organiser.post("tournaments", SET_UP | {"rated": True, "pool": ""}),
        organiser.patch(event.path, {"pool": ""}),
    ):
        problem = problem_in(answer, 422, "pool_needed")
        assert [error["pointer"] for error in problem["errors"]] == ["/pool"]
    assert organiser.patch(event.path, {"pool": "", "rated": False}).status_code == 200


@pytest.mark.parametrize("body", [[], "x", 7, None])
def test_a_body_that_is_not_an_object(organiser: Person, body: object) -> None:
    problem_in(organiser.post("tournaments", body), 422, "invalid")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Łódź Open 2027", "lodz-open-2027"),
        ("Ørsted & Đurić", "orsted-duric"),
        ("Große Straße", "grosse-strasse"),
        ("Iğdır ışık", "igdir-isik"),
        ("Кубок Москвы", "kubok-moskvy"),
        ("Αθήνα", "athina"),
        ("春", "chun"),
        ("★ ★", "event-1"),
        ("import", "import-1"),
    ],
)
def test_every_name_gives_an_address(organiser: Person, name: str, slug: str) -> None:
    assert organiser.post("tournaments", SET_UP | {"name": name}).json()["slug"] == slug


def test_names_without_letters_are_numbered(organiser: Person) -> None:
    slugs = [
        organiser.post("tournaments", SET_UP | {"name": name}).json()["slug"]
        for name in ("★", "★★", "—")
    ]

    assert slugs == ["event-1", "event-2", "event-3"]


def test_a_long_name_gives_a_shortened_slug(organiser: Person) -> None:
    tournament = organiser.post("tournaments", SET_UP | {"name": "Spring " * 17}).json()

    assert tournament["slug"] == "spring-" * 11 + "spr"
    assert organiser.get(f"tournaments/{tournament['slug']}/standings").status_code == 200


def test_a_slug_is_unique(organiser: Person, stranger: Person) -> None:
    organiser.post("tournaments", SET_UP)

    problem_in(stranger.post("tournaments", SET_UP), 409, "slug_taken")


@pytest.mark.parametrize("slug", ["Spring-Open", "spring_open", "spring--open", "-spring-open_"])
def test_a_slug_is_not_taken_for_another(organiser: Person, stranger: Person, slug: str) -> None:
    organiser.post("tournaments", SET_UP)

    problem_in(stranger.post("tournaments", SET_UP | {"slug": slug}), 409, "slug_taken")
    assert stranger.post("tournaments", SET_UP | {"slug": "springopen"}).status_code == 201


def test_a_dry_run_creates_nothing(organiser: Person) -> None:
    for action in ("1", "true", "True", "yes"):
        answer = organiser.post(f"tournaments?dry_run={action}", SET_UP)
        assert (answer.status_code, answer.json()["slug"]) == (200, "spring-open"), action
    for word in ("", "maybe", "2"):
        refused = organiser.post(f"tournaments?dry_run={word}", SET_UP)
        assert problem_in(refused, 422, "invalid_parameter")["parameter"] == "dry_run"

    counts = (Tournament.objects.count(), Role.objects.count(), JournalLine.objects.count())
    assert counts == (0, 0, 0)


def test_pages_of_the_list_link_to_each_other(organiser: Person) -> None:
    for slug in ("one", "two", "three"):
        organiser.post("tournaments", SET_UP | {"slug": slug})

    first = organiser.get("tournaments?limit=2").json()
    second = organiser.get(first["next"]).json()

    assert [row["slug"] for row in first["results"] + second["results"]] == ["one", "two", "three"]
    assert organiser.get(second["previous"]).json()["results"] == first["results"]
    assert (first["previous"], second["next"]) == (None, None)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_one_query(
    anonymous: Person,
    organiser: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        make_event(organiser, slug=f"spring-{number}").step("open")

    with django_assert_num_queries(1):
        assert len(anonymous.get("tournaments").json()["results"]) == count


def test_the_list_of_an_account_takes_four_queries(
    organiser: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        make_event(organiser, slug=f"spring-{number}")

    organiser.get("tournaments")
    with django_assert_num_queries(3):  # the token with its account, the roles, the page
        assert len(organiser.get("tournaments").json()["results"]) == 4


class TestEditing:
    def test_permissions(self, everyone: dict[str, Person], organiser: Person) -> None:
        event = make_event(organiser).step("open")

        assert statuses(everyone, "PATCH", event.path, {"place": "Lisbon"}) == {
            "organiser": 200,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize(
        ("scopes", "stream", "status"),
        [
            (["tournament:write"], "", 200),
            (["tournament:write"], "tournament/spring", 200),
            (["tournament:write"], "tournament/autumn", 403),
            (["tournament:read", "result:write", "record:write"], "", 403),
        ],
    )
    def test_token_permissions(
        self, organiser: Person, scopes: list[str], stream: str, status: int
    ) -> None:
        event = make_event(organiser).step("open")
        owner = organiser.with_token(*scopes, stream=stream)

        assert owner.patch(event.path, {"place": "Lisbon"}).status_code == status

    def test_a_change_writes_a_journal_line(self, organiser: Person) -> None:
        event = make_event(organiser)

        answer = organiser.patch(event.path, {"rounds": 5, "name": "Spring Open"})

        assert answer.json()["rounds"] == 5
        line = JournalLine.objects.select_related("payload").get(kind="tournament.edited")
        assert line.payload.body.items() >= {"rounds": 5}.items()

    def test_a_dry_run_changes_nothing(self, organiser: Person) -> None:
        event = make_event(organiser)

        answer = organiser.patch(f"{event.path}?dry_run=1", {"rounds": 5})

        assert answer.json()["rounds"] == 5
        assert organiser.get(event.path).json()["rounds"] == 3
        assert not JournalLine.objects.filter(kind="tournament.edited").exists()

    def test_slug_and_state_cannot_be_set(self, organiser: Person) -> None:
        event = make_event(organiser)

        organiser.patch(event.path, {"slug": "other", "state": "final"})

        body = organiser.get(event.path).json()
        assert (body["slug"], body["state"]) == ("spring", "draft")

    @pytest.mark.parametrize(
        "body",
        [
            {"board_size": "6"},
            {"system": "dutch"},
            {"points": {"win": 3}},
            {"initial_seat": "second"},
            {"half_byes": 0},
            {"rated": False},
            {"swap": False},
        ],
    )
    def test_settings_that_pairings_depend_on_are_frozen_after_the_start(
        self, organiser: Person, body: dict[str, Any]
    ) -> None:
        event = make_event(organiser)
        event.enter(*make_players(2))
        event.step("open", "start")

        problem_in(organiser.patch(event.path, body), 409, "set_up_frozen")

        assert organiser.patch(event.path, {"place": "Lisbon"}).status_code == 200


def body_of(action: str) -> dict[str, str]:
    """Return the body of a transition: a reason, if it needs one."""
    return {"reason": "the hall is closed"} if EVENT_RULES[action].is_unsafe else {}


def target_of(action: str) -> str:
    """Return the state after a transition of these events; the cancelled one was a draft."""
    return "draft" if action == "resume" else TRANSITIONS[action].target


class TestTransitions:
    @pytest.fixture
    def events(self, start: dict[str, Any]) -> dict[str, Event]:
        return start["events"]

    @pytest.mark.parametrize("action", TRANSITIONS)
    def test_every_transition_from_every_state(
        self, organiser: Person, events: dict[str, Event], action: str
    ) -> None:
        sources, target = EVENT_RULES[action].states, target_of(action)
        for state, event in events.items():
            lines = JournalLine.objects.count()
            answer = organiser.post(f"{event.path}/{action}", body_of(action))
            after = organiser.get(event.path).json()["state"]
            if state in sources and (action, state) != ("review", "running"):
                assert (state, answer.status_code, after) == (state, 200, target)
                assert JournalLine.objects.count() == lines + 1
            else:
                problem_in(answer, 409)
                assert (state, after) == (state, state)
                assert JournalLine.objects.count() == lines

    @pytest.mark.parametrize("action", TRANSITIONS)
    def test_a_dry_run_of_every_transition(
        self, organiser: Person, events: dict[str, Event], action: str
    ) -> None:
        source = EVENT_RULES[action].states[0]
        event = events[source]
        if action == "review":
            event.play(1)
        lines = JournalLine.objects.count()

        answer = organiser.post(f"{event.path}/{action}?dry_run=1", body_of(action))

        assert (answer.status_code, answer.json()["state"]) == (200, target_of(action))
        assert organiser.get(event.path).json()["state"] == source
        assert JournalLine.objects.count() == lines
        assert Batch.objects.count() == 0

    @pytest.mark.parametrize("action", TRANSITIONS)
    def test_permissions(
        self, everyone: dict[str, Person], events: dict[str, Event], action: str
    ) -> None:
        event = events["final"]

        found = statuses(everyone, "POST", f"{event.path}/{action}", body_of(action))

        expected = 200 if action in ("archive", "reopen") else 409
        assert found == {
            "organiser": expected,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize(
        ("action", "status"), [("cancel", 403), ("finalise", 403), ("open", 200)]
    )
    def test_only_owners_cancel_and_finalise(
        self, organiser: Person, stranger: Person, action: str, status: int
    ) -> None:
        event = make_event(organiser)
        Role.objects.create(stream=event.stream, account=stranger.account, role=Role.Name.DIRECTOR)

        assert stranger.post(f"{event.path}/{action}").status_code == status

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

        assert [error["round"] for error in problem["errors"]] == [2, 3]

    def test_a_rated_event_is_filed_with_ratings_once(self, organiser: Person) -> None:
        event = make_event(organiser, rounds=1, pool="star")
        event.enter(*make_players(2))
        event.step("open", "start").play(1)
        event.step("review")

        answer = organiser.post(f"{event.path}/finalise")

        batch = Batch.objects.get()
        assert (answer.status_code, answer["Location"]) == (202, f"/api/v1/tasks/batch-{batch.pk}")
        assert answer.json()["task"]["id"] == f"batch-{batch.pk}"
        problem_in(organiser.post(f"{event.path}/finalise"), 409, "wrong_state")
        assert organiser.get(answer["Location"]).json()["id"] == f"batch-{batch.pk}"
        assert settle() == 0


@pytest.mark.parametrize(
    "zone",
    ["Pacific/Kiritimati", "Etc/GMT+12", pytest.param("Asia/Kathmandu", marks=pytest.mark.long)],
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
