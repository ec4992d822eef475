import pytest

from games.core.errors import Conflict
from games.models import Game, JournalLine, Player
from ratings.batches.casual import file_casual_games, file_game
from ratings.batches.eligibility import corrected_input
from ratings.batches.order import is_due
from ratings.batches.services import file_batch
from ratings.models import Batch, BatchGame, Pool, Rating, Run
from ratings.runs.services import advance_pool
from tests.ratings.factories import (
    APPROVED,
    day,
    exclusions_of,
    file_event,
    make_game,
    make_players,
)

pytestmark = pytest.mark.django_db

STONES = {"seat": "second", "stones": 2}


@pytest.mark.parametrize(
    ("result", "fields", "exclusion"),
    [
        ("1-0", {}, ""),
        ("1/2", {}, ""),
        ("0-1", {"termination": "resigned"}, ""),
        ("1-0", {"rated": False}, "unrated_tournament"),
        ("1-0", {"public": False}, "private_tournament"),
        ("1-0", {"consented": False}, ""),  # the officers approved the event
        ("1-0", {"termination": "forfeit"}, "forfeit"),
        ("", {"state": "confirmed", "termination": "double-forfeit"}, "forfeit"),
        ("", {}, "unfinished"),
        ("1-0", {"state": "disputed"}, "unfinished"),
        ("1-0", {"state": "waiting"}, "unfinished"),
        ("1-0", {"state": "annulled"}, "annulled"),
        ("1-0", {"state": "annulled", "rated": False}, "annulled"),
        ("1-0", {"advice": "second"}, "advice"),
        ("1-0", {"handicap": STONES, "swap": False}, ""),
        ("1-0", {"handicap": {"seat": "first", "points": 3}}, ""),
        ("1-0", {"handicap": STONES, "swap": True}, "handicap_out_of_band"),
        ("1-0", {"handicap": STONES, "game": "hex", "swap": False}, "handicap_out_of_band"),
        ("1-0", {"handicap": {"seat": "nobody", "stones": "2"}}, "handicap_out_of_band"),
    ],
)
def test_a_game_is_filed_with_its_exclusion(star, result, fields, exclusion):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, result, **fields)])
    assert exclusions_of(batch) == [exclusion]


def test_a_game_between_merged_players_is_not_rated(star):
    ann, bo = make_players(2)
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    assert exclusions_of(batch) == ["same_player"]


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({}, 0),
        ({"swap": False}, 40_000),
        ({"swap": False, "board": "4"}, 220_000),
        ({"swap": False, "game": "hex", "board": "11"}, 0),  # the table covers the ring mesh only
        ({"swap": False, "handicap": STONES}, -125_000),
        ({"swap": False, "handicap": {"seat": "second", "stones": ["S60", "A61"]}}, -125_000),
        ({"swap": False, "handicap": STONES | {"points": 2}}, -253_000),  # 125 + 128.2
        ({"swap": False, "handicap": STONES | {"points": 24}}, None),
        ({"swap": False, "handicap": {"seat": "second", "stones": []}}, None),
        ({"board": "6", "handicap": {"seat": "first", "points": 2}}, 185_000),
        ({"swap": False, "board": "4", "handicap_table": "v1"}, 40_000),
        ({"swap": False, "handicap": STONES, "handicap_table": "v1"}, -195_000),
        (
            {"board": "4", "handicap": {"seat": "first", "points": 19}, "handicap_table": "v1"},
            428_000,
        ),
        ({"board": "4", "handicap": {"seat": "first", "points": 9}}, None),  # cannot be overcome
    ],
)
def test_a_game_is_filed_with_the_value_of_its_conditions(star, fields, part):
    """By table v2 of the pool, unless it is of an event with another one."""
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, **fields)])
    assert BatchGame.objects.get(batch=batch).handicap_part == part


@pytest.mark.parametrize(
    ("first", "second", "fields", "pool", "exclusion"),
    [
        (2_011_000, 1_500_000, {}, {}, ""),  # 0.950137 and 0.049863, by the formula of Elo
        (2_012_000, 1_500_000, {}, {}, "expected_out_of_band"),
        (1_500_000, 2_012_000, {}, {}, "expected_out_of_band"),
        (2_130_000, 1_500_000, {"handicap": STONES, "swap": False}, {}, ""),
        (1_800_000, 2_200_000, {"handicap": STONES, "swap": False}, {}, "expected_out_of_band"),
        (2_200_000, 1_500_000, {"handicap": STONES}, {}, "handicap_out_of_band"),
        (2_200_000, 1_500_000, {"termination": "forfeit"}, {}, "forfeit"),
        (2_200_000, 1_500_000, {}, {"least_expected": 0}, ""),
        (1_800_000, 1_500_000, {}, {"least_expected": 20}, "expected_out_of_band"),
        (2_200_000, None, {}, {}, "expected_out_of_band"),  # a new player starts at 1500
        (2_000_000, None, {}, {}, ""),
        (2_200_000, None, {}, {"parameters": {"start": 2000}}, ""),
        (2_200_000, None, {}, {"preset": "fide-2024", "parameters": {"limit_400": 0}}, ""),
        (2_200_000, 1_500_000, {}, {"preset": "fide-2024"}, ""),  # counts as 400 points
        (2_200_000, 1_500_000, {}, {"preset": "fide-2024", "parameters": {"limit_400": 0}},
         "expected_out_of_band"),
        (2_200_000, 0, {}, {"preset": "fide-2024"}, ""),  # unrated
    ],
)  # fmt: skip
def test_a_game_is_rated_if_its_result_is_open(star, first, second, fields, pool, exclusion):
    ann, bo = make_players(2)
    for name, value in pool.items():
        setattr(star, name, value)
    game = make_game(ann, bo, first_rating=first, second_rating=second, **fields)
    batch = file_event(star, "cup", day(1), [game])
    assert exclusions_of(batch) == [exclusion]


