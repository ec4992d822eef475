"""`calibrate`: the values of handicaps as the rated games of a pool show them."""

import csv
import io
import json
from itertools import combinations
from random import Random
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, Player
from ratings.analyses.queries import calibrate_pool, load_calibration_games
from ratings.models import Change, Pool
from ratings.runs.services import advance_pool
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
def start(db: None) -> dict[str, Pool]:
    """Rate ten games of each player, then 60, and a last one of a new player."""
    Pool.objects.update(handicap_table="v1")
    star = Pool.objects.get(code="star")
    players = make_players(7)
    play(star, 1, players[:6], 2)
    play(star, 2, players[:6], 4)
    play(star, 3, players[5:], 1)
    advance_pool(star.pk)
    return {"rated": star}


@pytest.fixture
def rated(start: dict[str, Pool]) -> Pool:
    return start["rated"]


def run(*options: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("calibrate", "star", *options)
    return capsys.readouterr().out


def test_games_of_provisional_players_are_left_out(rated: Pool) -> None:
    games = [game for game, _ in load_calibration_games(rated)]
    assert len(games) == 60
    assert {game.amounts for game in games} == {(0, 0, 0, 0), (0, 0, 0, -5)}
    assert {game.first_k for game in games} == {56_000}  # ten games before the batch


def test_points_of_a_margin_count_by_the_board(rated: Pool) -> None:
    """Five points on four rings are worth more first points, and each more, than on ten rings."""
    Pool.objects.filter(pk=rated.pk).update(handicap_table="v2")
    rated.refresh_from_db()
    half = Game.objects.filter(handicap__isnull=False).order_by("pk")[:20]
    Game.objects.filter(pk__in=half.values("pk")).update(board="4")
    found = {game.amounts[3] for game, _ in load_calibration_games(rated)}
    assert {round(amount * 64) for amount in found} == {0, -325, -742}


def test_ratings_are_those_that_were_published_at_pairing(rated: Pool) -> None:
    """The handicap was chosen by them; the batch may have been rated much later."""
    last = Game.objects.filter(batch_games__batch__label="event 2").latest("pk")
    Game.objects.filter(pk=last.pk).update(first_rating=1_400_000)
    assert list(load_calibration_games(rated))[-1][0].first_rating != 1_400_000
    Game.objects.filter(pk=last.pk).update(second_rating=1_700_000)
    game, _ = list(load_calibration_games(rated))[-1]
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


def test_the_report_states_estimates_beside_the_table(rated: Pool, capsys) -> None:
    report = json.loads(run(capsys=capsys))
    assert (report["table"], report["games"], report["slope"]["games"]) == ("v1", 60, 60)
    assert "priors, not measurements" in report["note"]
    *not_estimated, point = report["values"]
    assert not_estimated == [
        {"name": name, "games": 0, "table": value, "estimate": None, "low": None, "high": None}
        for name, value in {"first_move": 40, "first_stone": 110, "further_stone": 85}.items()
    ]
    assert (point["games"], point["table"]) == (30, 9)
    assert point["low"] < point["estimate"] < point["high"]
    for groups in report["reliability"].values():
        assert sum(group["games"] for group in groups) == 30


def test_the_formats(rated: Pool, capsys, tmp_path) -> None:
    report = json.loads(run(capsys=capsys))
    rows = list(csv.DictReader(io.StringIO(run("--format", "csv", capsys=capsys))))
    assert [row["name"] for row in rows] == [
        "slope", "first_move", "first_stone", "further_stone", "point",
    ]  # fmt: skip
    assert rows[4]["estimate"] == str(report["values"][3]["estimate"])
    assert rows[1]["estimate"] == ""

    plot = run("--format", "svg", capsys=capsys)
    assert ElementTree.fromstring(plot).tag == "{http://www.w3.org/2000/svg}svg"
    call_command("calibrate", "star", "--format", "html", "--output", str(tmp_path / "page"))
    page = (tmp_path / "page").read_text()
    assert plot.strip() in page
    assert f"<td>{rows[4]['estimate']}</td>" in page


def test_what_cannot_be_calibrated(star: Pool, tmp_path) -> None:
    with pytest.raises(CommandError, match="star: 0 games; at least 30 are needed") as caught:
        call_command("calibrate", "star")
    assert caught.value.returncode == 1
    with pytest.raises(CommandError, match="no pool 'moon'; valid are: star") as caught:
        call_command("calibrate", "moon")
    assert caught.value.returncode == 2


def test_a_file_that_cannot_be_written(rated: Pool, tmp_path) -> None:
    with pytest.raises(CommandError, match="No such file or directory") as caught:
        call_command("calibrate", "star", "--output", str(tmp_path / "none" / "file"))
    assert caught.value.returncode == 2
