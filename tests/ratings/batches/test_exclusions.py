"""Which games are filed as rated: the exclusion, score, players and handicap part of their rows."""

import pytest

from games.models import Game, Player
from ratings.batches.eligibility import corrected_input, find_changed_games
from ratings.batches.order import is_due
from ratings.models import Batch, BatchGame, Pool, Rating, Run
from ratings.runs.services import advance_pool
from ratings.systems.elo import DRAW, LOSS, WIN
from tests.ratings.factories import day, exclusions_of, file_event, make_game, make_players

pytestmark = pytest.mark.django_db

STONES = {"seat": "second", "stones": 2}
FORFEIT = {"termination": "forfeit"}
RAPID = {"main_minutes": 15, "increment_seconds": 10}


@pytest.mark.parametrize(
    ("result", "fields", "exclusion", "score"),
    [
        ("1-0", {}, "", WIN),
        ("1/2", {}, "", DRAW),
        ("0-1", {"termination": "resigned"}, "", LOSS),
        ("1-0", {"consented": False}, "", WIN),  # the officers approved the event
        ("1-0", {"state": "annulled", "rated": False}, "annulled", 0),
        ("1-0", {"rated": False, "public": False}, "unrated_tournament", 0),
        ("1-0", {"public": False} | FORFEIT, "private_tournament", 0),
        ("1-0", FORFEIT | {"advice": "second"}, "forfeit", 0),
        ("", {"state": "confirmed", "termination": "double_forfeit"}, "forfeit", 0),
        ("", {"state": "confirmed", "advice": "first"}, "unfinished", 0),
        ("1-0", {"state": "waiting"}, "unfinished", 0),
        ("1-0", {"advice": "second", "handicap": STONES}, "advice", 0),
        ("1-0", {"handicap": STONES, "swap": True}, "handicap_out_of_band", 0),
        ("1-0", {"handicap": STONES, "game": "hex", "swap": False}, "handicap_out_of_band", 0),
        ("1-0", {"handicap": {"seat": "nobody", "stones": "2"}}, "handicap_out_of_band", 0),
    ],
)
def test_a_game_is_filed_with_its_exclusion(star, result, fields, exclusion, score):
    star.rated_games = {}
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, result, **fields)])
    row = BatchGame.objects.get(batch=batch)
    assert (row.exclusion, row.score) == (exclusion, score)
    assert (row.first, row.second) == (ann, bo)
    assert not find_changed_games(star).exists()


def test_the_games_of_merged_players_are_those_of_the_player_who_remains(star):
    ann, bo, old = make_players(3)
    games = [make_game(old, bo), make_game(old, ann, state="annulled"), make_game(bo, old)]
    Player.objects.filter(pk=old.pk).update(merged_into=ann)
    batch = file_event(star, "cup", day(1), games)
    assert exclusions_of(batch) == ["", "same_player", ""]
    assert list(batch.games.order_by("game").values_list("first", "second")) == [
        (ann.pk, bo.pk), (ann.pk, ann.pk), (bo.pk, ann.pk),
    ]  # fmt: skip


def test_no_game_of_a_batch_without_a_place_in_the_order_is_rated(star):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, state="annulled")])
    for state, exclusion in (
        ("waiting", "awaiting_approval"),
        ("refused", "tournament_refused"),
        ("withdrawn", "batch_withdrawn"),
        ("filed", "annulled"),
    ):
        Batch.objects.update(state=state)
        advance_pool(star.pk, from_start=True)
        assert exclusions_of(batch) == [exclusion]
        assert not find_changed_games(star).exists()


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({}, 0),
        ({"swap": False}, 40_000),
        ({"swap": False, "game": "hex", "board": "11"}, 0),  # the table covers the ring mesh only
        ({"swap": False, "handicap": {"seat": "second", "stones": ["S60", "A61"]}}, -125_000),
        ({"swap": False, "handicap": STONES | {"points": 2}}, -253_000),  # 125 + 128.2
        ({"swap": False, "handicap": STONES | {"points": 24}}, None),
        ({"swap": False, "handicap": {"seat": "second", "stones": []}}, None),
        ({"board": "6", "handicap": {"seat": "first", "points": 2}}, 185_000),
        ({"swap": False, "handicap": STONES, "handicap_table": "v1"}, -195_000),
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
        (2_200_000, 1_500_000, {}, {"least_expected": 0}, ""),
        (2_200_000, None, {}, {}, "expected_out_of_band"),  # a new player starts at 1500
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


