"""`export_pool`: a program of its own, without this project's code, reproduces every rating."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, Player
from ratings import recompute_pool
from ratings.batches.services import withdraw_batch
from ratings.models import Pool
from ratings.runs.services import advance_pool
from ratings.systems.presets import Start
from tests.people import content_of
from tests.ratings.factories import day, file_event, make_game, make_players
from tests.ratings.runs.test_openings import add_openings

pytestmark = pytest.mark.django_db

PROGRAM = Path(recompute_pool.__file__)
STONES = {"seat": "second", "stones": 2}


def recompute(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(PROGRAM), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fill(pool: Pool, officer) -> None:
    """Rate events with handicaps and openings, then correct, annul, withdraw and file games."""
    ann, bo, cy, di, eve = make_players(5, seed=1600)
    eve.seed_rating = None
    eve.save()
    Player.objects.filter(pk=cy.pk).update(seed_rating=2390, seed_games=200, seed_reached_2400=True)
    Player.objects.filter(pk=bo.pk).update(seed_games=40)
    games = [make_game(ann, bo), make_game(cy, di, "1/2", swap=False), make_game(bo, eve)]
    file_event(pool, "one", day(1), games)
    second = [make_game(ann, cy, handicap=STONES, swap=False), make_game(di, eve, "0-1")]
    two = file_event(pool, "two", day(2), [*second, make_game(ann, bo, "")])
    add_openings(two, {di.pk: Start(1800_500, 40)})
    file_event(pool, "three", day(3), [make_game(bo, cy, "0-1", swap=False)])
    withdrawn = file_event(pool, "four", day(4), [make_game(ann, di)])
    advance_pool(pool.pk)

    Game.objects.filter(pk=games[0].pk).update(winner="second")
    Game.objects.filter(pk=games[2].pk).update(state=Game.State.ANNULLED)
    withdraw_batch(withdrawn, reason="late", by=officer.account)
    file_event(pool, "late", day(1), [make_game(eve, ann, "1/2")])
    advance_pool(pool.pk)
    pool.refresh_from_db()


def export(pool: Pool, path: Path) -> list[dict]:
    call_command("export_pool", pool.code, "--output", str(path))
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("preset", ["decay", "fide-2024"])
def test_the_program_reproduces_every_rating(star, officer, anonymous, tmp_path, preset):
    Pool.objects.filter(pk=star.pk).update(preset=preset, least_expected=0)
    star.refresh_from_db()
    fill(star, officer)
    lines = export(star, tmp_path / "pool.ndjson")
    content = content_of(anonymous.get("pools/star/export.ndjson"))
    assert content == (tmp_path / "pool.ndjson").read_bytes()
    games = tmp_path / "games.ndjson"
    games.write_bytes(content_of(anonymous.get("pools/star/games.ndjson")))
    done = recompute(tmp_path / "pool.ndjson", games)
    assert (done.returncode, done.stderr) == (0, "")
    listed = star.ratings.order_by("-rating", "player").values_list("rating", "player_id", "games")
    assert done.stdout.splitlines()[1:] == [
        f"{player},{rating // 1000}.{rating % 1000:03},{games}" for rating, player, games in listed
    ]
    assert [line["kind"] for line in lines] == ["pool", *["batch"] * 5, *["rating"] * len(listed)]
    assert {len(line["games"]) for line in lines if line["kind"] == "batch"} == {0, 1, 2}
    assert star.current_run.number == 2


@pytest.mark.parametrize(
    ("kind", "field", "value", "message"),
    [
        ("rating", "rating", 1, ": stored (1, 1), here (1550000, 1)"),
        ("rating", "player", 0, "0: stored (1550000, 1), here None"),
        ("pool", "input_digest", "0", "digest: stored 0, here "),
        ("batch", "openings", [[1, 1600_000, 9, False]], "openings of batch "),
        ("batch", "openings_digest", "0", ": stored 0, here "),
        ("batch", "effective_at", "2026-03-01T00:00:00+01:00", "digest: stored "),
    ],
)
def test_any_difference_is_found(star, tmp_path, capsys, kind, field, value, message):
    ann, bo = make_players(2)
    file_event(star, "one", day(1), [make_game(ann, bo)])
    advance_pool(star.pk)
    path = tmp_path / "pool.ndjson"
    lines = export(Pool.objects.get(pk=star.pk), path)
    next(line for line in lines if line["kind"] == kind)[field] = value
    path.write_text("\n".join(map(json.dumps, lines)))
    assert recompute_pool.main(str(path)) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"winner": "second", "result": "0-1"}, "0], here"),
        ({"winner": "second"}, "do not agree"),
        ({"result": "0-1"}, "do not agree"),
        ({"score": {"first": 10, "second": 11}}, "do not agree"),
        ({"draw": True}, "do not agree"),
        ({"effective_at": None}, "['None', "),
        ({"effective_at": "2026-02-01T00:00:00Z"}, "['2026-02-01T00:00:00+00:00', "),
        ({"exclusion": "forfeit"}, "stored None, here ['2026-03-01"),
    ],
)
def test_each_rated_game_is_compared_with_the_public_one(
    star, anonymous, tmp_path, capsys, change, message
):
    ann, bo = make_players(2)
    file_event(star, "one", day(1), [make_game(ann, bo)])
    advance_pool(star.pk)
    path, games = tmp_path / "pool.ndjson", tmp_path / "games.ndjson"
    export(Pool.objects.get(pk=star.pk), path)
    line = json.loads(content_of(anonymous.get("pools/star/games.ndjson")))
    games.write_text(json.dumps(line))
    assert recompute_pool.main(str(path), str(games)) == 0
    games.write_text(json.dumps(line | change))
    assert recompute_pool.main(str(path), str(games)) == 1
    assert message in capsys.readouterr().err


def test_nothing_private_is_public(star, anonymous, officer, tmp_path):
    """The batch of a private event is a number, and openings are those of the digest."""
    ann, bo, cy, merged = make_players(4, seed=1600)
    hidden = file_event(star, "hidden-cup", day(1), [make_game(ann, bo, public=False)])
    add_openings(hidden, {ann.pk: Start(1800_500, 40)})
    shown = file_event(star, "cup", day(2), [make_game(ann, cy)])
    add_openings(shown, {cy.pk: Start(1700_000, 12), merged.pk: Start(1900_000, 30)})
    Player.objects.filter(pk=merged.pk).update(merged_into=cy)
    advance_pool(star.pk)

    path = tmp_path / "export.ndjson"
    path.write_bytes(content_of(anonymous.get("pools/star/export.ndjson")))
    _, first, second, *_ = map(json.loads, path.read_text().splitlines())

    assert (first["id"], first["openings"], first["games"]) == (hidden.pk, [], [])
    assert first["openings_digest"]
    assert (second["merged"], second["order"]) == ([[merged.pk, cy.pk]], 2)
    assert "cup" not in path.read_text()
    done = recompute(path)
    assert (done.returncode, done.stderr) == (0, "")
    for person, listed in ((anonymous, ["cup"]), (officer, ["cup", "hidden-cup"])):
        batches = person.get("pools/star/batches").json()["results"]
        assert [batch["tournament"]["name"] for batch in batches] == listed
        assert {"organiser" in batch for batch in batches} == {person is officer}


def test_there_is_no_export_while_games_wait_for_a_run(star, anonymous):
    ann, bo = make_players(2)
    file_event(star, "one", day(1), [make_game(ann, bo)])
    refused = anonymous.get("pools/star/export.ndjson")
    assert (refused.status_code, refused.json()["code"]) == (409, "pool_due")


def test_another_file_is_rejected(tmp_path, capsys):
    for text in ("", "[]", "player,rating\n"):
        (tmp_path / "other").write_text(text)
        assert recompute_pool.main(str(tmp_path / "other")) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert f"{tmp_path / 'other'} is not a file for this program" in output.err


def test_a_pool_without_games_and_one_that_is_due(star, tmp_path, capsys):
    call_command("export_pool", "star")
    assert [json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines()] == ["pool"]
    ann, bo = make_players(2)
    file_event(star, "one", day(1), [make_game(ann, bo)])
    with pytest.raises(CommandError, match="star is due for a run"):
        call_command("export_pool", "star")
    with pytest.raises(CommandError, match="no pool 'moon'; valid are: star") as caught:
        call_command("export_pool", "moon")
    assert caught.value.returncode == 2
