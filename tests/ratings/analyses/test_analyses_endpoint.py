"""`/pools/{code}/analyses`: officers request a calibration or a review of results, and read it."""

import csv
import io
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.utils import timezone

from games.core.references import player_reference
from games.core.turns import TaskProgress
from games.models import Game, JournalLine
from games.models.attempts import MAX_ATTEMPTS
from ratings.analyses.queries import analysis_task
from ratings.analyses.services import ANALYSES, delete_old_analyses
from ratings.models import Analysis, Pool
from ratings.runs.services import advance_pool
from tests.events import run_due
from tests.people import Person, problem_in
from tests.ratings.factories import day, file_event, make_analysis, make_game, make_players
from tournament.tasks import analyse

pytestmark = pytest.mark.django_db

PATH = "pools/star/analyses"
POINTS = {"seat": "second", "points": 5}
CALIBRATION, FAIR_PLAY = {"kind": "calibration"}, {"kind": "fair_play"}


@pytest.fixture
def lost(star: Pool) -> list[Game]:
    """Thirty even games of each of six players with one, who then loses all; six other players."""
    Pool.objects.update(handicap_table="v1")
    pool = Pool.objects.get(code="star")
    first, *others = make_players(7)
    settling = [
        make_game(*pair, "1/2")
        for other in others
        for pair in [(first, other), (other, first)] * 15
    ]
    lost = [make_game(first, other, "0-1") for other in others for _ in range(5)]
    file_event(pool, "settling", day(1), settling)
    file_event(pool, "lost", day(2), lost)
    players = make_players(6)
    for number, handicap in ((3, None), (4, POINTS)):
        games = [
            make_game(
                *pair, "0-1" if game % 3 == 0 else "1-0", handicap=handicap if game % 2 else None
            )
            for pair in combinations(players, 2)
            for game in range(6)
        ]
        file_event(pool, f"event {number}", day(number), games)
    advance_pool(pool.pk)
    return lost


