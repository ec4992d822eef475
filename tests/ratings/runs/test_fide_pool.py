"""A pool with FIDE's system: whole months are rated, also after corrections, and exported."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from games.models import Game, Player
from ratings import recompute_pool
from ratings.batches.casual import file_game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.ratings.factories import current_changes, file_event, make_game, make_players, ratings_of

pytestmark = pytest.mark.django_db


def at(month: int, day: int) -> datetime:
    return datetime(2026, month, day, tzinfo=UTC)


@pytest.fixture
def fide(star):
    Pool.objects.filter(pk=star.pk).update(preset="fide-2024")
    return Pool.objects.get(pk=star.pk)


@pytest.fixture
def people(fide):
    """A to D are rated 2390, 2000, 2000 and 1900, D is a junior, and E and F are unrated."""
    players = make_players(6)
    for player, seed, born in zip(
        players, [2390, 2000, 2000, 1900, None, None], [1990, None, 1980, 2010, 2010, None],
        strict=True,
    ):  # fmt: skip
        player.seed_rating, player.birth_year = seed, born
        player.save()
    return players


def advance(pool: Pool) -> Pool:
    advance_pool(pool.pk)
    pool = Pool.objects.get(pk=pool.pk)
    assert verify_pool(pool) == []
    return pool


def test_the_batches_of_a_month_are_rated_together(fide, people):
    a, b, c, _, _, _ = people
    file_event(fide, "one", at(3, 1), [make_game(b, c)])
    advance(fide)
    assert ratings_of(fide) == {"B": (2020_000, 1), "C": (1980_000, 1)}
    file_event(fide, "two", at(3, 31), [make_game(a, b, "1/2")])
    pool = advance(fide)
    # D = 390: E = .91 and .09; both games of B count from 2000: 20 + 40 x .41 = 36.4
    assert ratings_of(fide) == {"A": (2374_000, 1), "B": (2036_000, 2), "C": (1980_000, 1)}
    assert (pool.current_run.number, pool.current_run.from_batch.label) == (2, "one")
    file_event(fide, "three", at(4, 1), [make_game(c, b, "1/2")])
    pool = advance(fide)
    # 56 below: E = .42: 40 x .08 = 3.2
    assert ratings_of(fide) == {"A": (2374_000, 1), "B": (2033_000, 3), "C": (1983_000, 2)}
    assert pool.current_run.from_batch.label == "three"


def test_an_established_player_has_their_k_from_the_first_game(fide, people, tmp_path, capsys):
    """`cases/fide-2024-established-player.txt`: A 1815, B 1985 (8.3.3), not 1830 and 1970."""
    a, b, c, d, _, _ = people
    Player.objects.update(seed_games=200, birth_year=1980)
    Player.objects.filter(pk=a.pk).update(seed_rating=1800)
    Player.objects.filter(pk=d.pk).update(seed_rating=2000, seed_reached_2400=True)
    file_event(fide, "one", at(3, 1), [make_game(a, b), make_game(c, d)])
    advance(fide)
    assert ratings_of(fide) == {
        "A": (1815_000, 201), "B": (1985_000, 201), "C": (2010_000, 201), "D": (1995_000, 201),
    }  # fmt: skip

    Player.objects.update(seed_games=3, seed_reached_2400=False)  # as filed, so nothing is due
    assert advance_pool(fide.pk) is None
    file_event(fide, "two", at(4, 1), [make_game(a, b, "0-1"), make_game(c, d, "0-1")])
    pool = advance(fide)
    changes = current_changes(fide)
    assert {row[5] for row in changes} == {20_000, 10_000}
    advance_pool(fide.pk, from_start=True)
    assert current_changes(fide) == changes

    path = tmp_path / "pool.ndjson"
    call_command("export_pool", pool.code, "--output", str(path))
    assert recompute_pool.main(str(path)) == 0, capsys.readouterr().err


def test_a_seed_of_zero_is_no_rating(star):
    a, b = make_players(2, seed=0)
    file_event(star, "one", at(3, 1), [make_game(a, b, "1/2")])
    advance_pool(star.pk)
    assert ratings_of(star) == {"A": (1500_000, 1), "B": (1500_000, 1)}


def fill(pool: Pool, people: list[Player]) -> list[Game]:
    """Rate three months, one run after each event; E has a rating from April, F never."""
    a, b, c, d, e, f = people
    months = [
        (3, [make_game(e, b), make_game(e, c, "1/2"), make_game(d, e, "0-1"), make_game(a, d)]),
        (3, [make_game(b, a), make_game(e, f), make_game(f, c, "1/2", swap=False)]),
        (4, [make_game(d, e), make_game(e, a, "1/2"), make_game(f, b), make_game(a, c)]),
        (4, [make_game(d, f, handicap={"seat": "second", "stones": 2}, swap=False)]),
        (5, [make_game(e, a), make_game(f, e), make_game(d, e, "1/2"), make_game(c, b, "0-1")]),
    ]
    for number, (month, games) in enumerate(months, start=1):
        file_event(pool, f"event {number}", at(month, number), games)
        advance(pool)
    return [game for _, games in months for game in games]


def test_a_correction_and_its_inverse_give_the_same_ratings(fide, people):
    games = fill(fide, people)
    before = current_changes(fide), ratings_of(fide)
    digest = Pool.objects.get(pk=fide.pk).current_run.input_digest
    for winner in ("second", "first"):
        Game.objects.filter(pk=games[4].pk).update(winner=winner)
        pool = advance(fide)
        assert pool.current_run.from_batch.label == "event 1"
        assert (pool.current_run.input_digest == digest) is (winner == "first")
        assert ((current_changes(fide), ratings_of(fide)) == before) is (winner == "first")


def test_a_lost_first_event_and_old_games_do_not_count(fide, people, tmp_path, capsys):
    """F loses the first event, wins two games in the third, and in the 29th month three more."""
    _, b, c, _, _, f = people
    months = [(1, [make_game(b, f), make_game(c, f)]), (3, [make_game(f, b), make_game(f, c)])]
    for month, games in months:
        file_event(fide, f"early {month}", at(month, 1).replace(year=2023), games)
        advance(fide)
    three = [make_game(f, b, "1/2"), make_game(f, c), make_game(b, f)]
    file_event(fide, "late", at(5, 1).replace(year=2025), three)
    advance(fide)
    assert "F" not in ratings_of(fide)  # the two won games are 26 months old

    file_event(fide, "last", at(6, 1).replace(year=2025), [make_game(f, b), make_game(f, c)])
    pool = advance(fide)
    path = tmp_path / "pool.ndjson"
    call_command("export_pool", "star", "--output", str(path))
    assert recompute_pool.main(str(path)) == 0, capsys.readouterr().err
    rating, games = ratings_of(pool)["F"]
    assert (rating // 100_000, games) == (20, 5)  # about 2000, and 3.5 of 5 points
    before = current_changes(fide), ratings_of(fide)
    advance_pool(fide.pk, from_start=True)
    assert (current_changes(fide), ratings_of(fide)) == before


def test_a_lost_casual_game_can_be_the_first_event(fide, people, tmp_path, capsys):
    """E wins and F loses the first casual game; then both lose one game and draw four.

    The pool is open: in others, casual games count only after an approved event.
    """
    fide.policy = Pool.Policy.OPEN
    fide.save()
    _, b, _, _, e, f = people
    for number, player in enumerate((e, f), start=1):
        result = "1-0" if player == e else "0-1"
        file_game(fide, make_game(player, b, result, confirmed_at=at(3, number)))
    for player in (e, f):
        games = [make_game(b, player), *(make_game(player, b, "1/2") for _ in range(4))]
        file_event(fide, f"event {player.name}", at(3, 10), games)
    advance(fide)
    # (6 x 2000 + 2 x 1800) / 8 = 1950, 4 of 8: 0; (5 x 2000 + 3600) / 7 = 1942.86, 3 of 7: -50
    found = {name: rating for name, rating in ratings_of(fide).items() if name in "EF"}
    assert found == {"E": (1950_000, 6), "F": (1893_000, 5)}
    path = tmp_path / "pool.ndjson"
    call_command("export_pool", "star", "--output", str(path))
    assert recompute_pool.main(str(path)) == 0, capsys.readouterr().err
