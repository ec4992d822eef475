"""`/pools/{code}/batches` and its actions `withdraw`, `restore` and `backdate`."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import JournalLine
from ratings.batches.order import is_due
from ratings.models import Batch, Pool, Run
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.people import problem_in, statuses
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
def start(db):
    """Three rated events of the same two players, on days 1, 2 and 3."""
    star = Pool.objects.get(code="star")
    ann, bo = make_players(2)
    batches = [file_event(star, f"cup-{n}", day(n), [make_game(ann, bo)]) for n in (1, 2, 3)]
    advance_pool(star.pk)
    return {"events": batches}


@pytest.fixture
def events(start):
    return start["events"]


def rated(star):
    """Rate what is due; return the labels of the batches that were rated again."""
    advance_pool(star.pk)
    star.refresh_from_db()
    assert verify_pool(star) == []
    run = Run.objects.order_by("-number")[0]
    return list(Batch.objects.filter(run=run).order_by("label").values_list("label", flat=True))


def test_a_withdrawn_batch_is_not_rated_until_it_is_restored(star, events, officer, anonymous):
    before = current_changes(star), ratings_of(star)
    path = f"pools/star/batches/{events[1].pk}"
    (game,) = events[1].games.values_list("game", flat=True)

    body = officer.post(f"{path}/withdraw", REASON).json()

    assert (body["state"], body["reason"]) == ("withdrawn", REASON["reason"])
    assert (body["games"], body["excluded"], body["run"]) == (1, {"batch_withdrawn": 1}, None)
    assert (body["tournament"], body["game"]) == ("cup-2", None)
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
    problem_in(officer.post(f"{path}/withdraw", REASON), 409, "wrong_state")

    assert officer.post(f"{path}/restore", {"reason": "a mistake"}).json()["excluded"] == {}

    assert rated(star) == ["cup-2", "cup-3"]
    assert (current_changes(star), ratings_of(star)) == before
    problem_in(officer.post(f"{path}/restore", REASON), 409, "wrong_state")
    lines = JournalLine.objects.filter(stream="pool/star", actor=f"account/{officer.account.pk}")
    found = [(line.kind, line.payload.body["reason"]) for line in lines.order_by("sequence")]
    assert found == [("batch.withdrawn", REASON["reason"]), ("batch.restored", "a mistake")]


def test_filing_a_withdrawn_batch_again_does_not_restore_it(star, events, officer):
    officer.post(f"pools/star/batches/{events[2].pk}/withdraw", REASON)
    advance_pool(star.pk)
    games = [row.game for row in events[2].games.select_related("game")]
    file_event(star, "cup-3", day(3), games)
    assert not is_due(star)
    assert Batch.objects.get(pk=events[2].pk).state == "withdrawn"


def test_an_officer_backdates_a_batch_with_a_reason(star, events, officer):
    path = f"pools/star/batches/{events[2].pk}/backdate"
    body = {"effective_at": "1950-01-01T00:00:00Z", "reason": "an event of the archive"}
    assert officer.post(path, body).json()["effective_at"] == "1950-01-01T00:00:00Z"
    assert rated(star) == ["cup-1", "cup-2", "cup-3"]
    line = JournalLine.objects.get(stream="pool/star", kind="batch.backdated")
    assert line.payload.body["reason"] == "an event of the archive"
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()
    problem_in(officer.post(path, body | {"effective_at": tomorrow}), 422, "in_future")


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("withdraw", REASON),
        ("restore", REASON),
        ("backdate", REASON | {"effective_at": "2020-01-01T00:00:00Z"}),
    ],
)
def test_who_may_change_a_batch(star, events, everyone, officer, staff, action, body):
    people = everyone | {"officer": officer, "staff": staff}
    if action == "restore":
        officer.post(f"pools/star/batches/{events[0].pk}/withdraw", REASON)
        advance_pool(star.pk)
    before = current_changes(star), Batch.objects.get(pk=events[0].pk).effective_at
    path = f"pools/star/batches/{events[0].pk}/{action}"
    assert statuses(people, "POST", f"{path}?dry_run=1", body) == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "officer": 200,
        "staff": 200,
    }
    assert not is_due(star)
    assert (current_changes(star), Batch.objects.get(pk=events[0].pk).effective_at) == before
    problem_in(officer.post(path, body | {"reason": ""}), 422)
    problem_in(officer.post(path, {}), 422)
    for number in ("0", "9" * 18, "9" * 40, "x"):
        problem_in(officer.post(f"pools/star/batches/{number}/{action}", body), 404)


@pytest.mark.parametrize(
    "value", [None, "", "yesterday", 7, [], "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z"]
)
def test_an_invalid_time_is_rejected(star, events, officer, value):
    path = f"pools/star/batches/{events[0].pk}/backdate"
    problem_in(officer.post(path, REASON | {"effective_at": value}), 422)


@pytest.mark.parametrize("count", [1, 3])
def test_batches_are_listed_in_a_fixed_number_of_queries(
    star, officer, count, django_assert_num_queries
):
    ann, bo = make_players(2)
    for n in range(1, count + 1):
        games = [make_game(ann, bo), make_game(ann, bo, termination="forfeit")]
        file_event(star, f"cup-{n}", day(n), games)
    advance_pool(star.pk)
    with django_assert_num_queries(5):
        results = officer.get("pools/star/batches").json()["results"]
    assert [row["name"] for row in results] == [f"cup-{n}" for n in range(count, 0, -1)]
    assert {
        name: results[-1][name] for name in ("state", "approved", "games", "excluded", "run")
    } == {
        "state": "filed",
        "approved": True,
        "games": 2,
        "excluded": {"forfeit": 1},
        "run": 1,
    }
    assert officer.get("pools/star/batches?state=waiting").json()["results"] == []
    problem_in(officer.get("pools/star/batches?state=lost"), 422)
