"""`/tournaments/{slug}/forecast`: computed by a task, for those to whom the organiser shows it."""

import csv
import io
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games.core.journal.lines import append_line
from games.core.turns import TaskProgress
from games.models import Player
from games.models.attempts import MAX_ATTEMPTS
from games.play.services import rule_game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.deploy.stored_reads import storing
from tests.events import Event, make_event, make_players, make_running, run_due, settle
from tests.people import Person, make_person, problem_in, statuses
from tests.ratings.factories import day, file_event, make_game
from tournament.core import lookup
from tournament.entries.services import enter_player, withdraw_entry
from tournament.forecasts import services as steps
from tournament.forecasts.queries import forecast_task
from tournament.forecasts.state import load_forecast_state
from tournament.models import Forecast, Tournament
from tournament.rounds.services import publish_round
from tournament.tasks import compute_due, forecast

pytestmark = pytest.mark.django_db

FORMATS = ("", ".csv", ".html", ".pdf", ".svg")


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Three rounds by six players rated 1499 to 1494; the first seat won each game of round 1."""
    event = make_event(make_person("Olga"), pool="star", system="dutch", rounds=3)
    event.enter(*make_players(6))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate 40 times, in one process."""
    monkeypatch.setattr(steps, "SIMULATIONS", 40)


@pytest.fixture(autouse=True)
def in_one_process(settings: Any) -> None:
    settings.SIMULATION_PROCESSES = 1


def compute(person: Person, event: Event, suffix: str = "", query: str = "") -> Any:
    """Return the forecast after its turn."""
    path = f"{event.path}/forecast"
    assert person.post(path).status_code in (200, 202)
    run_due()
    return person.get(f"{path}{suffix}{query}")


def test_a_task_computes_it_for_everyone(event: Event, everyone: dict[str, Person]) -> None:
    anonymous = everyone["anonymous"]
    path = f"{event.path}/forecast"
    for suffix in FORMATS:
        problem_in(anonymous.get(f"{path}{suffix}"), 404, "no_forecast")
    accepted = anonymous.post(path)
    task = accepted.json()["task"]
    assert (accepted.status_code, task["state"], task["progress"]["done"]) == (202, "waiting", 0)
    assert anonymous.post(path).json() == accepted.json()
    assert anonymous.get(path).json()["task"]["id"] == task["id"]
    assert set(statuses(everyone, "GET", f"tasks/{task['id']}").values()) == {200}
    assert task["reason"]["code"] != "running"
    Forecast.objects.update(attempts=1)
    begun = anonymous.get(accepted["Location"]).json()
    assert (begun["state"], begun["reason"]["detail"]) == ("waiting", "a worker is doing it")
    run_due()
    done = anonymous.get(accepted["Location"]).json()
    assert (done["state"], done["progress"]) == ("done", None)
    assert anonymous.get(done["response"]["url"]).status_code == 200
    for suffix in FORMATS:
        assert anonymous.get(f"{path}{suffix}").status_code == 200
    assert anonymous.post(path).status_code == 200
    assert Forecast.objects.count() == 1


def test_a_round_that_is_published_while_the_state_is_loaded_is_of_the_next_state(
    event: Event, anonymous: Person
) -> None:
    event.draft(2)
    found: list[str] = []

    def publish_before_the_boards(execute: Any, sql: str, *arguments: Any) -> Any:
        if not found and sql.endswith('"tournament_pairing"."board_number" ASC'):
            found.append(sql)
            publish_round(event.tournament, 2, by=event.owner.account)
        return execute(sql, *arguments)

    before = load_forecast_state(event.tournament)
    with connection.execute_wrapper(publish_before_the_boards):
        meanwhile = load_forecast_state(event.tournament)

    assert (len(found), before.event.open_rounds, meanwhile.event.open_rounds) == (1, {}, {})
    assert list(load_forecast_state(event.tournament).event.open_rounds) == [2]