@pytest.mark.parametrize(
    ("seeds", "rating", "exclusion"),
    [
        ((2200, 1500), None, "expected_out_of_band"),
        ((2000, 1500), None, ""),
        ((2200, None), None, "expected_out_of_band"),
        ((2200, 1500), 1_900_000, ""),  # the second has a rating since, from which a run starts
        ((2000, 1500), 1_400_000, "expected_out_of_band"),
    ],
)
def test_players_without_a_rating_at_pairing_have_that_of_a_run(star, seeds, rating, exclusion):
    """A run would rate the game from the seeds, so they decide whether its result is open."""
    ann, bo = make_players(2)
    for player, seed in zip((ann, bo), seeds, strict=True):
        Player.objects.filter(pk=player.pk).update(seed_rating=seed)
    if rating:
        run = Run.objects.create(pool=star, number=1, engine_version=1, input_digest="1")
        Rating.objects.create(
            pool=star, player=bo, run=run, rating=rating, games=9, last_game_at=day(1)
        )
    batch = file_event(star, "cup", day(2), [make_game(ann, bo)])
    assert exclusions_of(batch) == [exclusion]
    # and the correction of a result, previewed or made, leaves the game where it was filed
    Player.objects.update(seed_rating=1500)
    game = Game.objects.get()
    game.winner = "second"
    (filed,) = BatchGame.objects.all()
    assert corrected_input(filed, batch, game).exclusion == exclusion


@pytest.mark.parametrize(
    ("rated_games", "fields", "exclusion"),
    [
        ({}, {}, ""),
        ({"star-star": []}, {}, ""),
        ({"star-star": ["10"]}, {}, ""),
        ({"star-star": ["6"]}, {}, "wrong_game"),
        ({"hex": []}, {}, "wrong_game"),
        ({"hex": []}, {"game": "hex", "board": "11"}, ""),
        ({"hex": []}, {"termination": "forfeit"}, "forfeit"),
    ],
)
def test_a_pool_rates_the_games_and_boards_of_its_officers(star, rated_games, fields, exclusion):
    ann, bo = make_players(2)
    star.rated_games = rated_games
    star.save()
    game = make_game(ann, bo, **fields)
    batch = file_event(star, "cup", day(1), [game])
    assert exclusions_of(batch) == [exclusion]
    Pool.objects.update(rated_games={"twixt": []})
    advance_pool(star.pk)
    assert exclusions_of(batch) == [exclusion]  # it is that of the day of filing
    assert not is_due(star)


RAPID = {"main_minutes": 15, "increment_seconds": 10}


@pytest.mark.parametrize(
    ("time_classes", "fields", "exclusion"),
    [
        ([], {}, ""),
        ([], RAPID, ""),
        (["rapid"], RAPID, ""),
        (["bullet", "standard"], RAPID, "wrong_time_class"),
        (["rapid"], {}, "wrong_time_class"),
        (["blitz"], RAPID | {"termination": "forfeit"}, "forfeit"),
        (["blitz"], RAPID | {"handicap": STONES}, "wrong_time_class"),
    ],
)
def test_a_pool_rates_the_time_classes_of_its_officers(star, time_classes, fields, exclusion):
    ann, bo = make_players(2)
    star.time_classes = time_classes
    star.save()
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, **fields)])
    assert exclusions_of(batch) == [exclusion]
    Pool.objects.update(time_classes=[] if exclusion else ["bullet"])
    advance_pool(star.pk)
    assert exclusions_of(batch) == [exclusion]  # it is that of the day of filing
    assert not is_due(star)


@pytest.mark.parametrize("least_expected", [0, 30])
def test_a_later_limit_of_the_pool_does_not_change_filed_games(star, least_expected):
    ann, bo = make_players(2)
    games = [
        make_game(ann, bo, first_rating=rating, second_rating=1_500_000)
        for rating in (2_200_000, 1_700_000)
    ]
    batch = file_event(star, "cup", day(1), games)
    Pool.objects.filter(pk=star.pk).update(least_expected=least_expected)
    advance_pool(star.pk)
    assert exclusions_of(batch) == ["expected_out_of_band", ""]
    Game.objects.filter(pk=games[1].pk).update(state="annulled")
    advance_pool(star.pk)
    assert exclusions_of(batch) == ["expected_out_of_band", "annulled"]


