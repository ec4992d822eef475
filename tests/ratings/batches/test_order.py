"""Batches of one effective time are rated in the order of their content, however they are filed."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import call_command

from games.models import Game, Player
from ratings.batches.casual import file_new_games
from ratings.models import Batch, Pool
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.people import Person
from tests.ratings.factories import APPROVED, day, file_event, make_game, make_players, ratings_of

pytestmark = pytest.mark.django_db

PROGRAM = Path(__file__).parents[3] / "ratings" / "recompute_pool.py"


def labels(pool: Pool) -> list[str]:
    """Return the streams of the batches in the order in which they are rated."""
    ordered = pool.batches.order_by("effective_at", "order_key", "pk")
    return [stream.partition("/")[2] for stream in ordered.values_list("stream", flat=True)]


def recomputed(pool: Pool, folder: Path) -> dict[str, str]:
    """Return the ratings by name that the program without the service finds."""
    export = folder / "pool.ndjson"
    call_command("export_pool", pool.code, output=export)
    command = [sys.executable, "-I", str(PROGRAM), str(export)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    names = {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}
    rows = [line.split(",") for line in done.stdout.splitlines()[1:]]
    return {names[number].removeprefix("Player "): rating for number, rating, _ in rows}


def files(order: Sequence[str], *, one_run: bool) -> Pool:
    """File events of one time in an order, with one run at the end or one after each."""
    star = Pool.objects.get(code="star")
    ann, bo, cy = make_players(3)
    games = {
        "autumn": [make_game(ann, bo), make_game(ann, cy)],
        "autumn-2": [make_game(bo, ann), make_game(cy, ann, "1/2")],
        "spring": [make_game(cy, bo), make_game(bo, ann)],
    }
    for name in order:
        file_event(star, name, day(3), games[name])
        if not one_run:
            advance_pool(star.pk)
    advance_pool(star.pk)
    star.refresh_from_db()
    return star


ORDERS = [("autumn", "autumn-2", "spring"), ("spring", "autumn-2", "autumn"),
          ("autumn-2", "spring", "autumn")]  # fmt: skip
RATINGS = {"A": (1484_333, 5), "B": (1510_077, 4), "C": (1516_994, 3)}


@pytest.mark.parametrize("one_run", [True, False])
@pytest.mark.parametrize("order", ORDERS)
def test_events_of_one_time_go_by_their_slug(
    order: Sequence[str], one_run: bool, tmp_path: Path
) -> None:
    star = files(order, one_run=one_run)
    assert labels(star) == ["autumn", "autumn-2", "spring"]
    assert ratings_of(star) == RATINGS
    assert verify_pool(star) == []
    found = recomputed(star, tmp_path)
    assert found == {name: f"{rating / 1000:.3f}" for name, (rating, _) in RATINGS.items()}


RECORD = """[Game "star-star"]
[Board "4"]
[First "{}"]
[Second "{}"]
[Date "2026.03.01"]

{}
"""
GAMES = [
    ("Ada", "Ben", "S10 resign"),
    ("Ben", "Cleo", "S10 resign"),
    ("Cleo", "Ada", "S10 T10 resign"),
    ("Ada", "Ben", "S20 resign"),
    ("Ben", "Ada", "S10 T10 resign"),
]
IMPORTED = {"Ada": (1628_405, 4), "Ben": (1444_927, 4), "Cleo": (1410_148, 2)}


@pytest.mark.parametrize("rows", [GAMES, GAMES[::-1], GAMES[2:] + GAMES[:2]])
@pytest.mark.parametrize("files_of", [1, 2])
def test_the_order_of_imported_games_does_not_matter(
    officer: Person, rows: list[tuple[str, str, str]], files_of: int
) -> None:
    star = Pool.objects.get(code="star")
    star.least_expected = 0
    star.save()
    for part in range(files_of):
        content = "\n".join(RECORD.format(*row) for row in rows[part::files_of]).encode()
        answer = officer.post("games/import?pool=star", content, content_type="text/plain")
        assert answer.status_code == 201, answer.content
        advance_pool(star.pk)
    assert ratings_of(star) == IMPORTED
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []


def test_single_games_come_before_events_of_the_same_time() -> None:
    star = Pool.objects.get(code="star")
    ann, bo, cy = make_players(3)
    file_event(star, "cup", day(3), [make_game(ann, bo)])
    game = make_game(bo, cy)
    file_new_games(star, {game.pk: day(3)}, APPROVED)
    assert labels(star) == [str(game.pk), "cup"]


def test_a_corrected_result_places_a_game_as_if_it_was_filed_so() -> None:
    star = Pool.objects.get(code="star")
    ann, bo, cy = make_players(3)
    games = [make_game(ann, bo), make_game(bo, cy), make_game(cy, ann)]
    file_new_games(star, {game.pk: day(3) for game in games}, APPROVED)
    advance_pool(star.pk)
    Game.objects.filter(pk=games[0].pk).update(winner="second")
    advance_pool(star.pk, from_start=True)
    after = ratings_of(star)
    keys = dict(Batch.objects.values_list("stream", "order_key"))
    Game.objects.filter(pk=games[0].pk).update(winner="first")
    advance_pool(star.pk, from_start=True)
    changed = {
        stream for stream, key in Batch.objects.values_list("stream", "order_key")
        if key != keys[stream]
    }  # fmt: skip
    assert changed == {f"game/{games[0].pk}"}
    assert ratings_of(star) != after
    assert verify_pool(Pool.objects.get(pk=star.pk)) == []
