"""`/pools/{code}/batches` and its actions `cancel`, `undo` and `backdate`."""

from datetime import datetime, timedelta

import pytest

from games.models import JournalLine
from ratings.batches import services
from ratings.models import Batch, Pool, Run
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.people import problem_in
from tests.ratings.factories import (
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    ratings_of,
)

pytestmark = pytest.mark.django_db

REASON = {"reason": "the games were never played"}


@pytest.fixture
def events(star):
    """Three rated events of the same two players, on days 1, 2 and 3."""
    ann, bo = make_players(2)
    batches = [file_event(star, f"cup-{n}", day(n), [make_game(ann, bo)]) for n in (1, 2, 3)]
    advance_pool(star.pk)
    return batches


def rated(star):
    """Rate what is due; return the labels of the batches that were rated again."""
    advance_pool(star.pk)
    star.refresh_from_db()
    assert verify_pool(star) == []
    run = Run.objects.order_by("-number")[0]
    return list(Batch.objects.filter(run=run).order_by("label").values_list("label", flat=True))


def test_a_cancelled_batch_is_not_rated_until_that_is_undone(star, events, officer, anonymous):
    before = current_changes(star), ratings_of(star)
    path = f"pools/star/batches/{events[1].pk}"
    (game,) = events[1].games.values_list("game", flat=True)

    body = officer.post(f"{path}/cancel", REASON).json()

    assert (body["state"], body["reason"]) == ("withdrawn", REASON["reason"])
    assert (body["games"], body["excluded"], body["run_number"]) == (
        1,
        {"batch_withdrawn": 1},
        None,
    )
    assert (body["tournament"], body["game_id"]) == ({"slug": "cup-2", "name": "cup-2"}, None)
    assert rated(star) == ["cup-2", "cup-3"]
    assert {name: games for name, (_, games) in ratings_of(star).items()} == {"A": 2, "B": 2}
    assert anonymous.get(f"games/{game}/rating-changes").json()["results"] == [
        {
            "pool": "star",
            "state": "excluded",
            "exclusion": "batch_withdrawn",
            "reason": f"an officer of the pool withdrew the batch: {REASON['reason']}",
            "changes": [],
        }
    ]
    problem_in(officer.post(f"{path}/cancel", REASON), 409, "wrong_state")

    assert officer.post(f"{path}/undo", {"reason": "a mistake"}).json()["excluded"] == {}

    assert rated(star) == ["cup-2", "cup-3"]
    assert (current_changes(star), ratings_of(star)) == before
    problem_in(officer.post(f"{path}/undo", REASON), 409, "wrong_state")
    lines = JournalLine.objects.filter(stream="pool/star", actor=f"account/{officer.account.pk}")
    found = [(line.kind, line.payload.body["reason"]) for line in lines.order_by("sequence")]
    assert found == [("batch.withdrawn", REASON["reason"]), ("batch.restored", "a mistake")]


@pytest.mark.parametrize("state", ["waiting", "refused"])
def test_a_batch_that_is_not_filed_is_not_cancelled_and_not_undone(star, events, officer, state):
    Batch.objects.filter(pk=events[0].pk).update(state=state)
    for action in ("cancel", "undo"):
        answer = officer.post(f"pools/star/batches/{events[0].pk}/{action}", REASON)
        problem_in(answer, 409, "wrong_state")


def test_an_officer_backdates_a_batch_with_a_reason(star, events, officer):
    path = f"pools/star/batches/{events[2].pk}/backdate"
    body = {"effective_at": "1950-01-01T00:00:00Z", "reason": "an event of the archive"}
    assert officer.post(path, body).json()["effective_at"] == "1950-01-01T00:00:00Z"
    assert rated(star) == ["cup-1", "cup-2", "cup-3"]
    line = JournalLine.objects.get(stream="pool/star", kind="batch.backdated")
    assert line.payload.body["reason"] == "an event of the archive"
    batch = Batch.objects.get(pk=events[2].pk)
    assert (batch.backdated, batch.reason) == (True, "an event of the archive")


def test_a_batch_does_not_take_effect_in_the_future(star, events, officer, monkeypatch):
    now = datetime.fromisoformat("2026-06-01T12:00:00+00:00")
    monkeypatch.setattr(services.timezone, "now", lambda: now)
    path = f"pools/star/batches/{events[0].pk}/backdate"
    later = REASON | {"effective_at": (now + timedelta(seconds=1)).isoformat()}
    problem_in(officer.post(path, later), 422, "in_future")
    (error,) = problem_in(officer.post(path, REASON | {"effective_at": "2026-05-31T12:00"}), 422)[
        "errors"
    ]
    assert (error["code"], error["pointer"]) == ("no_offset", "/effective_at")
    assert Batch.objects.get(pk=events[0].pk).effective_at == day(1)
    assert officer.post(path, REASON | {"effective_at": now.isoformat()}).status_code == 200


def test_a_batch_of_another_pool_is_not_found(star, events, officer):
    other = Pool.objects.create(code="club", name="Club", preset="decay")
    batch = file_event(other, "cup-9", day(1), [])
    problem_in(officer.post(f"pools/star/batches/{batch.pk}/cancel", REASON), 404)


def test_batches_are_listed_newest_first_in_five_queries(star, officer, django_assert_num_queries):
    ann, bo = make_players(2)
    for n in (1, 2, 3):
        games = [make_game(ann, bo), make_game(ann, bo, termination="forfeit")]
        file_event(star, f"cup-{n}", day(n), games)
    advance_pool(star.pk)
    with django_assert_num_queries(5):
        results = officer.get("pools/star/batches").json()["results"]
    assert [row["tournament"]["name"] for row in results] == ["cup-3", "cup-2", "cup-1"]
    expected = {"state": "filed", "approved": True, "games": 2, "excluded": {"forfeit": 1}}
    assert {name: results[-1][name] for name in (*expected, "run_number")} == expected | {
        "run_number": 1
    }


def test_batches_are_filtered_by_state_and_kind(star, events, officer):
    Batch.objects.filter(pk=events[1].pk).update(state="waiting")
    Batch.objects.filter(pk=events[2].pk).update(kind="game", stream="game/7")

    def found(query):
        rows = officer.get(f"pools/star/batches?{query}").json()["results"]
        return [row["tournament"]["name"] if row["tournament"] else row["game_id"] for row in rows]

    assert found("state=waiting") == ["cup-2"]
    assert found("state=filed") == [7, "cup-1"]
    assert found("kind=game") == [7]
    assert found("kind=game&state=waiting") == []
