"""The ratings of a pool follow its games, whatever changes and in whatever order."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.core.journal.lines import append_line
from games.models import Game, JournalLine, Player
from ratings.batches.order import is_due
from ratings.batches.queries import batch_progress
from ratings.models import IN_CURRENT_RUN, Batch, Change, Pool, Run, RunRating
from ratings.pools.services import edit_pool
from ratings.runs import services as runs
from ratings.runs.services import advance_pool, find_changed_streams, is_due_since
from ratings.runs.verification import verify_pool
from ratings.systems.elo import LOSS, WIN
from ratings.tasks import sweep_pools
from tests.people import make_person
from tests.ratings.factories import (
    comparable,
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    named,
    ratings_of,
)

pytestmark = pytest.mark.django_db


def ratings_after(run):
    rows = RunRating.objects.filter(pool=run.pool, run__number__lte=run.number)
    last = {row.player_id: row.pk for row in rows.order_by("run__number")}
    return named(RunRating.objects.filter(pk__in=last.values(), rating__isnull=False))


def test_an_event_is_rated_as_one_batch(star):
    ann, bo, cy = make_players(3)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo), make_game(bo, cy, "0-1")])
    assert is_due(star)
    assert batch_progress(batch.pk)["state"] == "waiting"

    run = advance_pool(star.pk)

    assert ratings_of(star) == {"A": (1550_000, 1), "B": (1400_000, 2), "C": (1550_000, 1)}
    star.refresh_from_db()
    assert star.current_run == run
    assert (run.number, run.parent, run.from_batch) == (1, None, batch)
    assert batch_progress(batch.pk) == {
        "id": f"batch-{batch.pk}",
        "state": "done",
        "progress": None,
        "stream": "tournament/cup",
        "response": {"pool": "star", "batch_id": batch.pk},
        "current": {"run_number": 1},
        "since": batch.filed_at,
        "reason": None,
    }
    payload = JournalLine.objects.get(stream="pool/star", kind="rating.run").payload.body
    assert (payload["run"], payload["batches"], payload["players"]) == (1, 1, 3)
    assert payload["input_digest"] == run.input_digest


def test_a_second_call_finds_nothing_due(star):
    file_event(star, "cup", day(1), [make_game(*make_players(2))])
    advance_pool(star.pk)
    before = current_changes(star), JournalLine.objects.count()
    assert advance_pool(star.pk) is None
    assert advance_pool(star.pk + 1) is None
    assert not is_due(star)
    assert (current_changes(star), JournalLine.objects.count()) == before


def test_a_batch_without_rated_games_is_done(star):
    batch = file_event(star, "cup", day(1), [make_game(*make_players(2), rated=False)])
    advance_pool(star.pk)
    assert batch_progress(batch.pk)["state"] == "done"
    assert ratings_of(star) == {}


def test_the_next_event_starts_from_the_ratings_after_the_last(star):
    ann, bo = make_players(2)
    file_event(star, "one", day(1), [make_game(ann, bo)])
    advance_pool(star.pk)
    first = set(Change.objects.values_list("pk", flat=True))
    file_event(star, "two", day(2), [make_game(ann, bo, "1/2")])
    advance_pool(star.pk)
    # 1550 - 1450: E = .640065; K = 92: 92 x .140065 = 12.88598
    assert ratings_of(star) == {"A": (1537_114, 2), "B": (1462_886, 2)}
    assert set(Change.objects.filter(run__number=1).values_list("pk", flat=True)) == first
    assert Change.objects.filter(IN_CURRENT_RUN).count() == Change.objects.count() == 4


def correct(game):
    Game.objects.filter(pk=game.pk).update(winner="second", draw=False)


def annul(game):
    Game.objects.filter(pk=game.pk).update(state="annulled", winner="", draw=False)


def merge(game):
    other = Player.objects.create(name="Player Z", seed_rating=1900)
    Player.objects.filter(pk=game.first_id).update(merged_into=other)


@pytest.mark.parametrize("event", [correct, annul, merge])
def test_a_change_of_an_old_game_is_rated_from_its_batch_on(star, event):
    ann, bo, cy = make_players(3)
    file_event(star, "one", day(1), [make_game(bo, cy)])
    changed = make_game(ann, bo)
    middle = file_event(star, "two", day(2), [changed])
    file_event(star, "three", day(3), [make_game(ann, cy), make_game(ann, bo, "1/2")])
    advance_pool(star.pk)
    before = current_changes(star)

    event(changed)
    assert is_due(star)
    run = advance_pool(star.pk)

    assert (run.number, run.parent.number, run.from_batch) == (2, 1, middle)
    assert not is_due(star)
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    assert current_changes(star)[:2] == before[:2]
    assert set(Change.objects.filter(run=run).values_list("batch__label", flat=True)) <= {
        "two",
        "three",
    }
    assert comparable(Change.objects.filter(run__number=1)) == before


def test_a_player_whose_only_game_is_annulled_has_no_rating(star):
    game = make_game(*make_players(2))
    file_event(star, "cup", day(1), [game])
    advance_pool(star.pk)
    annul(game)
    advance_pool(star.pk)
    assert ratings_of(star) == {}


def test_the_database_counts_the_games_and_changes_of_a_run(star, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans these queries without statistics")
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


@pytest.mark.parametrize("at_once", [1, 5])
def test_the_size_of_portions_changes_no_digit(star, monkeypatch, at_once):
    ann, bo, cy = make_players(3)
    file_event(star, "one", day(1), [make_game(ann, bo), make_game(bo, cy, "1/2")])
    file_event(star, "two", day(2), [])
    file_event(star, "three", day(2), [make_game(cy, ann), make_game(bo, ann), make_game(ann, bo)])
    file_event(star, "four", day(4), [make_game(cy, ann, "0-1")])
    monkeypatch.setattr(runs, "CHANGES_AT_ONCE", at_once)
    advance_pool(star.pk)
    assert len(current_changes(star)) == 12
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))]
)
def test_after_any_history_the_ratings_equal_a_rebuild(star, monkeypatch, seed):
    """File, move, correct and annul at random; what a run computed never changes."""
    monkeypatch.setattr(runs, "CHANGES_AT_ONCE", 2 if seed % 2 else 1000)
    random = Random(seed)
    players = make_players(6)
    games: dict[str, list[Game]] = {}
    days: dict[str, int] = {}
    computed: dict[Run, tuple[list[tuple[object, ...]], dict[str, tuple[int, int]]]] = {}

    def advance():
        run = advance_pool(star.pk)
        if run:
            computed[run] = comparable(Change.objects.filter(run=run)), ratings_of(star)

    for step in range(12):
        choice = random.random()
        if choice < 0.5 or not games:
            name = f"event-{step}"
            games[name] = [
                make_game(*random.sample(players, 2), random.choice(["1-0", "0-1", "1/2"]))
                for _ in range(random.randint(1, 4))
            ]
            days[name] = random.randint(1, 6)
            file_event(star, name, day(days[name]), games[name])
        elif choice < 0.7:
            name = random.choice(sorted(games))
            days[name] = random.randint(1, 6)
            file_event(star, name, day(days[name]), games[name])
        else:
            game = random.choice(games[random.choice(sorted(games))])
            random.choice([correct, annul])(game)
        if random.random() < 0.7:
            advance()
    advance()

    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
    assert {row[0] for row in current_changes(star)} <= set(
        Batch.objects.values_list("pk", flat=True)
    )
    for run, (changes, ratings) in computed.items():
        assert comparable(Change.objects.filter(run=run)) == changes
        assert ratings_after(run) == ratings
    step_by_step = [row[1:] for row in current_changes(star)]
    advance_pool(star.pk, from_start=True)
    assert [row[1:] for row in current_changes(star)] == step_by_step


def test_the_sweep_finds_what_no_message_announced(star):
    Pool.objects.filter(pk=star.pk).update(policy=Pool.Policy.OPEN)
    ann, bo = make_players(2)
    game = make_game(ann, bo)
    assert sweep_pools() == 1
    assert ratings_of(star) == {"A": (1550_000, 1), "B": (1450_000, 1)}
    annul(game)
    append(f"game/{game.pk}")
    assert sweep_pools() == 1
    assert ratings_of(star) == {}
    assert sweep_pools() == 0


def settle_lines():
    """Let no line be looked at again, as after some minutes."""
    Pool.objects.update(compared_line=JournalLine.objects.latest("pk").pk)


def append(stream, kind="game.annulled"):
    with transaction.atomic():
        append_line(stream, kind, {}, by=None)


@pytest.mark.parametrize(
    ("stream", "kind", "change"),
    [
        ("tournament/cup", "game.confirmed", correct),
        ("tournament/cup", "tournament.edited", annul),
        ("site", "player.merged", merge),
    ],
)
def test_the_sweep_compares_what_the_journals_name(star, stream, kind, change):
    game = make_game(*make_players(2))
    file_event(star, "cup", day(1), [game])
    assert (sweep_pools(), sweep_pools()) == (1, 0)
    settle_lines()
    change(game)
    append("tournament/other")
    assert sweep_pools() == 0
    append(stream, kind)
    assert (sweep_pools(), sweep_pools()) == (1, 0)
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


def test_the_sweep_files_the_casual_games_that_the_journals_name(star):
    ann, bo = make_players(2)
    assert sweep_pools() == 0  # all games, the first time
    named, unnamed = (make_game(ann, bo, confirmed_at=day(number)) for number in (1, 2))
    append(f"game/{named.pk}", "game.confirmed")
    assert (sweep_pools(), sweep_pools()) == (1, 0)
    assert set(star.batches.values_list("stream", flat=True)) == {f"game/{named.pk}"}
    Pool.objects.update(compared_at=timezone.now() - timedelta(hours=1))
    assert (sweep_pools(), sweep_pools()) == (1, 0)
    assert star.batches.filter(stream=f"game/{unnamed.pk}").exists()


def test_a_pool_that_is_no_longer_closed_files_its_casual_games_at_once(star):
    Pool.objects.update(policy="closed")
    game = make_game(*make_players(2))
    append(f"game/{game.pk}", "game.confirmed")
    assert sweep_pools() == 0
    settle_lines()
    edit_pool(star, {"policy": "open"}, by=make_person("Officer").account)
    assert sweep_pools() == 1


def test_lines_are_looked_at_again_for_some_minutes_and_all_games_once_an_hour(star):
    game = make_game(*make_players(2))
    file_event(star, "cup", day(1), [game])
    advance_pool(star.pk)
    start = timezone.now()

    def is_due_after(**time):
        pool = Pool.objects.get(pk=star.pk)
        return is_due_since(pool, find_changed_streams(pool, now=start + timedelta(**time)))

    assert not is_due_after()
    append("tournament/cup")
    assert not is_due_after(minutes=1)
    correct(game)  # the transaction of a line is seen later than another with a higher number
    assert is_due_after(minutes=2)
    Game.objects.update(winner="first")
    assert not is_due_after(minutes=10)
    correct(game)
    assert not is_due_after(minutes=59)
    assert is_due_after(minutes=61)


def test_only_a_rebuild_compares_games_whose_journals_have_no_new_lines(star):
    game = make_game(*make_players(2))
    file_event(star, "cup", day(1), [game])
    advance_pool(star.pk)
    Pool.objects.update(
        compared_at=timezone.now(), compared_line=JournalLine.objects.latest("pk").pk
    )
    Game.objects.update(winner="second")
    assert advance_pool(star.pk) is None
    append("tournament/cup")
    assert advance_pool(star.pk).number == 2
    settle_lines()
    Game.objects.update(winner="first")
    assert advance_pool(star.pk, from_start=True).number == 3
    assert Batch.objects.get().games.get().score == WIN


def test_a_sweep_that_finds_games_due_stores_what_its_run_compared(star):
    def compared():
        return Pool.objects.values_list("compared_line", "compared_at").get()

    ann, bo = make_players(2)
    game = make_game(ann, bo)
    begun = compared()
    file_event(star, "one", day(1), [game])
    advance_pool(star.pk)
    assert compared() == begun  # a casual game of the lines may not be filed yet
    file_event(star, "two", day(2), [make_game(ann, bo)])
    assert sweep_pools() == 1
    settle_lines()
    first = compared()
    assert first[1] is not None
    correct(game)
    file_event(star, "three", day(3), [make_game(ann, bo)])
    assert (sweep_pools(), compared()) == (1, first)  # the games of the new lines only
    Pool.objects.update(compared_at=timezone.now() - timedelta(hours=1))
    assert sweep_pools() == 1
    assert star.batches.get(label="one").games.get().score == LOSS
    assert compared()[1] > first[1]


def test_a_failing_pool_does_not_stop_the_others(star, monkeypatch, caplog):
    other = Pool.objects.create(code="other", name="Other", preset="fixed")
    for pool in (star, other):
        file_event(pool, "cup", day(1), [make_game(*make_players(2), stream="tournament/cup")])
    Pool.objects.filter(pk=star.pk).update(parameters={"k0": "many"})
    assert sweep_pools() == 1
    assert "pool star could not be brought up to date" in caplog.text
    assert set(ratings_of(other)) == {"A", "B"}
