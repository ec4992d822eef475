"""Runs that are killed, or find the pool changed, and two runs of a pool at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from django.db import connection

from games.models import Game
from ratings.batches.order import is_due
from ratings.models import Change, Pool, Run
from ratings.runs import services as runs
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from ratings.systems.elo import WIN
from ratings.tasks import sweep_pools
from tests.events import make_event
from tests.people import make_person
from tests.ratings.factories import (
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    ratings_of,
)

pytestmark = [pytest.mark.django_db]


class Stopped(Exception):
    """The end of a run that is killed."""


def stop_at(games: int):
    def stop(_step, done, _total):
        if done >= games:
            raise Stopped

    return stop


@pytest.fixture(autouse=True)
def small_portions(monkeypatch):
    """Store the changes of each batch in a transaction of their own."""
    monkeypatch.setattr(runs, "CHANGES_AT_ONCE", 1)


@pytest.fixture
def games(star) -> list[list[Game]]:
    """Six events of two games each."""
    ann, bo, cy, di = make_players(4)
    pairs = [(ann, bo, cy, di), (bo, cy, di, ann), (ann, cy, bo, di)] * 2
    games = [
        [make_game(a, b), make_game(c, d, "1/2" if number % 2 else "0-1")]
        for number, (a, b, c, d) in enumerate(pairs)
    ]
    for number, event in enumerate(games):
        file_event(star, f"cup-{number}", day(number + 1), event)
    return games


def stop_rebuild(pool: Pool, *, at: int) -> None:
    with pytest.raises(Stopped):
        advance_pool(pool.pk, from_start=True, progress=stop_at(at))


def correct(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(winner="second", draw=False)


def test_a_killed_run_leaves_the_ratings_and_the_next_deletes_its_rows(star, games, anonymous):
    advance_pool(star.pk)
    changes, ratings = current_changes(star), ratings_of(star)
    stop_rebuild(star, at=6)

    assert (current_changes(star), ratings_of(star)) == (changes, ratings)
    assert anonymous.get("pools/star/runs/2").status_code == 404
    assert [run["number"] for run in anonymous.get("pools/star/runs").json()["results"]] == [1]
    killed = Run.objects.get(number=2)
    assert Change.objects.filter(run=killed).count() == 12
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []

    run = advance_pool(star.pk, from_start=True)
    assert (run.number, run.from_batch.label) == (2, "cup-0")
    assert run.input_digest == Run.objects.get(number=1).input_digest
    assert not Change.objects.filter(run_id=killed.pk).exists()
    assert [row[1:] for row in current_changes(star)] == [row[1:] for row in changes]
    assert ratings_of(star) == ratings
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


def test_progress_is_reported_after_each_portion(star, games):
    seen = []
    advance_pool(star.pk, progress=lambda _step, done, total: seen.append((done, total)))
    assert seen == [(done, 12) for done in range(0, 13, 2)]


def test_the_sweep_rates_what_a_killed_run_has_not(star, games):
    with pytest.raises(Stopped):
        advance_pool(star.pk, progress=stop_at(2))
    assert sweep_pools() == 1
    assert Run.objects.get().made_current_at is not None
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda _star, games: correct(games[0][0]),
        lambda star, games: file_event(star, "cup-0", day(20), games[0]),
        lambda star, games: file_event(
            star, "late", day(2), [make_game(games[0][0].first, games[0][0].second)]
        ),
    ],
    ids=["rated", "moved later", "filed before"],
)
def test_what_changes_after_a_run_was_killed_is_rated_by_the_next(star, games, change):
    advance_pool(star.pk)
    stop_rebuild(star, at=6)
    change(star, games)
    advance_pool(star.pk)
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    after = [row[1:] for row in current_changes(star)]
    advance_pool(star.pk, from_start=True)
    assert [row[1:] for row in current_changes(star)] == after


def test_a_batch_that_changes_during_a_run_is_rated_by_a_second_one(star, games):
    def change(_step, done, _total):
        if done == 6 and not Change.objects.filter(run__number=2).exists():
            correct(games[0][0])
            file_event(star, "cup-0", day(1), games[0])

    last = advance_pool(star.pk, progress=change)

    assert (last.number, last.from_batch.label) == (2, "cup-0")
    assert Change.objects.filter(run__number=1).earliest("pk").score == WIN
    assert not is_due(Pool.objects.get(pk=star.pk))
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


def test_other_parameters_discard_a_run(star, games):
    def edit(_step, done, _total):
        if done == 6:
            Pool.objects.filter(pk=star.pk).update(preset="fixed", parameters={"start": 1000})

    assert advance_pool(star.pk, progress=edit) is None
    assert ratings_of(star) == {}
    assert advance_pool(star.pk).number == 1
    assert Change.objects.count() == 24
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@contextmanager
def in_thread(call: Any) -> Iterator[list[Any]]:
    """Call a function in a thread that has a connection of its own; yield what it returned."""
    returned: list[Any] = []

    def run() -> None:
        try:
            returned.append(call())
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    try:
        yield returned
    finally:
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_two_calls_at_the_same_time_make_one_run(star, games):
    start = Barrier(2)

    def advance():
        start.wait()
        return advance_pool(star.pk)

    with in_thread(advance) as first, in_thread(advance) as second:
        pass
    assert sorted(run is None for run in first + second) == [False, True]
    assert (Run.objects.count(), Change.objects.count()) == (1, 24)
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.django_db(transaction=True)
def test_a_second_call_does_nothing_and_what_it_announced_is_rated(star, games):
    is_halfway, may_continue = Event(), Event()

    def wait_halfway(_step, done, _total):
        if done == 6 and not is_halfway.is_set():
            is_halfway.set()
            assert may_continue.wait(60)

    with in_thread(lambda: advance_pool(star.pk, progress=wait_halfway)) as returned:
        try:
            assert is_halfway.wait(60)
            file_event(star, "late", day(1), [make_game(games[0][0].first, games[0][0].second)])
            assert advance_pool(star.pk) is None
            assert Run.objects.count() == 1
        finally:
            may_continue.set()
    assert [(run.number, run.from_batch.label) for run in returned] == [(2, "late")]
    assert not is_due(Pool.objects.get(pk=star.pk))
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.django_db(transaction=True)
def test_while_a_run_goes_on_results_are_settled_and_lists_are_read(star, games, anonymous):
    event = make_event(make_person("Organiser"), rounds=1)
    event.enter(games[0][0].first, games[0][0].second)
    event.step("open", "start").publish(1)
    advance_pool(star.pk)
    before = anonymous.get("pools/star/ratings?provisional=1").json()["results"]
    changes = current_changes(star)
    is_halfway, may_continue = Event(), Event()

    def wait_halfway(_step, done, _total):
        if done == 6 and not is_halfway.is_set():
            is_halfway.set()
            assert may_continue.wait(60)

    rebuild = {"from_start": True, "progress": wait_halfway}
    with in_thread(lambda: advance_pool(star.pk, **rebuild)) as returned:
        try:
            assert is_halfway.wait(60)
            event.finish(1)
            assert anonymous.get("pools/star/ratings?provisional=1").json()["results"] == before
            assert current_changes(star) == changes
        finally:
            may_continue.set()
    assert [run.number for run in returned] == [2]
    assert [row[1:] for row in current_changes(star)] == [row[1:] for row in changes]