CORRECTED = [
    {"winner": "second"},
    {"winner": "", "draw": True},
    {"winner": ""},
    {"state": "disputed"},
    {"state": "annulled"},
    {"termination": "forfeit"},
    {"winner": "", "termination": "double_forfeit"},
    {"advice": "first", "winner": "second"},
    {"rated": False},
    {"public": False},
]


@pytest.mark.parametrize("change", CORRECTED, ids=str)
def test_a_correction_is_found_and_its_preview_is_what_it_gives(star, change):
    ann, bo = make_players(2)
    game = make_game(ann, bo)
    batch = file_event(star, "cup", day(1), [game, make_game(bo, ann)])
    filed = BatchGame.objects.get(game=game)
    for name, value in change.items():
        setattr(game, name, value)
    preview = corrected_input(filed, batch, game)
    game.save()

    assert [row.game_id for row in find_changed_games(star)] == [game.pk]
    advance_pool(star.pk)
    now = BatchGame.objects.get(game=game)
    assert (preview.score, preview.exclusion) == (now.score, now.exclusion)
    assert (now.score, now.exclusion) != (filed.score, filed.exclusion)
    assert not find_changed_games(star).exists()


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_merge_is_found(star, seat):
    ann, bo, cy = make_players(3)
    game = make_game(ann, bo)
    file_event(star, "cup", day(1), [game])
    Player.objects.filter(pk=getattr(game, f"{seat}_id")).update(merged_into=cy)
    assert [row.game_id for row in find_changed_games(star)] == [game.pk]


@pytest.mark.parametrize(
    ("column", "value", "later", "fields", "exclusion"),
    [
        ("rated_games", {}, {"twixt": []}, {}, ""),
        ("rated_games", {"star-star": []}, {"twixt": []}, {}, ""),
        ("rated_games", {"star-star": ["10"]}, {"twixt": []}, {}, ""),
        ("rated_games", {"star-star": ["6"]}, {}, RAPID, "wrong_game"),
        ("rated_games", {"hex": []}, {}, {"handicap": STONES}, "wrong_game"),
        ("rated_games", {"hex": []}, {}, FORFEIT, "forfeit"),
        ("time_classes", [], ["bullet"], RAPID, ""),
        ("time_classes", ["rapid"], ["bullet"], RAPID, ""),
        ("time_classes", ["bullet", "standard"], [], RAPID, "wrong_time_class"),
        ("time_classes", ["rapid"], [], {}, "wrong_time_class"),
        ("time_classes", ["blitz"], [], RAPID | {"handicap": STONES}, "wrong_time_class"),
    ],
)
def test_a_pool_rates_what_its_officers_chose_on_the_day_of_filing(
    star, column, value, later, fields, exclusion
):
    ann, bo = make_players(2)
    setattr(star, column, value)
    star.save()
    batch = file_event(star, "cup", day(1), [make_game(ann, bo, **fields)])
    assert exclusions_of(batch) == [exclusion]
    Pool.objects.update(**{column: later})
    advance_pool(star.pk)
    assert exclusions_of(batch) == [exclusion]
    assert not is_due(star)


def test_a_later_limit_of_the_pool_does_not_change_filed_games(star):
    ann, bo = make_players(2)
    games = [
        make_game(ann, bo, first_rating=rating, second_rating=1_500_000)
        for rating in (2_200_000, 1_700_000)
    ]
    batch = file_event(star, "cup", day(1), games)
    for least_expected in (0, 30):
        Pool.objects.filter(pk=star.pk).update(least_expected=least_expected)
        advance_pool(star.pk)
        assert exclusions_of(batch) == ["expected_out_of_band", ""]
    Game.objects.filter(pk=games[1].pk).update(state="annulled")
    advance_pool(star.pk)
    assert exclusions_of(batch) == ["expected_out_of_band", "annulled"]
