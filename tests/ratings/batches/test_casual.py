"""Casual games as batches of their own, and how many of two players count."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from games.core.errors import Conflict
from games.models import Game, JournalLine, Player
from ratings.batches.casual import file_casual_games, file_game, file_new_games
from ratings.models import Batch, BatchGame, Pool
from ratings.runs.services import advance_pool
from tests.ratings.factories import (
    APPROVED,
    day,
    exclusions_of,
    file_event,
    make_game,
    make_list,
    make_players,
)

pytestmark = pytest.mark.django_db
MAY = datetime(2026, 5, 1, tzinfo=UTC)
SECOND = timedelta(microseconds=1)


@pytest.fixture
def open_pool(star: Pool) -> Pool:
    """A pool in which casual games need no approved event, and have no limit in a month."""
    star.policy = Pool.Policy.OPEN
    star.save()
    return star


def filed(pool: Pool) -> list[str]:
    """File what is not filed yet; return the exclusions of all casual games."""
    file_casual_games(pool)
    rows = BatchGame.objects.filter(pool=pool, batch__kind="game").order_by("game")
    return list(rows.values_list("exclusion", flat=True))


def with_event(pool: Pool, *players: Player) -> None:
    """Rate a game of each two of these players in an approved event."""
    games = [make_game(*pair, stream="tournament/cup") for pair in pairwise(players)]
    file_event(pool, "cup", day(1), games)


def test_confirmed_casual_games_are_filed_once(star: Pool) -> None:
    ann, bo = make_players(2)
    casual = make_game(ann, bo, confirmed_at=day(5))
    make_game(ann, bo, stream="tournament/cup")
    make_game(ann, bo, rated=False)
    make_game(ann, bo, "")
    make_game(ann, bo, pool="hex")
    later = make_game(ann, bo, confirmed_at=day(6))
    file_casual_games(star, [casual.pk])
    batch = Batch.objects.get()
    file_casual_games(star, [casual.pk])
    assert Batch.objects.get() == batch
    assert (batch.kind, batch.stream, batch.effective_at) == ("game", f"game/{casual.pk}", day(5))
    assert JournalLine.objects.filter(kind="batch.filed").count() == 1
    file_casual_games(star)
    assert Batch.objects.exclude(pk=batch.pk).get().stream == f"game/{later.pk}"


def test_a_closed_pool_files_none_and_no_open_game_is_filed(star: Pool) -> None:
    ann, bo = make_players(2)
    make_game(ann, bo)
    star.policy = "closed"
    assert filed(star) == []
    with pytest.raises(Conflict, match="not confirmed"):
        file_game(star, make_game(ann, bo, "", confirmed_at=None))


def test_new_games_are_filed_at_their_times_with_a_line_each(star: Pool) -> None:
    ann, bo = make_players(2)
    Player.objects.filter(pk=bo.pk).update(birth_year=2008, seed_rating=1600)
    games = [make_game(ann, bo), make_game(ann, bo, advice="first")]
    file_new_games(star, {game.pk: day(n) for n, game in enumerate(games, 1)}, APPROVED)
    batches = [Batch.objects.get(stream=f"game/{game.pk}") for game in games]
    assert [batch.effective_at for batch in batches] == [day(1), day(2)]
    assert [exclusions_of(batch) for batch in batches] == [[""], ["advice"]]
    row = BatchGame.objects.get(batch=batches[0])
    assert (row.second_seed, row.first_junior, row.second_junior) == (1600_000, False, False)
    assert JournalLine.objects.filter(stream="pool/star", kind="batch.filed").count() == 2
    assert all(batch.games_digest and batch.order_key.startswith("0") for batch in batches)


def test_casual_games_need_the_consent_of_both_players(open_pool: Pool) -> None:
    ann, bo = make_players(2)
    make_game(ann, bo, consented=False)
    assert filed(open_pool) == ["no_consent"]


def test_three_games_a_day_count_against_the_same_opponent(open_pool: Pool) -> None:
    ann, bo, cy = make_players(3)
    old = Player.objects.create(name="Bo once", merged_into=bo)
    for first, second in ((ann, bo), (old, ann), (ann, cy), (ann, bo), (bo, ann), (ann, bo)):
        make_game(first, second, confirmed_at=day(5))
    for at in (day(5) - SECOND, day(6) - SECOND, day(6)):
        make_game(ann, bo, confirmed_at=at)
    assert filed(open_pool) == ["", "", "", "", "daily_limit", "daily_limit", "", "daily_limit", ""]


def test_games_that_do_not_count_leave_room_on_their_day(open_pool: Pool) -> None:
    ann, bo = make_players(2)
    for fields in ({"consented": False}, {"termination": "forfeit"}, {}, {}, {}, {}):
        make_game(ann, bo, confirmed_at=day(5), **fields)
    assert filed(open_pool) == ["no_consent", "forfeit", "", "", "", "daily_limit"]


def test_an_annulment_does_not_admit_a_game_beyond_the_limit(open_pool: Pool) -> None:
    """Otherwise players could choose afterwards which of their games count."""
    ann, bo = make_players(2)
    games = [make_game(ann, bo, confirmed_at=day(5)) for _ in range(4)]
    filed(open_pool)
    for number, states in ((0, ["annulled"]), (3, ["annulled", "confirmed"])):
        for state in states:
            Game.objects.filter(pk=games[number].pk).update(state=state)
            advance_pool(open_pool.pk)
        assert filed(open_pool) == ["annulled", "", "", "daily_limit"]


def test_six_games_a_month_count(star: Pool, settings: Any) -> None:
    assert (settings.CASUAL_GAMES_PER_DAY, settings.CASUAL_GAMES_PER_MONTH) == (3, 6)
    ann, bo = make_players(2)
    with_event(star, ann, bo)
    times = [MAY - SECOND, MAY, *(MAY + timedelta(days=n) for n in range(1, 6))]
    times += [MAY + timedelta(days=31) - SECOND, MAY + timedelta(days=31)]
    for at in times:
        make_game(ann, bo, confirmed_at=at)
    assert filed(star) == [*[""] * 7, "monthly_limit", ""]
    for _ in range(3):
        make_game(ann, bo, confirmed_at=MAY + timedelta(days=30))
    assert filed(star)[9:] == ["monthly_limit"] * 3
    star.policy = Pool.Policy.OPEN  # which has no such limit
    make_game(ann, bo, confirmed_at=MAY + timedelta(days=20))
    assert filed(star)[12:] == [""]


def test_both_players_have_finished_an_approved_event(star: Pool) -> None:
    ann, bo, cy, di = make_players(4)
    with_event(star, ann, bo)
    file_event(star, "annulled", day(1), [make_game(cy, di, state="annulled")])
    for pair in ((ann, bo), (ann, cy), (cy, bo)):
        make_game(*pair, confirmed_at=day(5))
    assert filed(star) == ["", "without_tournament", "without_tournament"]
    Batch.objects.filter(kind="tournament").update(approved=False)
    make_game(ann, bo, confirmed_at=day(6))
    assert filed(star)[3:] == ["without_tournament"]
    star.policy = Pool.Policy.OPEN
    make_game(ann, cy, confirmed_at=day(6))
    assert filed(star)[4:] == [""]


@pytest.mark.parametrize(("seed", "exclusion"), [(1700, ""), (1701, "without_tournament")])
def test_nobody_enters_an_open_pool_far_above_it_by_a_casual_game(
    open_pool: Pool, seed: int, exclusion: str
) -> None:
    best, *others = make_players(3)
    Player.objects.exclude(pk=best.pk).update(seed_rating=seed)
    make_list(open_pool, day(1), best)  # 1500 after ten games
    make_game(*others, confirmed_at=day(5))

    assert filed(open_pool) == [exclusion]


def test_of_two_limits_the_first_is_named(star: Pool) -> None:
    ann, bo = make_players(2)
    with_event(star, ann, bo)
    for _ in range(4):
        make_game(ann, bo, confirmed_at=day(5))
    for number in (6, 7, 8):
        make_game(ann, bo, confirmed_at=day(number))
    assert filed(star) == ["", "", "", "daily_limit", "", "", ""]
    make_game(ann, bo, confirmed_at=day(5))
    assert filed(star)[7:] == ["daily_limit"]  # and above the number of the month


def test_the_least_expected_score_applies_to_them(star: Pool) -> None:
    ann, bo = make_players(2)
    with_event(star, ann, bo)
    Player.objects.filter(pk=ann.pk).update(seed_rating=2300)
    make_game(ann, bo, confirmed_at=day(5))
    assert filed(star) == ["expected_out_of_band"]
