"""A pool with FIDE's system: whole months are rated, also after corrections, and exported."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from games.models import Game, Player
from ratings import recompute_pool
from ratings.batches.casual import file_game
from ratings.models import BatchGame, Pool, Run
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from ratings.systems.presets import find_preset
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


def test_the_k_of_an_elo_pool_falls_with_the_games_before_the_seed(star):
    a, b = make_players(2, seed=1800)
    Player.objects.filter(pk=a.pk).update(seed_games=90)
    file_event(star, "one", at(3, 1), [make_game(a, b)])
    advance_pool(star.pk)
    system = find_preset(star.preset, star.parameters)
    half = [round(system.k(games) / 2) for games in (90, 0)]
    assert ratings_of(star) == {"A": (1800_000 + half[0], 91), "B": (1800_000 - half[1], 1)}


def test_a_seed_of_zero_is_no_rating(star):
    a, b = make_players(2, seed=0)
    file_event(star, "one", at(3, 1), [make_game(a, b, "1/2")])
    advance_pool(star.pk)
    assert ratings_of(star) == {"A": (1500_000, 1), "B": (1500_000, 1)}


def test_who_gets_a_rating_or_falls_below_the_floor_in_a_month_goes_on_from_there(fide, people):
    """Each month is rated from the states that the month before has left."""
    _, b, c, _, e, f = people
    f.seed_rating = 1404
    f.save()
    months = [
        [make_game(e, b), make_game(e, c, "1/2"), make_game(b, e, "0-1"), make_game(f, b, "0-1")],
        [make_game(e, b, "1/2"), make_game(c, e, "0-1"), make_game(c, f), make_game(b, f)],
        [make_game(e, b, "0-1"), make_game(f, c, "1/2")],
        [make_game(e, f), make_game(c, b)],
    ]
    seen = []
    for number, games in enumerate(months, start=3):
        file_event(fide, f"event {number}", at(number, 1), games)
        pool = advance(fide)
        assert pool.current_run.from_batch.label == f"event {number}"
        seen.append({"E", "F"} & ratings_of(fide).keys())
    assert seen == [{"F"}, {"E"}, {"E"}, {"E"}]
    changes, unrated = current_changes(fide), pool.current_run.unrated
    advance_pool(fide.pk, from_start=True)
    assert current_changes(fide) == changes
    assert Run.objects.latest("number").unrated == unrated
    assert set(unrated) == {str(f.pk)}


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


def test_a_junior_is_filed_as_one_without_the_year_of_birth(fide, people):
    fill(fide, people)
    _, _, _, d, e, _ = people
    juniors = {
        player
        for row in BatchGame.objects.all()
        for player, junior in ((row.first_id, row.first_junior), (row.second_id, row.second_junior))
        if junior
    }
    assert juniors == {d.pk, e.pk}
    Player.objects.filter(pk=d.pk).update(birth_year=1950)
    assert advance_pool(fide.pk) is None


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


def test_each_change_of_a_rated_player_is_explained(fide, people, anonymous):
    fill(fide, people)
    _, _, _, d, e, _ = people
    texts = [
        {
            row["explanation"]
            for row in anonymous.get(f"players/{pk}/rating-history").json()["results"]
        }
        for pk in (d.pk, e.pk)
    ]
    new = "K: fewer than 30 games before the period, or under 18 and below 2300, or at most 700 for"
    unrated = "unrated before the month: the game counts towards the first rating"
    no_change = "the opponent is unrated: the game changes no rating"
    assert texts == [
        {f"{new} all games of the month", no_change},
        {f"{new} all games of the month", no_change, unrated},
    ]


def test_the_floor_and_the_difference_from_2650_on(fide, anonymous, tmp_path):
    """A falls below 1400 in March and is rated again in May; B is above 2650, C's seed is below."""
    fide.least_expected = 0
    fide.save()
    a, b, c, d = players = make_players(4)
    for player, seed in zip(players, [1402, 2700, 1399, 2000], strict=True):
        player.seed_rating = seed
        player.save()
    months = [
        (3, [make_game(a, d, "0-1"), make_game(b, d), make_game(c, d, "0-1")]),
        (4, [make_game(a, d, "1/2"), make_game(c, d)]),
        (5, [make_game(a, d) for _ in range(4)]),
    ]
    found = []
    for month, games in months:
        file_event(fide, f"event {month}", at(month, 1), games)
        advance(fide)
        found.append(ratings_of(fide))
    # A: 1402 - 40 x .08 = 1398.8. B: E = .99. D: E = .92 and .08.
    assert found[0] == {"B": (2700_000, 1), "D": (2000_000, 2)}
    assert found[1] == found[0]
    # (5 x 2000 + 2 x 1800) / 7 = 1942.86, 5.5 / 7 = .79: 230
    assert found[2] == found[0] | {"A": (2173_000, 5)}
    before = current_changes(fide), ratings_of(fide)
    advance_pool(fide.pk, from_start=True)
    assert (current_changes(fide), ratings_of(fide)) == before
    for suffix in ("", ".csv"):
        assert anonymous.get(f"players/{a.pk}/rating-history{suffix}").status_code == 200
    path = tmp_path / "pool.ndjson"
    call_command("export_pool", "star", "--output", str(path))
    assert recompute_pool.main(str(path)) == 0
