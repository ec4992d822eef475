"""`/plan`: an account compares formats of an event, and reads the plan in every format."""

import csv
import io
import json
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from games.core.uploads.tasks import TaskProgress, read_progress
from games.models import Account, Player
from games.models.attempts import MAX_ATTEMPTS
from ratings.models import Pool, Rating, Run
from tests.events import make_event, make_players
from tests.people import Person, make_person, problem_in, statuses
from tests.ratings.factories import day
from tournament.models import Plan, Tournament
from tournament.plans import services as plans
from tournament.plans.queries import load_planned_players, plan_task
from tournament.tasks import advance_plan, plan_due

pytestmark = pytest.mark.django_db

RATINGS = [2000, 1900, 1850, 1700, 1600]
SMALL = {"ratings": RATINGS, "systems": ["monrad"], "rounds": [2], "simulations": 20, "seed": 3}
LARGE = SMALL | {"systems": ["monrad", "knockout"], "rounds": [2, 3]}
"""What a task simulates in the tests that use the fixture `by_tasks`."""


def plan_of(person: Person, body: dict[str, Any] = SMALL) -> dict[str, Any]:
    """Return a plan that was simulated at once."""
    response = person.post("plan", body)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


@pytest.fixture
def by_tasks(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let tasks simulate every plan, in one process."""
    monkeypatch.setattr(plans, "MOST_SIMULATED_AT_ONCE", 0)
    settings.SIMULATION_PROCESSES = 1


@pytest.fixture
def in_small_steps(by_tasks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each task do two simulations, which are the first ones of a process."""
    monkeypatch.setattr(plans, "STEP_SECONDS", 0)


def test_a_small_plan_is_simulated_at_once(stranger: Person) -> None:
    response = stranger.post("plan", SMALL)
    found = response.json()
    assert response.status_code == 200
    assert (found["state"], found["done"], found["seed"]) == ("done", 20, 3)
    assert found["players"][0] == {"rating": 2000, "error": 100}
    (one,) = found["formats"]
    assert (one["system"], one["rounds"], one["minutes"], one["boards"]) == ("monrad", 2, 130, 2)
    assert 0 <= one["winner"]["low"] <= one["winner"]["value"] <= one["winner"]["high"] <= 1
    assert found["recommendation"]["formats"] == [0]
    assert "Monrad, 2 rounds is recommended" in found["recommendation"]["reasons"][0]["sentence"]
    assert stranger.get(response["Location"]).json() == found


def test_a_large_plan_is_simulated_by_tasks(stranger: Person, in_small_steps: None) -> None:
    response = stranger.post("plan", LARGE)
    found = response.json()
    assert (response.status_code, found["state"], found["done"]) == (202, "waiting", 0)
    assert response["Retry-After"] == str(found["task"]["retry_after"])
    assert found["formats"][0]["winner"] is None
    assert found["recommendation"]["reasons"] == []
    problem_in(stranger.get(f"{response['Location']}.csv"), 409, "no_result")
    advance_plan(found["id"])
    assert (found["task"]["kind"], found["task"]["reason"]["code"]) == ("plan", "queued")
    task = stranger.get(f"tasks/{found['task']['id']}").json()
    assert stranger.get(response["Location"]).json()["task"] == task
    assert (task["state"], task["progress"], task["result"]) == ("waiting", 2 / 20, None)
    assert stranger.get(response["Location"]).json()["formats"][0]["games"]["value"] == 4


def test_steps_give_what_one_request_gives(
    stranger: Person, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = plan_of(stranger)
    Plan.objects.all().delete()
    request.getfixturevalue("in_small_steps")
    found = stranger.post("plan", SMALL).json()
    advance_plan(found["id"])
    assert plan_due() == 1
    assert Plan.objects.get().done == 4
    monkeypatch.setattr(plans, "STEP_SECONDS", 60)
    assert (plan_due(), plan_due()) == (1, 0)
    done = stranger.get(f"plan/{found['id']}").json()
    assert (done["state"], done["formats"]) == ("done", at_once["formats"])
    assert stranger.get(f"tasks/{found['task']['id']}").json()["result"] == {"plan": found["id"]}


def test_a_step_that_another_worker_stored_is_not_added(stranger: Person, by_tasks: None) -> None:
    number = stranger.post("plan", LARGE).json()["id"]
    stale = Plan.objects.get(pk=number)
    advance_plan(number)
    done = Plan.objects.get(pk=number)
    plans.simulate_step(stale, lambda *_: None)
    found = Plan.objects.get(pk=number)
    assert (found.done, found.totals, found.finished_at) == (
        done.done,
        done.totals,
        done.finished_at,
    )
    assert found.done > 0


def test_a_plan_that_a_worker_simulates_is_skipped(stranger: Person, by_tasks: None) -> None:
    number = stranger.post("plan", LARGE).json()["id"]
    lease = TaskProgress.begin(plan_task(number))
    assert lease is not None
    if read_progress(plan_task(number)) is None:
        pytest.skip("leases need a broker")
    try:
        plan_due()
    finally:
        lease.end()
    assert Plan.objects.get(pk=number).done == 0


def test_the_same_request_is_the_same_plan(stranger: Person, ada: Person) -> None:
    found = plan_of(stranger)
    assert plan_of(stranger) == found
    other = plan_of(ada)
    assert other["id"] != found["id"]
    assert other["formats"] == found["formats"]
    assert plan_of(stranger, SMALL | {"minutes": 30})["formats"][0]["minutes"] == 70


def test_known_simulations_are_not_repeated(stranger: Person, ada: Person, by_tasks: None) -> None:
    number = stranger.post("plan", LARGE).json()["id"]
    while plan_due():
        pass
    response = ada.post("plan", LARGE)
    assert response.status_code == 200
    assert response.json()["formats"] == stranger.get(f"plan/{number}").json()["formats"]


def test_without_a_seed_it_follows_from_the_request(stranger: Person) -> None:
    body = {name: value for name, value in SMALL.items() if name != "seed"}
    first = plan_of(stranger, body)
    assert plan_of(stranger, body) == first
    assert plan_of(stranger, body | {"draws": 0.5})["seed"] != first["seed"]


def test_every_format(stranger: Person) -> None:
    number = plan_of(stranger, SMALL | {"systems": ["monrad", "knockout"], "simulations": 20})["id"]
    body = stranger.get(f"plan/{number}").json()
    rows = list(csv.DictReader(io.StringIO(stranger.get(f"plan/{number}.csv").content.decode())))
    assert [(row["system"], row["rounds"]) for row in rows] == [("monrad", "2"), ("knockout", "3")]
    assert float(rows[0]["tau"]) == body["formats"][0]["tau"]["value"]
    assert (rows[1]["downfloats"], rows[1]["upfloats_high"]) == ("", "")
    lines = stranger.get(f"plan/{number}.ndjson").content.decode().splitlines()
    assert [json.loads(line) for line in lines] == body["formats"]
    page = stranger.get(f"plan/{number}.html").content.decode()
    assert "Monrad, 2 rounds" in page
    assert "is recommended" in page
    plot = stranger.get(f"plan/{number}.svg")
    assert ElementTree.fromstring(plot.content).tag == "{http://www.w3.org/2000/svg}svg"
    assert "style-src 'sha256-" in plot["Content-Security-Policy"]


def test_who_may_plan_and_see(everyone: dict[str, Person], stranger: Person) -> None:
    assert statuses(everyone, "POST", "plan", SMALL) == {
        "organiser": 200,
        "player": 200,
        "stranger": 200,
        "anonymous": 401,
    }
    number = Plan.objects.get(by=stranger.account).pk
    for path in (f"plan/{number}", f"tasks/plan-{number}"):
        found = statuses(everyone, "GET", path)
        assert found == {
            "organiser": 404,
            "player": 404,
            "stranger": 200,
            "anonymous": 404 if path.startswith("tasks") else 401,
        }
    reader = stranger.with_token("tournament:read")
    assert reader.get(f"plan/{number}").status_code == 200
    problem_in(reader.post("plan", SMALL), 403, "scope_missing")
    assert stranger.with_token("record:write").get(f"plan/{number}").status_code == 403


def test_the_entries_of_an_event(organiser: Person, everyone: dict[str, Person]) -> None:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.tournament.entries.filter(player__name="Player 4").update(state="waiting")
    event.step("open")
    slug = event.tournament.slug
    body = {name: value for name, value in SMALL.items() if name != "ratings"}
    body |= {"tournament": slug}
    found = plan_of(organiser, body)
    assert (found["tournament"], [one["rating"] for one in found["players"]]) == (
        slug,
        [1499, 1498, 1497],
    )
    assert statuses(everyone, "POST", "plan", body) == {
        "organiser": 200,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
    }
    Tournament.objects.filter(slug=slug).update(public=False)
    problem_in(everyone["stranger"].post("plan", body), 422, "unknown_tournament")


def test_errors_follow_from_the_games_in_the_pool(organiser: Person) -> None:
    pool = Pool.objects.get(code="star")
    run = Run.objects.create(pool=pool, number=1, engine_version=1)
    event = make_event(organiser, pool="star", seed_source="pool")
    known, beginner, new = (
        Player.objects.create(name=name, seed_rating=seed)
        for name, seed in (("Uma", 1500), ("Vic", 1400), ("Wim", None))
    )
    event.enter(known, beginner, new)
    for player, rating, games in ((known, 1_712_499, 1000), (beginner, 1_500_500, 30)):
        Rating.objects.create(
            pool=pool, player=player, run=run, rating=rating, games=games, last_game_at=day(1)
        )
    found = load_planned_players(event.tournament)
    assert [(one.rating, one.error) for one in found] == [(1712, 41), (1501, 85), (0, 350)]
    found = load_planned_players(event.tournament, 20)
    assert [(one.rating, one.error) for one in found] == [(1712, 20), (1501, 20), (0, 350)]


@pytest.mark.parametrize("number", [1, 3])
def test_the_number_of_queries_of_a_plan(
    stranger: Person, django_assert_num_queries: Any, number: int
) -> None:
    plan = plan_of(stranger, SMALL | {"systems": ["monrad", "dutch", "mcmahon"][:number]})
    with django_assert_num_queries(3):
        stranger.get(f"plan/{plan['id']}")


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"ratings": []}, "invalid_plan", "/players"),
        ({"ratings": [1500] * 401}, "invalid", "/ratings"),
        ({"ratings": [-1, 500]}, "invalid", "/ratings/0"),
        ({"ratings": ["x"]}, "invalid", "/ratings/0"),
        ({"ratings": 7}, "invalid", "/ratings"),
        ({"lines": "1500\n1400"}, "invalid", "/lines"),
        ({"systems": []}, "invalid", "/systems"),
        ({"systems": ["lucky"]}, "invalid_plan", "/systems/0"),
        ({"rounds": [6]}, "invalid_plan", "/rounds"),
        ({"rounds": [10**30]}, "invalid", "/rounds/0"),
        ({"system_options": {"monrad": {"bar": 1}}}, "invalid_plan", "/system_options/monrad/bar"),
        ({"system_options": {"monrad": 1}}, "invalid", "/system_options/monrad"),
        ({"system_options": []}, "invalid", "/system_options"),
        ({"tiebreaks": ["NO"]}, "invalid_plan", "/tiebreaks"),
        ({"simulations": 5}, "invalid", "/simulations"),
        ({"simulations": 5000, "ratings": [1500] * 400}, "invalid_plan", "/simulations"),
        ({"draws": "nan"}, "invalid", "/draws"),
        ({"draws": 1.5}, "invalid", "/draws"),
        ({"aim": "fun"}, "invalid", "/aim"),
        ({"minutes": 0}, "invalid", "/minutes"),
        ({"seed": 2**63}, "invalid", "/seed"),
        ({"round": 5}, "unknown_member", "/round"),
    ],
)
def test_a_plan_that_makes_no_sense(
    stranger: Person, changes: dict[str, Any], code: str, pointer: str
) -> None:
    problem = problem_in(stranger.post("plan", SMALL | changes), 422, code)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert not Plan.objects.exists()


