"""Runs that store checkpoints: they continue where they stopped; corrections start from them."""

from threading import Barrier, Event, Thread

import pytest
from django.db import connection

from games.models import Game
from ratings.models import IN_CURRENT_RUN, Change, Checkpoint, Pool, Run
from ratings.queries.batch_order import BATCH_ORDER, batches_before, is_due
from ratings.queries.openings import load_openings, load_states
from ratings.services import checkpoints, run_chunks
from ratings.services.checkpoints import load_state_before
from ratings.services.run_writing import only_one_call
from ratings.services.runs import advance_pool
from ratings.services.verification import verify_pool
from ratings.systems.presets import find_preset
from ratings.tasks import sweep_pools
from tests.ratings.factories import (
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    ratings_of,
)

pytestmark = pytest.mark.django_db


class Stopped(Exception):
    """The end of a run that is killed."""


def stop_at(games: int):
    def stop(_step, done, _total):
        if done >= games:
            raise Stopped

    return stop


@pytest.fixture
def start(db):
    return {"games": file_games()}


@pytest.fixture
def games(start, monkeypatch):
    """Six events of two games each, which are rated in chunks of two games."""
    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", 2)
    return start["games"]


@pytest.fixture
def committed_games(transactional_db, monkeypatch):
    """The same games for tests with other connections."""
    monkeypatch.setattr(run_chunks, "GAMES_OF_CHUNK", 2)
    return file_games()


def file_games() -> list[list[Game]]:
    star = Pool.objects.get(code="star")
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


def test_a_stopped_run_continues_from_its_last_checkpoint(star, games, anonymous):
    advance_pool(star.pk)
    changes, ratings = current_changes(star), ratings_of(star)
    stop_rebuild(star, at=6)

    assert (current_changes(star), ratings_of(star)) == (changes, ratings)
    assert anonymous.get("pools/star/runs/2").status_code == 404
    assert [run["number"] for run in anonymous.get("pools/star/runs").json()["results"]] == [1]
    stored = Change.objects.filter(run__number=2)
    first = list(stored.values_list("pk", flat=True))
    assert len(first) == 12
    assert is_due(star)

    seen = []
    run = advance_pool(star.pk, progress=lambda _step, done, total: seen.append((done, total)))
    assert seen == [(6, 12), (8, 12), (10, 12), (12, 12)]
    assert (run.number, run.from_batch.label) == (2, "cup-0")
    assert run.input_digest == Run.objects.get(number=1).input_digest
    assert list(stored.order_by("pk").values_list("pk", flat=True)[:12]) == first
    assert [row[1:] for row in current_changes(star)] == [row[1:] for row in changes]
    assert ratings_of(star) == ratings
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    assert not is_due(star)


def test_the_sweep_continues_a_stopped_run(star, games):
    stop_rebuild(star, at=2)
    assert sweep_pools() == 1
    assert Run.objects.get().made_current_at is not None
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


def test_a_rebuild_continues_a_stopped_one_but_not_a_later_run(star, games):
    advance_pool(star.pk)
    stop_rebuild(star, at=2)
    assert advance_pool(star.pk, from_start=True).number == 2
    correct(games[1][0])
    with pytest.raises(Stopped):
        advance_pool(star.pk, progress=stop_at(2))
    assert advance_pool(star.pk, from_start=True).number == 4
    assert list(Run.objects.order_by("number").values_list("from_batch__label", flat=True)) == [
        "cup-0", "cup-0", "cup-1", "cup-0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        lambda _star, games: correct(games[0][0]),
        pytest.param(lambda _star, games: correct(games[5][0]), marks=pytest.mark.long),
        lambda star, games: file_event(star, "cup-0", day(20), games[0]),
        pytest.param(
            lambda star, games: file_event(star, "cup-5", day(1), games[5]), marks=pytest.mark.long
        ),
        lambda star, games: file_event(
            star, "late", day(2), [make_game(games[0][0].first, games[0][0].second)]
        ),
    ],
    ids=["rated", "not yet rated", "moved later", "moved earlier", "filed before"],
)
def test_what_changes_while_a_run_is_stopped_is_rated_by_the_next(star, games, change):
    advance_pool(star.pk)
    stop_rebuild(star, at=6)
    change(star, games)
    while advance_pool(star.pk):
        pass
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    after = [row[1:] for row in current_changes(star)]
    advance_pool(star.pk, from_start=True)
    assert [row[1:] for row in current_changes(star)] == after