def compute(officer: Person, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the address of an analysis, and its content after its turn."""
    answer = officer.post(PATH, body)
    assert answer.status_code == 202, answer.content
    run_due()
    return answer["Location"], officer.get(answer["Location"]).json()


def rows_of(person: Person, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(person.get(f"{path}.csv").content.decode())))


def test_analyses_of_the_games_of_a_pool(lost, officer):
    path, body = compute(officer, CALIBRATION)
    assert (body["kind"], body["state"], body["problem"]) == ("calibration", "done", None)
    assert (body["by"]["name"], body["parameters"]) == (officer.account.name, {})
    findings = body["findings"]
    assert (findings["table"], findings["games"]) == ("v1", 120)
    shown = [(value["name"], value["games"], value["table"]) for value in findings["values"]]
    assert shown == [
        ("first_move", 0, 40), ("first_stone", 0, 110), ("further_stone", 0, 85), ("point", 45, 9),
    ]  # fmt: skip
    *_, point = findings["values"]
    assert point["low"] < point["estimate"] < point["high"]
    assert rows_of(officer, path)[-1] == {
        "name": "point",
        **{name: str(point[name]) for name in ("games", "table", "estimate", "low", "high")},
    }

    path, body = compute(officer, FAIR_PLAY | {"level": 0.001})
    assert body["parameters"] == {"level": 0.001}
    (finding,) = body["findings"]["rows"]
    player = player_reference(lost[0].first)
    assert (finding["kind"], finding["player"]) == ("below", player)
    assert {game["opponent"]["id"] for game in finding["games"]} <= {g.second_id for g in lost}
    rows = rows_of(officer, path)
    assert [row["game"] for row in rows] == [str(game.pk) for game in lost]
    assert {(row["finding"], row["kind"], row["result"]) for row in rows} == {("1", "below", "0")}


def test_an_analysis_changes_nothing_but_the_journal(star, officer):
    before = officer.get("pools/star").json()
    compute(officer, FAIR_PLAY)
    assert officer.get("pools/star").json() == before
    line = JournalLine.objects.latest("pk")
    analysis = Analysis.objects.get()
    payload = {"analysis": analysis.pk, "kind": "fair_play", "level": 0.01}
    assert line.kind == "analysis.requested"
    assert payload.items() <= line.payload.body.items()


def test_games_that_do_not_determine_the_values(star, officer, staff):
    Pool.objects.create(code="other", name="Other", preset="fixed")
    answer = staff.post("pools/other/analyses", CALIBRATION)
    run_due()
    body = staff.get(answer["Location"]).json()
    assert (body["state"], body["findings"], body["problem"]) == (
        "failed",
        None,
        {"code": "not_estimable", "detail": "0 games; at least 30 are needed"},
    )
    problem_in(staff.get(f"{answer['Location']}.csv"), 409, "no_result")


def test_a_pool_has_one_unfinished_analysis_of_a_kind(star, officer):
    officer.post(PATH, CALIBRATION)
    problem_in(officer.post(PATH, CALIBRATION), 409, "analysis_unfinished")
    assert officer.post(PATH, FAIR_PLAY).status_code == 202
    run_due()
    assert officer.post(PATH, CALIBRATION).status_code == 202


def test_a_running_analysis_shows_its_progress_and_is_not_computed_twice(star, officer):
    analysis = make_analysis(star)
    progress = TaskProgress.begin(analysis_task(analysis.pk))
    assert progress is not None
    try:
        progress("reading games", 20, 80)
        analyse.run(analysis.pk)
        body = officer.get(f"{PATH}/{analysis.pk}").json()
    finally:
        progress.end()
    assert body["state"] == "running"
    assert body["progress"] == {"step": "reading games", "done": 20, "of": 80}
    assert officer.get(f"{PATH}/{analysis.pk}").json()["state"] == "waiting"


def test_an_analysis_that_kills_its_worker_is_given_up(star, officer, monkeypatch):
    analysis = make_analysis(star)
    monkeypatch.setitem(ANALYSES, "calibration", lambda *_: 1 / 0)
    for _ in range(MAX_ATTEMPTS):
        assert run_due() == 1
        assert officer.get(f"{PATH}/{analysis.pk}").json()["state"] == "waiting"
    assert (run_due(), run_due()) == (1, 0)
    body = officer.get(f"{PATH}/{analysis.pk}").json()
    assert (body["state"], body["problem"]["code"]) == ("failed", "given_up")


def test_the_list_is_newest_first_without_results_in_a_fixed_number_of_queries(
    star, officer, django_assert_num_queries
):
    made = [make_analysis(star, finished_at=day(n), by=officer.account).pk for n in range(1, 4)]
    with django_assert_num_queries(4):
        results = officer.get(PATH).json()["results"]
    assert [row["id"] for row in results] == made[::-1]
    assert "findings" not in results[0]


@pytest.mark.parametrize("body", [CALIBRATION | {"level": 0.1}, FAIR_PLAY | {"level": 1}])
def test_only_a_review_has_a_level(star, officer, body):
    problem = problem_in(officer.post(PATH, body), 422)
    assert [error["pointer"] for error in problem["errors"]] == ["/level"]


def test_an_analysis_is_deleted_some_time_after_its_end(star, settings):
    now = timezone.now()
    ends = [now - timedelta(days=settings.ANALYSIS_DAYS, minutes=minutes) for minutes in (-9, 9)]
    recent, _ = [make_analysis(star, finished_at=at, created_at=ends[1]) for at in ends]
    unfinished = make_analysis(star, created_at=ends[1], attempts=MAX_ATTEMPTS)
    delete_old_analyses()
    assert list(Analysis.objects.order_by("pk")) == [recent, unfinished]


def test_the_analysis_of_another_pool_is_not_found(star, officer):
    other = Pool.objects.create(code="other", name="Other", preset="fixed")
    analysis = make_analysis(other, finished_at=day(1))
    problem_in(officer.get(f"{PATH}/{analysis.pk}"), 404)
