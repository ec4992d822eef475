"""A rebuild heals what was altered in the rows of runs, and a line of the journal names it."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db.models import F

from games.models import Game, JournalLine, Player
from ratings.lists.services import publish_list
from ratings.models import Batch, BatchGame, Change, Pool, Rating, RunRating
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool, verify_pool_rows
from tests.events import taken_back
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(star):
    """Two runs, the second of which has rated one more event; the ratings after each are a list."""
    ann, bo, cy = make_players(3)
    games = [make_game(ann, bo), make_game(bo, cy, "1/2")]
    for number, played in enumerate((games, [make_game(cy, ann)]), start=1):
        file_event(star, f"event-{number}", day(number), played)
        advance_pool(star.pk)
        publish_list(star, now=day(number), by=None)
    star.refresh_from_db()
    assert verify_pool_rows(star.stream) == []
    return star


def alter_change(**values):
    key = Change.objects.filter(run__number=1, seat="first").order_by("pk").first()
    Change.objects.filter(pk=key.pk).update(**values)
    return key


def first(model):
    return model.objects.filter(run__number=1, player__name="Player A")


CASES = [
    (lambda: alter_change(after=F("after") + 1), [(1, "change", True, 1)]),
    (lambda: alter_change(k=0, share=0), [(1, "change", True, 1)]),
    (lambda: Change.objects.filter(run__number=1).first().delete(), [(1, "change", True, 1)]),
    (lambda: Change.objects.filter(run__number=2).delete(), [(2, "change", True, 2)]),
    (lambda: first(RunRating).update(rating=1), [(1, "runrating", True, 1)]),
    (
        lambda: RunRating.objects.update(games=9),
        [(1, "runrating", True, 3), (2, "runrating", True, 2)],
    ),
    (lambda: first(RunRating).delete(), [(1, "runrating", True, 1)]),
    (lambda: Change.objects.update(after=0), [(1, "change", True, 4), (2, "change", True, 2)]),
    (lambda: Rating.objects.update(rating=F("rating") + 1), []),
    (lambda: Rating.objects.filter(player__name="Player A").delete(), []),
    (lambda: Batch.objects.filter(label="event-1").update(input_digest="0"), []),
    (lambda: BatchGame.objects.update(score=0), []),
]  # fmt: skip


def verify_everything():
    """Run the three verifications; each raises CommandError for what differs."""
    call_command("verify_journal")
    call_command("verify_state", "pool/star")
    call_command("verify_ratings")


def test_a_rebuild_restores_what_was_altered_and_names_it(rated):
    for number, (alter, healed) in enumerate(CASES):
        with taken_back():
            alter()
            rated.refresh_from_db()
            assert verify_pool(rated) or verify_pool_rows(rated.stream), number

            call_command("rebuild", "star")

            verify_everything()
            line = JournalLine.objects.get(kind="rating.altered").payload.body
        names = ("run", "kind", "restored", "count")
        found = [tuple(row[name] for name in names) for row in line["altered"]]
        assert (number, found) == (number, healed)
        assert line["differences"] or healed


def test_the_line_has_the_row_with_what_it_was_and_is(rated):
    before = alter_change(after=1)

    call_command("rebuild", "star")

    (altered,) = JournalLine.objects.get(kind="rating.altered").payload.body["altered"]
    assert altered["rows"] == [
        {
            "batch_id": before.batch_id,
            "game_id": before.game_id,
            "seat": "first",
            "stored": {"after": 1},
            "computed": {"after": before.after},
        }
    ]


def test_a_run_whose_games_were_corrected_since_keeps_its_rows_and_passes(rated, capsys):
    game = Game.objects.order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(winner="second")
    file_event(rated, "event-1", day(1), list(Game.objects.order_by("pk")[:2]))
    advance_pool(rated.pk)
    alter_change(k=1)

    call_command("rebuild", "star")

    verify_everything()
    altered = JournalLine.objects.get(kind="rating.altered").payload.body["altered"]
    assert [(one["run"], one["restored"]) for one in altered] == [(1, False)]
    assert altered[0]["rows"][0]["stored"]["k"] == 1
    assert "altered rows (change) are kept" in capsys.readouterr().out


def test_ratings_of_fide_are_restored_too(star):
    """Games against a player without a rating are no games, and this player has none then."""
    Pool.objects.filter(pk=star.pk).update(preset="fide-2024")
    star.refresh_from_db()
    *rated, new = make_players(5, seed=1800)
    Player.objects.filter(pk=new.pk).update(seed_rating=None)
    new.refresh_from_db()
    a, b, c, d = rated
    file_event(star, "one", day(1), [make_game(a, b), make_game(c, d), make_game(new, a, "1/2")])
    advance_pool(star.pk)
    games = [make_game(new, other, "1/2") for other in (a, b, c, d, a)]
    file_event(star, "two", day(1) + timedelta(days=60), games)
    advance_pool(star.pk)
    RunRating.objects.filter(rating__gt=0).update(rating=5, games=77)

    call_command("rebuild", "star")

    altered = JournalLine.objects.get(kind="rating.altered").payload.body["altered"]
    found = [(one["run"], one["kind"], one["restored"], one["count"]) for one in altered]
    assert found == [(1, "runrating", True, 4), (2, "runrating", True, 5)]


def test_nothing_is_written_where_nothing_was_altered(rated):
    call_command("rebuild", "star")

    assert not JournalLine.objects.filter(kind="rating.altered").exists()