def test_what_it_says(event: Event, anonymous: Person) -> None:
    body = compute(anonymous, event).json()
    rows = body.pop("rows")
    state = Forecast.objects.get()
    assert body.pop("computed_at") is not None
    assert body == {
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "round": 1,
        "rounds": 3,
        "digest": state.digest,
        "simulations": 40,
        "ended_early": 0,
        "error": 0.148,
        "top": 3,
    }
    assert sum(float(row["win"]["chance"]) for row in rows) == pytest.approx(1)
    assert sum(float(row["top"]["chance"]) for row in rows) == pytest.approx(3)
    assert sum(float(row["expected_rank"]) for row in rows) == pytest.approx(21, abs=0.05)
    chances = [float(row["win"]["chance"]) for row in rows]
    assert chances == sorted(chances, reverse=True)
    winners = {row["player"]["name"] for row in rows if row["points"] == "1"}
    ratings = anonymous.get(f"{event.path}/performances").json()["rows"]
    changes = {row["player"]["name"]: float(row["change"]) for row in ratings}
    for row in rows:
        assert row["best_rank"] <= float(row["expected_rank"]) <= row["worst_rank"]
        expected = float(row["rating_change"]["expected"])
        assert (expected > 0) == (row["player"]["name"] in winners)
        deviation = float(row["rating_change"]["deviation"])
        assert expected == pytest.approx(changes[row["player"]["name"]], abs=deviation)


def test_strengths_are_as_uncertain_as_the_ratings(organiser: Person) -> None:
    """Ada has thirty rated games, Ben one, Cy a seed rating, Di nothing."""
    star = Pool.objects.get(code="star")
    ada, ben, cy, di, other = (Player.objects.create(name=name) for name in "ABCDE")
    cy.seed_rating = 1700
    cy.save()
    games = [make_game(ada, other, "1-0" if n % 2 else "0-1") for n in range(30)]
    file_event(star, "many", day(1), games[:15])
    file_event(star, "more", day(2), games[15:])
    file_event(star, "one", day(3), [make_game(ben, other)])
    advance_pool(star.pk)
    star.refresh_from_db()
    event = make_event(organiser, slug="few", pool="star", system="dutch", rounds=2)
    event.enter(ada, ben, cy, di)
    event.step("open", "start")

    strengths = load_forecast_state(event.tournament).event.strengths
    names = {entry.pairing_number: entry.player.name for entry in event.tournament.entries.all()}
    found = {names[number]: deviation for number, deviation in strengths.deviations.items()}
    assert (found["C"], found["D"]) == (100_000, star.spread * 1000)
    assert 40_000 < found["A"] < 150_000 < found["B"] < 350_000


def test_the_formats(event: Event, anonymous: Person) -> None:
    text = compute(anonymous, event, ".csv", "?top=1").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (
        text.splitlines()[0]
        == "number,name,rating,points,win,win_error,top,top_error,expected_rank,best_rank,"
        "worst_rank,certain_win,certain_top,rating_change,rating_change_deviation"
    )
    assert all(row["win"] == row["top"] for row in rows)
    plot = anonymous.get(f"{event.path}/forecast.svg")
    assert ElementTree.fromstring(plot.content).tag == "{http://www.w3.org/2000/svg}svg"
    assert "default-src 'none'" in plot["Content-Security-Policy"]
    assert b"Player 1" in plot.content


def test_the_same_state_has_the_same_forecast_and_a_new_one_another(
    event: Event, anonymous: Person
) -> None:
    first = compute(anonymous, event).json()
    Forecast.objects.all().delete()
    again = compute(anonymous, event).json()
    assert first | {"computed_at": None} == again | {"computed_at": None}
    event.publish(2)
    problem_in(anonymous.get(f"{event.path}/forecast"), 404, "no_forecast")
    assert compute(anonymous, event).json()["digest"] != first["digest"]


def test_a_draft_does_not_show(event: Event, organiser: Person, anonymous: Person) -> None:
    before = compute(anonymous, event).json()
    event.draft(2)
    for person in (anonymous, organiser):
        assert person.get(f"{event.path}/forecast").json() == before


