"""The games of a pool by which handicaps are calibrated and results reviewed."""

from itertools import combinations
from random import Random

import pytest

from games.models import Game, Player
from ratings.analyses.queries import calibrate_pool, load_calibration_games, load_fair_play_games
from ratings.models import Change, Pool
from ratings.runs.services import advance_pool
from ratings.systems.elo import LOSS, MILLI
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import find_preset
from ratings.systems.research.fair_play import (
    Columns,
    PlayedGame,
    p_below,
    report_as_json,
    review_games,
)
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db

POINTS = {"seat": "second", "points": 5}


def play(pool: Pool, event: int, players: list[Player], rounds: int) -> None:
    """File an event in which all players meet; in odd rounds the second seat has points."""
    random = Random(event)
    games = [
        make_game(
            first, second, random.choice(["1-0", "0-1"]), handicap=POINTS if number % 2 else None
        )
        for number in range(rounds)
        for first, second in combinations(players, 2)
    ]
    file_event(pool, f"event {event}", day(event), games)


@pytest.fixture
def rated(db: None) -> Pool:
    """A pool with ten games of each player, then 60, and a last one of a new player."""
    Pool.objects.update(handicap_table="v1")
    star = Pool.objects.get(code="star")
    players = make_players(7)
    play(star, 1, players[:6], 2)
    play(star, 2, players[:6], 4)
    play(star, 3, players[5:], 1)
    advance_pool(star.pk)
    return star


def test_games_of_provisional_players_are_left_out(rated: Pool) -> None:
    games = list(load_calibration_games(rated))
    assert len(games) == 60
    assert {game.amounts for game in games} == {(0, 0, 0, 0), (0, 0, 0, -5)}
    assert {game.first_k for game in games} == {56_000}  # ten games before the batch


def test_points_of_a_margin_count_by_the_board(rated: Pool) -> None:
    """Five points on four rings are worth more first points, and each more, than on ten rings."""
    Pool.objects.filter(pk=rated.pk).update(handicap_table="v2")
    rated.refresh_from_db()
    half = Game.objects.filter(handicap__isnull=False).order_by("pk")[:20]
    Game.objects.filter(pk__in=half.values("pk")).update(board="4")
    found = {game.amounts[3] for game in load_calibration_games(rated)}
    assert {round(amount * 64) for amount in found} == {0, -325, -742}


def test_ratings_are_those_that_were_published_at_pairing(rated: Pool) -> None:
    """The handicap was chosen by them; the batch may have been rated much later."""
    last = Game.objects.filter(batch_games__batch__label="event 2").latest("pk")
    Game.objects.filter(pk=last.pk).update(first_rating=1_400_000)
    assert list(load_calibration_games(rated))[-1].first_rating != 1_400_000
    Game.objects.filter(pk=last.pk).update(second_rating=1_700_000)
    game = list(load_calibration_games(rated))[-1]
    assert (game.first_rating, game.second_rating) == (1_400_000, 1_700_000)


def test_only_the_last_games_are_used(rated: Pool, monkeypatch) -> None:
    monkeypatch.setattr("ratings.systems.research.calibration.MOST_CALIBRATION_GAMES", 40)
    assert calibrate_pool(rated).games == 40


def test_games_of_unrated_players_are_left_out(star: Pool) -> None:
    """No player of a FIDE pool is rated before one of them has a rating from elsewhere."""
    Pool.objects.filter(pk=star.pk).update(preset="fide-2024")
    players = make_players(6)
    play(star, 1, players, 2)
    play(star, 2, players, 2)
    advance_pool(star.pk)
    assert Change.objects.filter(pool=star).count() == 120
    assert list(load_calibration_games(star)) == []


def play_and_lose(pool: Pool) -> list[Game]:
    """File thirty even games of each of six players with one, then 30 that this one loses."""
    first, *others = make_players(7)
    settling = [
        make_game(*pair, "1/2")
        for other in others
        for pair in [(first, other), (other, first)] * 15
    ]
    file_event(pool, "settling", day(1), settling)
    lost = [make_game(first, other, "0-1") for other in others for _ in range(5)]
    file_event(pool, "lost", day(2), lost)
    advance_pool(pool.pk)
    return lost


def test_a_finding_has_its_games_and_the_arithmetic(star: Pool) -> None:
    lost = play_and_lose(star)
    # The games of players whose rating is not settled are left out.
    assert [game.game for game in load_fair_play_games(star)] == [game.pk for game in lost]
    report = report_as_json(review_games(load_fair_play_games(Pool.objects.get())))
    # 30 games of one player, below and above. The 5 of each opponent are too few for any test.
    assert (report["level"], report["rule"], report["tests"]) == (0.01, "Holm", 2)
    (finding,) = report["findings"]
    assert (finding["kind"], finding["player"]) == ("below", lost[0].first_id)
    assert [game["game"] for game in finding["games"]] == [game.pk for game in lost]
    game = finding["games"][0]
    assert (game["result"], game["expected"], game["tested"]) == ("0", 0.5, "below")
    # 180 games of the player, 30 of the opponent
    system = find_preset("decay")
    errors = [
        deviation_of(system, 1_500_000, games, Pool.objects.get().spread) / MILLI
        for games in (180, 30)
    ]
    assert [finding["error"], game["opponent_error"]] == pytest.approx(errors, abs=0.001)
    one = PlayedGame(1, 1, 2, 0, 0, 0, errors[1] * MILLI, 0, LOSS)
    p = p_below(Columns.of([one] * 30), 0, errors[0] * MILLI)
    assert finding["p"] == pytest.approx(p, rel=0.01)
    assert finding["adjusted"] == pytest.approx(4 * finding["p"], rel=0.01)
