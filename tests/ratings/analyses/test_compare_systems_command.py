"""`compare_systems`: how well rating systems predict the games of a pool or of a file."""

import csv
import io
import json
from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from ratings.analyses.queries import load_shadow_games
from ratings.models import Change, Pool
from ratings.runs.services import advance_pool
from ratings.systems.presets import find_preset
from ratings.systems.research.shadow import predict_preset
from ratings.systems.research.weng_lin import is_available
from tests.ratings.factories import day, file_event, make_game, make_players

INSTALLED = [
    "settling",
    "decay",
    "fixed",
    "glicko-2",
    "whole-history",
    *(["weng-lin"] if is_available() else []),
]
HEADER = "date,event,first,second,result"


def run(*options: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("compare_systems", *options)
    return capsys.readouterr().out


def play(pool: Pool, events: int) -> None:
    """File events in which five players meet; three of them have a seed rating."""
    players = [*make_players(2), *make_players(3, seed=1800)]
    random = Random(1)
    for event in range(1, events + 1):
        games = [
            make_game(first, second, random.choice(["1-0", "0-1", "1/2"]), swap=event % 2 == 0)
            for first, second in combinations(players, 2)
        ]
        file_event(pool, f"event {event}", day(event), games)
    advance_pool(pool.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("preset", ["decay", "fixed", "fide-2024"])
def test_the_official_system_in_shadow_predicts_what_the_run_expected(
    star: Pool, preset: str
) -> None:
    Pool.objects.filter(pk=star.pk).update(preset=preset)
    play(star, 3)
    games = load_shadow_games(star)
    predicted = predict_preset(find_preset(preset), games).tolist()
    changes = Change.objects.filter(pool=star, seat="first").order_by("batch_id", "game_id")
    stored = [
        expected / 1_000_000 if k else float("nan")
        for expected, k in changes.values_list("expected", "k")
    ]
    assert len(stored) == 30
    assert predicted == pytest.approx(stored, nan_ok=True)


@pytest.mark.django_db
@pytest.mark.parametrize("events", [1, 3])
def test_the_number_of_queries_does_not_depend_on_the_games(
    star: Pool, events: int, django_assert_num_queries
) -> None:
    play(star, events)
    with django_assert_num_queries(3):
        load_shadow_games(star)


@pytest.mark.django_db
def test_a_pool_is_compared_with_its_own_system_first(star: Pool, capsys) -> None:
    Pool.objects.filter(pk=star.pk).update(parameters={"k0": 60})
    play(star, 2)
    report = json.loads(run("star", capsys=capsys))
    assert [system["system"] for system in report["systems"]] == ["official", *INSTALLED]
    assert (report["games"], report["left_out"]) == (20, 0)
    assert report["systems"][0]["difference"] == 0
    assert "changes no rating" in report["note"]


@pytest.mark.django_db
def test_what_cannot_be_compared(star: Pool) -> None:
    for options, status, message in (
        (["star"], 1, "no game that each of the systems predicts"),
        (["moon"], 2, "no pool 'moon'; valid are: star"),
        (["star", "--systems", "decay,elo"], 2, "no system 'elo'; valid are: settling, decay"),
    ):
        with pytest.raises(CommandError, match=message) as caught:
            call_command("compare_systems", *options)
        assert caught.value.returncode == status


@pytest.fixture
def games_file(tmp_path: Path) -> Path:
    rows = [f"2026-03-0{day},Cup {day},{pair[0]},{pair[1]},{day % 2}"
            for day in range(1, 4) for pair in combinations("ABCD", 2)]  # fmt: skip
    path = tmp_path / "games.csv"
    path.write_text("\n".join([HEADER, *rows, ""]))
    return path


def test_the_formats(games_file: Path, capsys) -> None:
    options = ["--games", str(games_file), "--systems", "decay,fixed"]
    report = json.loads(run(*options, capsys=capsys))
    rows = list(csv.DictReader(io.StringIO(run(*options, "--format", "csv", capsys=capsys))))
    assert [row["system"] for row in rows] == ["decay", "fixed"]
    assert rows[1]["log_loss"] == str(report["systems"][1]["log_loss"])
    plot = run(*options, "--format", "svg", capsys=capsys)
    assert ElementTree.fromstring(plot).tag == "{http://www.w3.org/2000/svg}svg"
    page = run(*options, "--format", "html", capsys=capsys)
    assert plot.strip() in page
    assert f"<td>{rows[1]['log_loss']}</td>" in page


def test_games_that_are_batches_of_their_own_are_predicted_from_more(
    games_file: Path, capsys
) -> None:
    options = ["--games", str(games_file), "--systems", "decay"]
    by_event, by_game = (
        json.loads(run(*options, "--batch", batch, capsys=capsys))["systems"][0]["log_loss"]
        for batch in ("event", "game")
    )
    assert by_event != by_game


def test_seeds_are_the_ratings_before_the_first_game(
    games_file: Path, tmp_path: Path, capsys
) -> None:
    (tmp_path / "seeds.csv").write_text("player,rating\nA,2300\nB,2100\nC,1900\nD,1700\n")
    options = ["--games", str(games_file), "--systems", "fide-2024"]
    with pytest.raises(CommandError, match="predicts only games between players with a rating"):
        run(*options, capsys=capsys)
    report = json.loads(run(*options, "--seeds", str(tmp_path / "seeds.csv"), capsys=capsys))
    assert report["games"] == 18


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(f"{HEADER}\n2026-03-01,,Ann,Ann,1\n")
    for name, message in (("games.csv", "line 2, column second"), ("none.csv", "No such file")):
        with pytest.raises(CommandError, match=message) as caught:
            call_command("compare_systems", "--games", str(tmp_path / name))
        assert caught.value.returncode == 2