def test_other_parameters_discard_a_stopped_run(star, games):
    advance_pool(star.pk)
    stop_rebuild(star, at=6)
    Pool.objects.filter(pk=star.pk).update(preset="fixed", parameters={"start": 1000})
    assert advance_pool(star.pk).number == 2
    assert Change.objects.filter(run__number=2).count() == 24
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.parametrize("preset", ["decay", "fide-2024"])
def test_the_state_before_a_position_is_that_of_the_changes(star, games, monkeypatch, preset):
    star.preset = preset
    star.save()
    for number, month in enumerate((1, 1, 2, 2, 3, 3)):
        file_event(star, f"cup-{number}", day(number + 1).replace(month=month), games[number])
    advance_pool(star.pk)
    system = find_preset(preset, {})
    restored = []
    monkeypatch.setattr(
        checkpoints,
        "_restore",
        lambda *args, real=checkpoints._restore: restored.append(real(*args)),
    )
    for batch in star.batches.order_by(*BATCH_ORDER):
        if preset == "fide-2024" and batch.label in ("cup-1", "cup-3", "cup-5"):
            continue
        position = (batch.effective_at, batch.pk)
        earlier = batches_before(star, position)
        changes = Change.objects.filter(IN_CURRENT_RUN, pool=star, batch__in=earlier.values("pk"))
        states = load_states(changes, load_openings(star, earlier), system)
        found = load_state_before(star, position)
        assert states == {
            player: (state, found.last_game_at[player]) for player, state in found.players.items()
        }
        assert not found.rated
    assert restored


def test_a_correction_starts_from_the_checkpoint_before_its_batch(star, games, monkeypatch):
    advance_pool(star.pk)
    monkeypatch.setattr("ratings.services.runs.load_states", None)  # the changes are not read
    for number, event in enumerate(games):
        correct(event[0])
        run = advance_pool(star.pk)
        assert run.from_batch.label == f"cup-{number}"
        assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    assert not Checkpoint.objects.exclude(batches=[]).exists()


def test_a_checkpoint_that_no_longer_holds_is_not_used(star, games):
    advance_pool(star.pk)
    last = star.batches.order_by(*BATCH_ORDER).last()
    position = (last.effective_at, last.pk)
    assert load_state_before(star, position) is not None
    Checkpoint.objects.update(input_digest="0")
    assert load_state_before(star, position) is None


@pytest.mark.django_db(transaction=True)
def test_two_concurrent_calls_with_checkpoints_make_one_run(star, committed_games):
    start, failed = Barrier(2), []

    def advance():
        try:
            start.wait()
            advance_pool(star.pk)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=advance) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (Run.objects.count(), Change.objects.count()) == (1, 24)
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.django_db(transaction=True)
def test_a_second_call_leaves_a_run_to_the_one_that_continues_it(star, committed_games):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    stop_rebuild(star, at=2)
    stopped = Run.objects.get()
    is_continued, may_end = Event(), Event()

    def hold():
        with only_one_call(stopped):
            is_continued.set()
            assert may_end.wait(60)
        connection.close()

    thread = Thread(target=hold)
    thread.start()
    try:
        assert is_continued.wait(60)
        changes = Change.objects.count()
        assert advance_pool(star.pk, from_start=True) is None
        assert Change.objects.count() == changes
    finally:
        may_end.set()
        thread.join()
    assert advance_pool(star.pk) == stopped
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
