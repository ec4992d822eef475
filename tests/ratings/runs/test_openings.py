"""An imported event changes ratings as it did in the installation it was exported from."""

import pytest

from games.models import Player
from ratings.models import Batch, Change, Opening, Pool, RunRating
from ratings.runs.openings import digest_openings, export_openings
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from ratings.systems.presets import Start
from tests.ratings.factories import (
    current_changes,
    day,
    file_event,
    make_game,
    make_players,
    ratings_of,
)

pytestmark = pytest.mark.django_db


def add_openings(batch: Batch, openings: dict[int, Start]) -> None:
    """Add openings to a batch, as an import does."""
    Opening.objects.bulk_create(
        Opening(pool=batch.pool, batch=batch, player_id=player, **start._asdict())
        for player, start in openings.items()
    )
    Batch.objects.filter(pk=batch.pk).update(openings_digest=digest_openings(openings))


def remove(batch: Batch) -> None:
    """Leave its pool as if this batch had never been filed, and nothing had been rated."""
    Pool.objects.update(current_run=None)
    Batch.objects.update(run=None, rated_effective_at=None, rated_games_digest="", input_digest="")
    for rows in (Change.objects, RunRating.objects, batch.pool.ratings, batch.games):
        rows.all().delete()
    batch.pool.runs.all().delete()
    batch.delete()


@pytest.fixture
def two_events(star):
    """`one` on day 1 between A, B and C; `two` on day 2 between A, B and D."""
    ann, bo, cy, di = make_players(4, seed=1600)
    one = file_event(star, "one", day(1), [make_game(ann, bo), make_game(bo, cy, "1/2")])
    two = file_event(star, "two", day(2), [make_game(ann, bo, "0-1"), make_game(di, ann, "1/2")])
    advance_pool(star.pk)
    star.refresh_from_db()
    return one, two


def test_the_ratings_before_a_batch_are_exported(star, two_events):
    one, two = two_events
    ann, bo, _, di = Player.objects.order_by("pk")
    assert export_openings(one, [ann.pk, bo.pk]) == {}
    assert export_openings(two, [ann.pk, bo.pk, di.pk]) == {
        ann.pk: Start(1650_000, 1),
        bo.pk: Start(1550_000, 2),
    }


def test_the_second_event_alone_changes_the_same_ratings(star, two_events):
    one, two = two_events
    players = list(Player.objects.values_list("pk", flat=True))
    exported = [row for row in current_changes(star) if row[0] == two.pk]
    exported_ratings = ratings_of(star)
    openings = export_openings(two, players[:2] + players[3:])
    remove(one)
    add_openings(two, openings)

    advance_pool(star.pk)

    assert current_changes(star) == exported
    assert ratings_of(star) == {name: exported_ratings[name] for name in "ABD"}
    star.refresh_from_db()
    assert verify_pool(star) == []
    assert export_openings(star.batches.get(), players[:2] + players[3:]) == openings


def test_the_opening_of_a_merged_player_belongs_to_the_player_merged_into(star):
    ann, bo, cy = make_players(3)
    batch = file_event(star, "two", day(2), [make_game(ann, bo)])
    add_openings(batch, {ann.pk: Start(1700_000, 7), cy.pk: Start(1200_000, 3)})
    Player.objects.filter(pk=ann.pk).update(merged_into=cy)
    advance_pool(star.pk)
    assert {name: games for name, (_, games) in ratings_of(star).items()} == {"B": 1, "C": 8}
    star.refresh_from_db()
    assert verify_pool(star) == []


def test_a_rating_that_had_reached_2400_travels_with_its_event(star):
    Pool.objects.filter(pk=star.pk).update(preset="fide-2024")
    star.refresh_from_db()
    ann, bo = make_players(2, seed=2410)
    april, may = day(1).replace(month=4), day(1).replace(month=5)
    one = file_event(star, "one", april, [make_game(bo, ann) for _ in range(6)])
    two = file_event(star, "two", may, [make_game(ann, bo)])
    advance_pool(star.pk)
    exported, before = [row for row in current_changes(star) if row[0] == two.pk], ratings_of(star)
    openings = export_openings(two, [ann.pk, bo.pk])
    assert openings[ann.pk] == Start(2380_000, 6, reached_2400=True)
    remove(one)
    add_openings(two, openings)
    advance_pool(star.pk)
    assert (current_changes(star), ratings_of(star)) == (exported, before)


def test_an_altered_opening_is_found(star):
    ann, bo = make_players(2)
    batch = file_event(star, "two", day(2), [make_game(ann, bo)])
    add_openings(batch, {ann.pk: Start(1700_000, 7)})
    advance_pool(star.pk)
    Opening.objects.update(rating=1700_001)
    star.refresh_from_db()
    assert f"star, batch {batch.pk}: its openings do not match their digest" in verify_pool(star)
