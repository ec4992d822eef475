"""Batches of one effective time are rated in the order of their content, however they are filed."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from django.core.management import call_command

from games.models import Game, Player
from ratings.batches.casual import file_new_games
from ratings.batches.order import (
    batches_before,
    batches_from,
    find_digest_before,
    find_first,
    find_first_due,
    find_period_start,
    has_due_batch,
    load_inputs,
    load_periods,
    period_number,
)
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


ORDERS = [(("autumn", "autumn-2", "spring"), True), (("spring", "autumn-2", "autumn"), False)]
RATINGS = {"A": (1484_333, 5), "B": (1510_077, 4), "C": (1516_994, 3)}


@pytest.mark.parametrize(("order", "one_run"), ORDERS)
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


@pytest.mark.parametrize(("rows", "files_of"), [(GAMES, 1), (GAMES[::-1], 2)])
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


def moved(pool: Pool, batch: Batch, at: datetime) -> None:
    """Move a batch as an officer does, in the row that the orders are read from."""
    Batch.objects.filter(pool=pool, pk=batch.pk).update(effective_at=at, rated_games_digest="")


@pytest.mark.parametrize(("to", "first"), [(9, 2), (1, 1)])
def test_a_batch_that_moved_is_due_from_the_earlier_of_its_places(
    star: Pool, to: int, first: int
) -> None:
    ann, bo = make_players(2)
    batches = [file_event(star, f"cup-{n}", day(n), [make_game(ann, bo)]) for n in (2, 3)]
    assert find_first_due(star) == (day(2), batches[0].pk)
    advance_pool(star.pk)
    star.refresh_from_db()
    assert find_first_due(star) is None
    moved(star, batches[0], day(to))
    assert find_first_due(star) == (day(first), batches[0].pk)


def test_other_parameters_make_all_batches_due(star: Pool) -> None:
    assert find_first(star) is None
    ann, bo = make_players(2)
    batches = [file_event(star, f"cup-{n}", day(n), [make_game(ann, bo)]) for n in (3, 2)]
    Batch.objects.filter(pk=file_event(star, "cup-1", day(1), []).pk).update(state="waiting")
    advance_pool(star.pk)
    star.refresh_from_db()
    assert not has_due_batch(star)
    star.parameters = star.parameters | {"start": 1600}
    assert find_first_due(star) == (day(2), batches[1].pk)


def test_the_batches_before_one_and_from_a_time_on(star: Pool) -> None:
    at = [(1, "b"), (2, "a"), (2, "b"), (2, "c"), (3, "a")]
    batches = [file_event(star, name * number, day(number), []) for number, name in at]
    other = Pool.objects.create(code="club", name="Club", preset="decay")
    file_event(other, "a", day(1), [])
    assert set(batches_before(batches[2])) == set(batches[:2])
    Batch.objects.update(order_key="1")  # then their ids decide
    assert set(batches_before(Batch.objects.get(pk=batches[2].pk))) == set(batches[:2])
    assert set(batches_from(star, (day(2), batches[3].pk))) == set(batches[1:])


def test_the_digest_before_a_place_is_of_the_last_rated_batch_of_an_earlier_time(
    star: Pool,
) -> None:
    ann, bo = make_players(2)
    for number, name in ((1, "a"), (2, "a"), (2, "b"), (3, "a")):
        file_event(star, f"{name}-{number}", day(number), [make_game(ann, bo)])
    assert find_digest_before(star, (day(3), 0)) is None
    advance_pool(star.pk)
    digests = dict(Batch.objects.values_list("stream", "input_digest"))
    assert len(set(digests.values())) == 4
    assert find_digest_before(star, (day(1), 0)) is None
    assert find_digest_before(star, (day(2), 0)) == digests["tournament/a-1"]
    assert find_digest_before(star, (day(3), 0)) == digests["tournament/b-2"]
    file_event(star, "c-2", day(2), [])
    assert find_digest_before(star, (day(3), 0)) == digests["tournament/b-2"]


def test_batches_are_loaded_with_their_games_though_some_have_none(star: Pool) -> None:
    ann, bo = make_players(2)
    games = [make_game(ann, bo), make_game(bo, ann)]
    for number, played in ((4, games[:1]), (3, []), (2, games[1:]), (1, [])):
        file_event(star, f"cup-{number}", day(number), played)
    loaded = [
        (batch.label, [row.game_id for row in rows])
        for batch, rows in load_inputs(star, Batch.objects.all())
    ]
    assert loaded == [
        ("cup-1", []), ("cup-2", [games[1].pk]), ("cup-3", []), ("cup-4", [games[0].pk]),
    ]  # fmt: skip


def test_a_period_is_a_month_of_utc_in_the_system_of_fide_and_else_one_batch(star: Pool) -> None:
    border = datetime(2026, 4, 1, tzinfo=UTC)
    times = [border - timedelta(days=31), border - timedelta(microseconds=1), border]
    batches = [file_event(star, f"cup-{n}", at, []) for n, at in enumerate(times)]
    place = (times[1], batches[1].pk)
    everything = Batch.objects.all()
    assert find_period_start(star, place) == place
    assert [len(period) for period in load_periods(star, everything)] == [1, 1, 1]
    star.preset, star.parameters = "fide-2024", {}
    assert find_period_start(star, place) == (times[0], batches[0].pk)
    assert find_period_start(star, (border, batches[2].pk)) == (border, batches[2].pk)
    assert [len(period) for period in load_periods(star, everything)] == [2, 1]
    tokyo = border.astimezone(timezone(timedelta(hours=9)))
    assert period_number(tokyo) - period_number(times[1].astimezone(tokyo.tzinfo)) == 1