def test_wrong_options_hide_neither_each_other_nor_the_rounds(stranger: Person) -> None:
    options = {"mcmahon": {"floor": "low", "door": 1}}
    body = SMALL | {"systems": ["mcmahon"], "rounds": [6], "system_options": options}
    body["tiebreaks"] = ["NO", "PTS", "NEVER"]
    errors = problem_in(stranger.post("plan", body), 422, "invalid_plan")["errors"]
    at = "/system_options/mcmahon"
    pointers = [f"{at}/floor", f"{at}/door", "/rounds", "/tiebreaks"]
    assert [error["pointer"] for error in errors] == pointers
    assert "NO is not a tie-break; NEVER is not a tie-break; valid" in errors[-1]["detail"]


def test_pasted_lines(stranger: Person) -> None:
    body = {name: value for name, value in SMALL.items() if name != "ratings"}
    found = plan_of(stranger, body | {"lines": "Ada;1850;60\r\n1800\r\n\r\n1700"})
    assert found["players"][0] == {"rating": 1850, "error": 60}
    problem = problem_in(stranger.post("plan", body | {"lines": "1850\nAda"}), 422, "invalid_lines")
    assert [error["line"] for error in problem["errors"]] == [2]
    problem_in(stranger.post("plan", body | {"lines": "1850\0"}), 400, "parse_error")
    problem_in(stranger.post("plan", body), 422, "invalid")
    assert Plan.objects.count() == 1