def test_a_late_entry_and_a_withdrawal_count(
    event: Event, organiser: Person, anonymous: Person
) -> None:
    first, *_ = event.tournament.entries.order_by("pairing_number")
    (late,) = make_players(1)
    enter_player(event.tournament, late, by=organiser.account)
    withdraw_entry(first, by=organiser.account)

    rows = compute(anonymous, event).json()["rows"]

    win = {row["player"]["id"]: row["win"] for row in rows}
    assert late.pk in win
    assert win[first.player_id]["chance"] < max(row["chance"] for row in win.values())


def test_a_settled_result_of_a_published_round_counts(event: Event, anonymous: Person) -> None:
    event.publish(2)
    before = compute(anonymous, event).json()
    game = event.games(2)[0]
    rule_game(game, by=event.owner.account, reason="seen", result="11-10")
    settle()
    after = compute(anonymous, event).json()
    assert after["round"] == before["round"] == 1
    assert after["digest"] != before["digest"]
    chance = {
        body["digest"]: next(
            float(row["win"]["chance"])
            for row in body["rows"]
            if row["player"]["id"] == game.second_id
        )
        for body in (before, after)
    }
    assert chance[after["digest"]] < chance[before["digest"]]


def test_points_prove_who_wins_and_who_is_out(organiser: Person, anonymous: Person) -> None:
    event = make_running(organiser, 4, slug="long", rounds=2, system="monrad")
    event.play(1)
    event.publish(2)
    for game in event.games(2):
        rule_game(game, by=organiser.account, reason="seen", result="11-10")
    settle()
    rows = compute(anonymous, event, query="?top=2").json()["rows"]
    winner = rows[0]
    assert winner["win"] == {"chance": 1.0, "error": 0.0438, "certain": True}
    assert rows[-1]["win"]["certain"] is False
    assert [row["top"]["certain"] for row in rows] == [True, None, None, False]


@pytest.mark.parametrize(("shown", "sees"), [("public", 5), ("officials", 1), ("off", 0)])
def test_the_organiser_decides_who_sees_it(
    event: Event, everyone: dict[str, Person], shown: str, sees: int
) -> None:
    organiser = everyone["organiser"]
    answer = organiser.patch(event.path, {"forecast": shown})
    assert answer.json()["forecast"] == shown
    found = statuses(everyone, "POST", f"{event.path}/forecast")
    allowed = [name for name, status in found.items() if status == 202]
    assert len(allowed) == min(sees, len(everyone))
    assert set(found.values()) <= {202, 404}
    if shown == "officials":
        assert allowed == ["organiser"]
        task = forecast_task(Forecast.objects.get().pk)
        seen = statuses(everyone, "GET", f"tasks/{task}")
        assert [name for name, status in seen.items() if status == 200] == ["organiser"]
    if shown == "off":
        for send in (organiser.get, organiser.post):
            problem_in(send(f"{event.path}/forecast"), 404, "forecast_off")


def test_an_event_that_is_not_running_has_none(
    event: Event, organiser: Person, anonymous: Person
) -> None:
    early = make_event(organiser, slug="early").step("open")
    for send in (anonymous.get, anonymous.post):
        problem_in(send(f"{early.path}/forecast"), 409, "not_started")
    compute(anonymous, event)
    event.play(2)
    event.play(3)
    event.step("review")
    problem_in(anonymous.get(f"{event.path}/forecast"), 409, "tournament_over")
    compute_due.run()
    assert not Forecast.objects.exists()


def test_a_private_event_is_hidden(event: Event, organiser: Person, stranger: Person) -> None:
    organiser.patch(event.path, {"public": False})
    problem_in(stranger.get(f"{event.path}/forecast"), 404, "not_found")
    task = organiser.post(f"{event.path}/forecast").json()["task"]["id"]
    assert stranger.get(f"tasks/{task}").status_code == 404


def test_a_wrong_top_is_refused(event: Event, anonymous: Person) -> None:
    for top in (0, 7):
        problem_in(anonymous.get(f"{event.path}/forecast?top={top}"), 422, "invalid_parameter")


