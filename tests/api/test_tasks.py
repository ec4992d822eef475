"""Tasks: a done one keeps its result; a waiting one says why, and when to ask again."""

from pathlib import Path
from typing import Any

import pytest

from games.models import Game, Report
from ratings.batches.queries import batch_progress
from ratings.models import Batch, Pool
from ratings.runs.services import advance_pool
from tests.events import FIRST_WINS, make_players, make_published, settle
from tests.people import Person
from tests.processes import Worker
from tests.ratings.factories import day, file_event
from tests.tournament.events.test_pool_tournaments_endpoint import play

REASON = {"reason": "we do not know this event"}


@pytest.fixture
def game(organiser: Person, ada: Person, ben: Person) -> Game:
    return make_published(organiser, ada, ben).games()[0]


def report(person: Person, game: Game, **headers: str) -> Any:
    return person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}, **headers)


def task_of(person: Person, response: Any, **headers: str) -> Any:
    return person.get(response["Location"], **headers)


def test_the_result_of_a_report_is_that_of_its_settlement(
    ada: Person, ben: Person, game: Game
) -> None:
    first = report(ada, game)
    settle()
    done = task_of(ada, first).json()
    report(ben, game)
    settle()
    game.refresh_from_db()

    assert game.state == "confirmed"
    assert done["response"] == {"game_id": game.pk, "state": "waiting"}
    assert task_of(ada, first).json() == done
    assert (done["since"], done["reason"], done["retry_after"]) == (None, None, None)


def test_a_waiting_report_says_since_when_and_when_to_ask_again(
    ada: Person, game: Game, settings: Any, tmp_path: Path
) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    response = report(ada, game)

    for waiting, body in (
        (response, response.json()["task"]),
        (task_of(ada, response), task_of(ada, response).json()),
    ):
        assert waiting["Retry-After"] == "60"
        assert body["retry_after"] == 60
        assert body["reason"]["code"] == "broker_unavailable"
        assert body["since"] == response.json()["report"]["received_at"]
    assert Report.objects.get().settled_at is None


def test_a_request_for_a_task_can_wait(worker: Worker, organiser: Person, ada: Person) -> None:
    made = organiser.post(
        "players/import", "name\nCleo\n", content_type="text/csv", Prefer="respond-async"
    )
    assert (made.status_code, made["Retry-After"]) == (202, "1")
    assert made["Preference-Applied"] == "respond-async"

    found = task_of(organiser, made, Prefer="wait=20")

    assert (found.json()["state"], found["Preference-Applied"]) == ("done", "wait=20")
    assert "Retry-After" not in found


def test_a_settled_report_is_shown_as_it_is(
    worker: Worker, organiser: Person, ada: Person, ben: Person
) -> None:
    game = make_published(organiser, ada, ben).games()[0]

    body = report(ada, game, Prefer="wait=20").json()

    assert body["task"]["state"] == "done"
    assert body["report"]["settled_at"] is not None


def test_a_batch_says_for_whose_decision_it_waits(stranger: Person, officer: Person) -> None:
    event = play(stranger, make_players(2))
    batch = Batch.objects.get()
    words = "waits for approval by an officer of the pool *Star"

    waiting = stranger.get(f"tasks/batch-{batch.pk}")
    assert waiting.json()["state"] == "waiting"
    assert waiting.json()["reason"] == {"code": "approval_needed", "detail": words}
    assert waiting["Retry-After"] == "3600"
    assert stranger.get(event.path).json()["rating_batch"]["reason"] == words
    (listed,) = officer.get("pools/star/batches").json()["results"]
    assert (listed["state"], listed["reason"]) == ("waiting", words)
    assert batch.reason == ""

    officer.post(f"pools/star/tournaments/{event.tournament.slug}/refuse", REASON)
    refused = stranger.get(f"tasks/batch-{batch.pk}").json()
    assert (refused["state"], refused["reason"]) == (
        "failed", {"code": "refused", "detail": REASON["reason"]},
    )  # fmt: skip


def test_a_rated_batch_keeps_its_result(db: None) -> None:
    pool = Pool.objects.get(code="star")
    later = file_event(pool, "later", day(9), [])
    advance_pool(pool.pk)
    before = batch_progress(later.pk)
    file_event(pool, "earlier", day(1), [])
    advance_pool(pool.pk)
    after = batch_progress(later.pk)

    assert before is not None
    assert after is not None
    assert before["response"] == after["response"] == {"pool": "star", "batch_id": later.pk}
    assert (before["current"], after["current"]) == ({"run_number": 1}, {"run_number": 2})
