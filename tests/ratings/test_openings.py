"""An event that comes from another house moves the ratings that it moved there."""

import pytest

from games.models import Player
from ratings.models import Batch, Change, Opening, Pool
from ratings.openings import digest_of_openings, openings_for
from ratings.services import advance_pool, verify_pool
from ratings.systems.elo import PlayerState
from tests.ratings.filed import day, file_event, in_force, make_game, make_players, ratings_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_bound]


def bring(batch: Batch, openings: dict[int, PlayerState]) -> None:
    """Give a batch its openings, as an import does."""
    Opening.objects.bulk_create(
        Opening(
            pool=batch.pool, batch=batch, player_id=player, rating=state.rating, games=state.games
        )
        for player, state in openings.items()
    )
    Batch.objects.filter(pk=batch.pk).update(openings=digest_of_openings(openings))


def forget(batch: Batch) -> None:
    """Leave a pool as if this batch had never been in the house, and nothing had been rated."""
    Pool.objects.update(current_run=None)
    Batch.objects.update(run=None, rated_at=None, rated_facts="", chain="")
    for rows in (Change.objects, batch.pool.ratings, batch.games):
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


def test_what_leaves_the_house_is_where_the_players_stood_before(star, two_events):
    one, two = two_events
    ann, bo, _, di = Player.objects.order_by("pk")
    assert openings_for(one, [ann.pk, bo.pk]) == {}
    assert openings_for(two, [ann.pk, bo.pk, di.pk]) == {
        ann.pk: PlayerState(1650_000, 1),
        bo.pk: PlayerState(1550_000, 2),
    }


def test_the_second_event_alone_moves_the_same_ratings(star, two_events):
    one, two = two_events
    players = list(Player.objects.values_list("pk", flat=True))
    there = [row for row in in_force(star) if row[0] == two.pk]
    rated_there = ratings_of(star)
    openings = openings_for(two, players[:2] + players[3:])
    forget(one)
    bring(two, openings)

    advance_pool(star.pk)

    assert in_force(star) == there
    assert ratings_of(star) == {who: rated_there[who] for who in "ABD"}
    star.refresh_from_db()
    assert verify_pool(star) == []
    assert openings_for(star.batches.get(), players[:2] + players[3:]) == openings


def test_who_is_rated_here_already_goes_on_from_there(star, two_events):
    _, two = two_events
    before = in_force(star)
    ann = Player.objects.get(name="Player A")
    bring(two, {ann.pk: PlayerState(2000_000, 50)})
    advance_pool(star.pk, from_the_start=True)
    assert in_force(star) == before


def test_a_later_run_counts_the_games_from_the_opening_on(star):
    ann, bo = make_players(2)
    two = file_event(star, "two", day(2), [make_game(ann, bo)])
    bring(two, {ann.pk: PlayerState(1700_000, 7)})
    last = make_game(ann, bo)
    file_event(star, "three", day(3), [last])
    advance_pool(star.pk)
    last.winner = "second"
    last.save()
    advance_pool(star.pk)
    assert {who: games for who, (_, games) in ratings_of(star).items()} == {"A": 9, "B": 2}
    star.refresh_from_db()
    assert verify_pool(star) == []


def test_the_opening_of_somebody_who_was_merged_is_that_of_whom_he_became(star):
    ann, bo, cy = make_players(3)
    batch = file_event(star, "two", day(2), [make_game(ann, bo)])
    bring(batch, {ann.pk: PlayerState(1700_000, 7), cy.pk: PlayerState(1200_000, 3)})
    Player.objects.filter(pk=ann.pk).update(merged_into=cy)
    advance_pool(star.pk)
    assert {who: games for who, (_, games) in ratings_of(star).items()} == {"B": 1, "C": 8}
    star.refresh_from_db()
    assert verify_pool(star) == []


def test_an_opening_that_was_altered_is_found(star):
    ann, bo = make_players(2)
    batch = file_event(star, "two", day(2), [make_game(ann, bo)])
    bring(batch, {ann.pk: PlayerState(1700_000, 7)})
    advance_pool(star.pk)
    Opening.objects.update(rating=1700_001)
    star.refresh_from_db()
    assert f"star, batch {batch.pk}: its openings are not those of their digest" in verify_pool(
        star
    )