def test_an_event_that_is_too_large_has_none(
    event: Event, anonymous: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = f'"/e/{event.tournament.slug}/forecast"'
    assert tab in Client().get(f"/e/{event.tournament.slug}").content.decode()
    monkeypatch.setattr(lookup, "MOST_PLAYERS", 5)
    monkeypatch.setattr(steps, "load_forecast_state", pytest.fail)
    for send in (anonymous.get, anonymous.post):
        problem_in(send(f"{event.path}/forecast"), 409, "forecast_too_large")
    assert not Forecast.objects.exists()
    assert tab not in Client().get(f"/e/{event.tournament.slug}").content.decode()


def test_a_step_ends_in_time_and_the_next_continues(
    event: Event, anonymous: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "SIMULATIONS", 7)
    whole = compute(anonymous, event).json()
    Forecast.objects.all().delete()
    monkeypatch.setattr(steps, "MOST_STEP_SECONDS", 0.0)
    anonymous.post(f"{event.path}/forecast")
    number = Forecast.objects.get().pk
    done = []
    for _ in range(4):
        forecast.run(number)
        done.append(Forecast.objects.get(pk=number).done)
    assert done == [2, 4, 6, 7]
    parts = anonymous.get(f"{event.path}/forecast").json()
    assert parts | {"computed_at": None} == whole | {"computed_at": None}


def test_a_forecast_that_a_worker_computes_is_left_alone(event: Event, anonymous: Person) -> None:
    anonymous.post(f"{event.path}/forecast")
    number = Forecast.objects.get().pk
    progress = TaskProgress.begin(forecast_task(number))
    assert progress is not None
    run_due()
    assert Forecast.objects.get().done == 0
    progress.end()
    run_due()
    assert Forecast.objects.get().finished_at is not None


def test_an_outdated_forecast_is_not_continued(event: Event, anonymous: Person) -> None:
    anonymous.post(f"{event.path}/forecast")
    event.publish(2)
    run_due()
    assert not Forecast.objects.exists()


def test_it_is_given_up_after_some_attempts(event: Event, anonymous: Person) -> None:
    anonymous.post(f"{event.path}/forecast")
    Forecast.objects.update(attempts=MAX_ATTEMPTS)
    assert run_due() == 0
    problem_in(anonymous.get(f"{event.path}/forecast"), 409, "forecast_failed")


def test_the_number_of_queries(
    event: Event, anonymous: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    compute(anonymous, event)
    with django_assert_num_queries(21):
        assert anonymous.get(f"{event.path}/forecast").status_code == 200


def test_a_finished_one_is_stored_until_a_journal_has_a_new_line(
    event: Event, anonymous: Person
) -> None:
    reads = (f"{event.path}/forecast", f"/e/{event.tournament.slug}/forecast")
    anonymous.post(reads[0])
    with storing():
        assert [anonymous.get(read).status_code for read in reads] == [202, 200]
        run_due()
        before = [anonymous.get(read).content for read in reads]
        with CaptureQueriesContext(connection) as queries:
            assert [anonymous.get(read).content for read in reads] == before
        assert len(queries) == 2
        with transaction.atomic():
            append_line("pool/star", "write.forced", {}, by=None)
        with CaptureQueriesContext(connection) as queries:
            assert anonymous.get(reads[0]).status_code == 200
        assert len(queries) > 2


@pytest.mark.parametrize(
    ("system", "fields"),
    [
        ("mcmahon", {"handicaps": "recommended", "pool": "star"}),
        ("round-robin", {"rounds": 5, "system_options": {"schedule": "league"}}),
        pytest.param("knockout", {"rounds": 3}, marks=pytest.mark.long),
        pytest.param("monrad", {"games_per_pairing": 2}, marks=pytest.mark.long),
        pytest.param("groups-knockout", {"rounds": 5}, marks=pytest.mark.long),
    ],
)
def test_every_system(
    organiser: Person, anonymous: Person, system: str, fields: dict[str, Any]
) -> None:
    event = make_running(organiser, 6, slug="other", system=system, **fields)
    if event.tournament.round_set.get(number=1).state == "planned":
        event.publish(1)
    rows = compute(anonymous, event).json()["rows"]
    assert sum(float(row["win"]["chance"]) for row in rows) == pytest.approx(1)
    assert Tournament.objects.get(slug="other").forecasts.get().problem == ""
