"""A run that is killed, and what others can do while a run goes on."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from games.models import Game
from ratings.models import Batch, Change, Pool, Run
from ratings.queries.batch_order import find_first_due, is_due
from ratings.services import run_chunks, runs
from ratings.services.runs import advance_pool
from ratings.services.verification import verify_pool
from ratings.systems.elo import WIN
from ratings.tasks import sweep_pools
from tests.events import make_event, make_players
from tests.people import make_person
from tests.processes import ROOT, Worker, eventually
from tests.ratings.factories import current_changes, day, file_event, make_game, ratings_of
from tests.ratings.large_pool import fill_pool

KILLED_MIDWAY = """
import os, signal, sys
import django
django.setup()
from ratings.services import run_chunks, runs
from ratings.services.runs import advance_pool

def kill_midway(step, done, total):
    if 4 * done >= 3 * total:
        os.kill(os.getpid(), signal.SIGKILL)

advance_pool(int(sys.argv[1]), progress=kill_midway)
"""

REFUSE = {
    "postgresql": (
        "ALTER TABLE ratings_change ADD CONSTRAINT refuse CHECK (batch_id <> {}) NOT VALID",
        "ALTER TABLE ratings_change DROP CONSTRAINT refuse",
    ),
    "sqlite": (
        "CREATE TRIGGER refuse BEFORE INSERT ON ratings_change WHEN new.batch_id = {}"
        " BEGIN SELECT RAISE(ABORT, 'refuse'); END",
        "DROP TRIGGER refuse",
    ),
}
"""For each database, how to refuse the changes of a batch, and how to accept them again."""


def run_killed_midway(worker: Worker, pool: Pool) -> int:
    """Let another process rate the pool and kill itself when three quarters are rated."""
    command = [sys.executable, "-c", KILLED_MIDWAY, str(pool.pk)]
    settings = {"DJANGO_SETTINGS_MODULE": "deploy.settings", "PYTHONPATH": str(ROOT)}
    environment = worker.environment | settings
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


@pytest.mark.long
def test_after_kill_9_a_run_continues_and_ends_with_the_same_digest(worker):
    pool = fill_pool(200_000, players=4_000, event_size=50)

    assert run_killed_midway(worker, pool) == -signal.SIGKILL
    stopped = Run.objects.get()
    assert stopped.made_current_at is None
    checkpoint = stopped.checkpoints.latest("number")
    assert 50_000 <= checkpoint.games <= 150_000
    assert Change.objects.filter(run=stopped).count() == 2 * checkpoint.games
    assert not Batch.objects.filter(run__isnull=False).exists()

    sweep_pools.delay()
    eventually(lambda: Run.objects.filter(made_current_at__isnull=False).exists(), seconds=300)
    assert not is_due(Pool.objects.get())
    continued = Run.objects.get()
    assert continued == stopped
    changes = [row[1:] for row in current_changes(pool)]
    undisturbed = advance_pool(pool.pk, from_start=True)
    assert undisturbed.input_digest == continued.input_digest
    assert [row[1:] for row in current_changes(pool)] == changes
    assert len(changes) == 400_000


@contextmanager
def advancing(pool: Pool, may_continue: Event, **options: Any) -> Iterator[list[Run]]:
    """Advance a pool in a thread; at the end, let it continue and wait for its run."""
    runs: list[Run] = []

    def advance() -> None:
        try:
            runs.append(advance_pool(pool.pk, **options))
        finally:
            connection.close()

    thread = Thread(target=advance)
    thread.start()
    try:
        yield runs
    finally:
        may_continue.set()
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_while_a_run_goes_on_results_are_settled_and_lists_are_read(star, anonymous, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    event = make_event(make_person("Organiser"), rounds=1)
    event.enter(*make_players(4))
    games = event.step("open", "start").publish(1)
    rated = [make_game(games[0].first, games[1].first) for _ in range(3)]
    for number, game in enumerate(rated, start=1):
        file_event(star, f"cup-{number}", day(number), [game])
    advance_pool(star.pk)
    before = anonymous.get("pools/star/ratings?provisional=1").json()["results"]
    changes = current_changes(star)

    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", 1)
    is_halfway, may_continue = Event(), Event()

    def wait_halfway(step, done, total):
        if done == 2:
            is_halfway.set()
            assert may_continue.wait(60)

    with advancing(star, may_continue, from_start=True, progress=wait_halfway) as runs:
        assert is_halfway.wait(60)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
            event.finish(1)
            late = file_event(star, "late", day(1), [make_game(games[0].first, games[0].second)])
            assert anonymous.get("pools/star/ratings?provisional=1").json()["results"] == before
            assert current_changes(star) == changes
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")

    assert [run.number for run in runs] == [2]
    assert [row[1:] for row in current_changes(star)] == [row[1:] for row in changes]
    assert advance_pool(star.pk).from_batch == late
    assert verify_pool(star) == []


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_changes_before_it_is_stored_is_rated_by_the_next_run(star, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    ann, bo, cy = make_players(3)
    games = [make_game(ann, bo), make_game(bo, cy), make_game(cy, ann)]
    batches = [
        file_event(star, f"cup-{number}", day(number), [game])
        for number, game in enumerate(games, start=1)
    ]
    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", 1)
    is_started, may_rate, is_rated = Event(), Event(), Event()

    def follow(step, done, total):
        if done == 0:
            is_started.set()
            assert may_rate.wait(60)
        else:
            is_rated.set()

    with advancing(star, may_rate, progress=follow) as runs:
        assert is_started.wait(60)
        with transaction.atomic():  # to store a chunk, the run must lock the pool
            Pool.objects.select_for_update(no_key=True).get(pk=star.pk)
            may_rate.set()
            assert is_rated.wait(60)
            Game.objects.filter(pk=games[0].pk).update(winner="second")
            file_event(star, "cup-1", day(1), [games[0]])
            assert not Change.objects.exists()

    star.refresh_from_db()
    assert (runs, runs[0].made_current_at is None) == ([star.current_run], False)
    assert Change.objects.earliest("pk").score == WIN
    assert find_first_due(star) == (day(1), batches[0].pk)
    assert advance_pool(star.pk).number == 2
    assert verify_pool(star) == []


def test_each_thread_of_a_worker_has_the_connections_of_a_run():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    pool = settings.DATABASES["default"]["OPTIONS"]["pool"]
    assert pool["max_size"] > 2 * settings.WORKER_THREADS


@pytest.mark.parametrize("chunk_size", [1, 3])
def test_the_database_counts_the_games_and_changes_of_a_run(star, monkeypatch, chunk_size):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans these queries without statistics")
    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", chunk_size)
    monkeypatch.setattr(runs, "MANY_GAMES", 3)
    file_event(star, "cup", day(1), [make_game(*make_players(2)) for _ in range(3)])

    assert advance_pool(star.pk) is not None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples FROM pg_class"
            " WHERE relname IN ('ratings_batchgame', 'ratings_change')"
        )
        counted = dict(cursor.fetchall())
    assert counted == {"ratings_batchgame": 3, "ratings_change": 6}


@pytest.mark.django_db(transaction=True)
def test_a_run_ends_where_a_chunk_cannot_be_stored(star, monkeypatch):
    ann, bo = make_players(2)
    for number in range(1, 5):
        file_event(star, f"cup-{number}", day(number), [make_game(ann, bo)])
    advance_pool(star.pk)
    changes, ratings = current_changes(star), ratings_of(star)
    refused = star.batches.get(label="cup-3")
    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", 1)

    create, drop = REFUSE[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(create.format(refused.pk))
    try:
        with pytest.raises(IntegrityError, match="refuse"):
            advance_pool(star.pk, from_start=True)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(drop)
    assert (current_changes(star), ratings_of(star)) == (changes, ratings)
    stopped = Run.objects.get(number=2)
    stored = Change.objects.filter(run=stopped).order_by("pk")
    assert list(stored.values_list("batch__label", flat=True)) == ["cup-1"] * 2 + ["cup-2"] * 2
    assert stopped.checkpoints.latest("number").games == 2

    assert advance_pool(star.pk) == stopped
    assert [row[1:] for row in current_changes(star)] == [row[1:] for row in changes]
    assert verify_pool(star) == []