def test_a_dry_run_stores_nothing(stranger: Person) -> None:
    response = stranger.post("plan?dry_run=1", SMALL)
    assert (response.status_code, response.json().get("id")) == (200, None)
    assert not Plan.objects.exists()


def test_a_plan_is_given_up_and_can_be_requested_again(stranger: Person, by_tasks: None) -> None:
    found = stranger.post("plan", LARGE).json()
    Plan.objects.update(attempts=MAX_ATTEMPTS)
    plan_due()
    assert stranger.get(f"plan/{found['id']}").json()["state"] == "failed"
    again = stranger.post("plan", LARGE)
    assert (again.status_code, again.json()["id"]) == (202, found["id"])
    while plan_due():
        pass
    assert stranger.get(f"plan/{found['id']}").json()["state"] == "done"


def test_old_plans_are_deleted(stranger: Person, settings: Any) -> None:
    number = plan_of(stranger)["id"]
    Plan.objects.update(created_at=timezone.now() - timedelta(days=settings.PLAN_DAYS, minutes=-1))
    plan_due()
    assert stranger.get(f"plan/{number}").status_code == 200
    Plan.objects.update(created_at=timezone.now() - timedelta(days=settings.PLAN_DAYS, minutes=1))
    plan_due()
    problem_in(stranger.get(f"plan/{number}"), 404, "not_found")


def test_the_quota_of_plans(stranger: Person, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"plans_per_day": 1}
    plan_of(stranger)
    plan_of(stranger)
    problem = problem_in(stranger.post("plan", SMALL | {"seed": 4}), 409, "quota_reached")
    assert problem["quota"] == "plans_per_day"


@pytest.mark.usefixtures("by_tasks")
def test_the_quota_of_waiting_plans(stranger: Person, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"waiting_jobs": 2}
    for seed in (3, 4):
        assert stranger.post("plan", LARGE | {"seed": seed}).status_code == 202
    problem = problem_in(stranger.post("plan", LARGE | {"seed": 5}), 409, "quota_reached")
    assert problem["quota"] == "waiting_jobs"
    while plan_due():
        pass
    assert stranger.post("plan", LARGE | {"seed": 5}).status_code == 202


def test_an_account_takes_its_plans_with_it(stranger: Person) -> None:
    person = make_person("Gone")
    plan_of(person)
    assert person.account is not None
    Account.objects.get(pk=person.account.pk).delete()
    assert not Plan.objects.exists()
