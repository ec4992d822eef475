"""`review_results`: improbable streams of results in a pool, with their games."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Game
from ratings.analyses.queries import load_fair_play_games
from ratings.models import Pool
from ratings.runs.services import advance_pool
from ratings.systems.elo import LOSS, MILLI
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import find_preset
from ratings.systems.research.fair_play import Columns, PlayedGame, p_below
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


def review(capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    call_command("review_results", "star", *options)
    return json.loads(capsys.readouterr().out)


def play(pool: Pool) -> list[Game]:
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


def test_a_finding_has_its_games_and_the_arithmetic(star: Pool, capsys) -> None:
    lost = play(star)
    report = review(capsys)
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


def test_games_of_players_whose_rating_is_not_settled_are_left_out(star: Pool) -> None:
    lost = play(star)
    assert [game.game for game in load_fair_play_games(star)] == [game.pk for game in lost]


def test_a_pool_without_games_has_no_findings(star: Pool, capsys) -> None:
    report = review(capsys, "--level", "0.05")
    assert (report["level"], report["tests"], report["findings"]) == (0.05, 0, [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["moon"], "no pool 'moon'; valid are: star"),
        (["star", "--level", "1"], "expected 0 < level < 1"),
        (["star", "--level", "nan"], "expected 0 < level < 1"),
    ],
)
def test_what_cannot_be_reviewed(star: Pool, options: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message) as caught:
        call_command("review_results", *options)
    assert caught.value.returncode == 2