def test_filing_the_same_games_again_does_nothing(star):
    ann, bo = make_players(2)
    games = [make_game(ann, bo), make_game(bo, ann, "1/2")]
    batch = file_event(star, "cup", day(1), games)
    rows = list(BatchGame.objects.values_list("pk", flat=True))
    assert file_event(star, "cup", day(1), games[::-1]) == batch
    assert list(BatchGame.objects.values_list("pk", flat=True)) == rows
    payload = JournalLine.objects.get(stream="pool/star", kind="batch.filed").payload.body
    assert {name: payload[name] for name in ("batch", "stream", "games", "excluded")} == {
        "batch": batch.pk,
        "stream": "tournament/cup",
        "games": 2,
        "excluded": 0,
    }


def test_filing_again_updates_the_batch(star):
    ann, bo, cy = make_players(3)
    same, dropped, added = make_game(ann, bo), make_game(bo, cy), make_game(cy, ann)
    file_event(star, "cup", day(1), [same, dropped])
    file_event(star, "cup", day(1), [same, added])
    filed = set(BatchGame.objects.values_list("game", flat=True))
    assert filed == {same.pk, added.pk}


def test_a_game_is_filed_only_once_in_a_pool(star):
    ann, bo = make_players(2)
    game = make_game(ann, bo)
    file_event(star, "cup", day(1), [game])
    with pytest.raises(Conflict, match=f"has the games {game.pk}"):
        file_event(star, "other", day(2), [game])
    assert list(Batch.objects.values_list("stream", flat=True)) == ["tournament/cup"]


def test_a_long_label_is_truncated(star):
    batch = file_batch(
        star,
        stream="tournament/x",
        label="x" * 500,
        effective_at=day(1),
        games=[],
        filing=APPROVED,
    )
    assert batch.label == "x" * 120


def test_confirmed_casual_games_are_filed_once(star):
    ann, bo = make_players(2)
    casual = make_game(ann, bo, confirmed_at=day(5))
    make_game(ann, bo, stream="tournament/cup")
    make_game(ann, bo, rated=False)
    make_game(ann, bo, "")
    make_game(ann, bo, pool="hex")
    file_casual_games(star)
    batch = Batch.objects.get()
    file_casual_games(star)
    assert Batch.objects.get() == batch
    assert (batch.kind, batch.stream, batch.effective_at) == ("game", f"game/{casual.pk}", day(5))


def test_casual_games_need_the_consent_of_both_players(star):
    ann, bo = make_players(2)
    make_game(ann, bo, consented=False)
    file_casual_games(star)
    assert exclusions_of(Batch.objects.get()) == ["no_consent"]


def casual_exclusions():
    filed = BatchGame.objects.order_by("game")
    return list(filed.values_list("exclusion", flat=True))


@pytest.fixture
def open_pool(star):
    """A pool in which casual games need no approved event."""
    star.policy = Pool.Policy.OPEN
    star.save()
    return star


def test_three_casual_games_a_day_count_against_the_same_opponent(open_pool):
    ann, bo, cy = make_players(3)
    old = Player.objects.create(name="Bo once", merged_into=bo)
    for first, second in ((ann, bo), (old, ann), (ann, cy), (ann, bo), (bo, ann), (ann, bo)):
        make_game(first, second, confirmed_at=day(5))
    make_game(ann, bo, confirmed_at=day(6))
    file_casual_games(open_pool)
    assert casual_exclusions() == ["", "", "", "", "daily_limit", "daily_limit", ""]


def test_games_that_do_not_count_leave_room_on_their_day(open_pool):
    ann, bo = make_players(2)
    for fields in ({"consented": False}, {"termination": "forfeit"}, {}, {}, {}, {}):
        make_game(ann, bo, confirmed_at=day(5), **fields)
    file_casual_games(open_pool)
    assert casual_exclusions() == ["no_consent", "forfeit", "", "", "", "daily_limit"]


def test_an_annulment_does_not_admit_a_game_beyond_the_limit(open_pool):
    """Otherwise players could choose afterwards which of their games count."""
    ann, bo = make_players(2)
    games = [make_game(ann, bo, confirmed_at=day(5)) for _ in range(4)]
    file_casual_games(open_pool)
    advance_pool(open_pool.pk)
    Game.objects.filter(pk=games[0].pk).update(state="annulled")
    advance_pool(open_pool.pk)
    assert casual_exclusions() == ["annulled", "", "", "daily_limit"]
    Game.objects.filter(pk=games[3].pk).update(state="annulled")
    advance_pool(open_pool.pk)
    Game.objects.filter(pk=games[3].pk).update(state="confirmed")
    advance_pool(open_pool.pk)
    assert casual_exclusions() == ["annulled", "", "", "daily_limit"]


def test_a_closed_pool_files_no_casual_games(star):
    star.policy = "closed"
    make_game(*make_players(2))
    file_casual_games(star)
    assert not Batch.objects.exists()


def test_an_open_casual_game_cannot_be_filed(star):
    ann, bo = make_players(2)
    with pytest.raises(Conflict, match="not confirmed"):
        file_game(star, make_game(ann, bo, "", confirmed_at=None))
    assert Game.objects.count() == 1
