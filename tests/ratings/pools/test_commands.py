"""`rebuild` and `verify_ratings`."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from games.models import Player
from ratings.core.pools import differing_pools
from ratings.models import Batch, BatchGame, Change, Pool, Rating, Run
from ratings.runs.services import advance_pool
from ratings.tasks import verify_pools
from tests.ratings.factories import (
    comparable,
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    ratings_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(star):
    ann, bo, cy = make_players(3)
    file_event(star, "one", day(1), [make_game(ann, bo), make_game(bo, cy, "1/2")])
    file_event(star, "two", day(2), [make_game(cy, ann)])
    advance_pool(star.pk)
    star.refresh_from_db()
    return star


def test_correct_ratings_are_verified(rated, capsys):
    call_command("verify_ratings")
    output = capsys.readouterr().out
    assert output == f"star: verified ({rated.current_run.input_digest})\n"


def test_a_pool_without_a_run_has_nothing_to_verify(star, capsys):
    call_command("verify_ratings", "star")
    assert capsys.readouterr().out == "star: verified (no run yet)\n"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda: Change.objects.filter(seat="first").update(share=F("share") + 1), "a change is"),
        (lambda: Change.objects.filter(k=92_000).delete(), "expected [batch_id"),
        (lambda: Rating.objects.update(rating=F("rating") + 1), "a rating is stored as"),
        (lambda: BatchGame.objects.update(first_seed=1), "its games do not match"),
        (
            lambda: Batch.objects.filter(label="two").update(input_digest="0"),
            "its input digest does",
        ),
        (lambda: Run.objects.update(input_digest="0"), "its input digest is not"),
    ],
)
def test_any_difference_is_reported_and_fails(rated, capsys, damage, message):
    damage()
    with pytest.raises(CommandError) as caught:
        call_command("verify_ratings", "star")
    assert caught.value.returncode == 1
    assert message in capsys.readouterr().err


def verified(pool):
    pool.refresh_from_db()
    return pool.verified_at is not None, len(pool.differences)


def test_the_worker_verifies_each_pool_once_a_day_and_again_while_it_differs(rated, caplog):
    verify_pools()
    assert verified(rated) == (True, 0)
    Rating.objects.filter(player__name="Player A").update(rating=F("rating") + 1)
    verify_pools()
    assert verified(rated) == (True, 0)
    assert caplog.records == []

    Pool.objects.update(verified_at=F("verified_at") - timedelta(days=1))
    verify_pools()
    assert verified(rated) == (True, 1)
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "recomputation: star: a rating is stored as" in record.getMessage()
    assert list(differing_pools()) == [rated]

    call_command("rebuild", "star")
    verify_pools()
    assert verified(rated) == (True, 0)


def test_a_pool_that_is_due_for_a_run_is_verified_after_it(rated, capsys):
    file_event(rated, "three", day(3), [])
    call_command("verify_ratings")
    assert "due for a run" in capsys.readouterr().out
    verify_pools()
    assert verified(rated) == (False, 0)
    advance_pool(rated.pk)
    verify_pools()
    assert verified(rated) == (True, 0)


def test_rebuild_makes_a_new_run_with_the_same_ratings(rated, capsys):
    before = current_changes(rated), ratings_of(rated)
    call_command("rebuild", "star")
    assert capsys.readouterr().out == "star: run 2, 3 players rated, 0 ratings change\n"
    assert (current_changes(rated), ratings_of(rated)) == before
    assert comparable(Change.objects.filter(run__number=1)) == before[0]
    digests = set(Run.objects.values_list("input_digest", flat=True))
    assert len(digests) == 1


def test_rebuild_says_how_many_ratings_change(rated, capsys):
    ann, _, cy = Player.objects.order_by("pk")
    Rating.objects.filter(player=ann).update(rating=F("rating") + 1)
    Rating.objects.filter(player=cy).delete()
    call_command("rebuild", "star")
    assert capsys.readouterr().out == "star: run 2, 3 players rated, 2 ratings change\n"


def test_rebuild_repairs_altered_rows(rated):
    Rating.objects.update(rating=0)
    Rating.objects.create(
        pool=rated,
        player=Player.objects.create(name="Nobody"),
        run=rated.current_run,
        rating=1,
        games=1,
        last_game_at=day(1),
    )
    Change.objects.update(after=0)
    call_command("rebuild", "star")
    call_command("verify_ratings")


@pytest.mark.parametrize("command", ["rebuild", "verify_ratings"])
def test_an_unknown_pool_is_an_error(star, command):
    with pytest.raises(CommandError, match="no pool 'moon'") as caught:
        call_command(command, "moon")
    assert caught.value.returncode == 2
