"""The batch of an event: filed, filed again, moved and reviewed, with a line in the journal."""

from datetime import timedelta

import pytest

from games.core.errors import Conflict
from games.models import Game, JournalLine, Player, Role
from ratings.batches import services
from ratings.batches.decisions import Filing
from ratings.batches.order import has_due_batch, is_due
from ratings.batches.queries import batch_progress
from ratings.batches.services import (
    file_batch,
    limit_effective_time,
    lock_batches,
    refresh_batches,
    refresh_event,
    review_waiting_batches,
)
from ratings.models import Batch, BatchGame, Decision, Pool
from ratings.runs.services import advance_pool
from tests.people import Person, make_person
from tests.ratings.factories import APPROVED, day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db


def lines(kind: str = "batch.") -> list[str]:
    found = JournalLine.objects.filter(stream="pool/star", kind__startswith=kind)
    return [line.kind for line in found.order_by("sequence")]


def file_again(batch: Batch, filing: Filing = APPROVED, **changes) -> Batch:
    """File an event again with its games, as it does when it is final once more."""
    games = [row.game for row in batch.games.select_related("game")]
    values = {"label": batch.label, "effective_at": batch.effective_at, "games": games} | changes
    return file_batch(batch.pool, stream=batch.stream, filing=filing, **values)


def test_filing_the_same_games_again_does_nothing(star):
    ann, bo = make_players(2)
    games = [make_game(ann, bo), make_game(bo, ann, "1/2"), make_game(ann, bo, advice="first")]
    batch = file_event(star, "cup", day(1), games)
    rows = list(BatchGame.objects.values_list("pk", flat=True))
    assert file_event(star, "cup", day(1), games[::-1]) == batch
    assert list(BatchGame.objects.values_list("pk", flat=True)) == rows
    payload = JournalLine.objects.get(stream="pool/star", kind="batch.filed").payload.body
    assert {name: value for name, value in payload.items() if name not in ("salt",)} == {
        "batch": batch.pk,
        "stream": "tournament/cup",
        "effective_at": "2026-03-01T00:00:00+00:00",
        "games": 3,
        "excluded": 1,
        "games_digest": batch.games_digest,
    }


def test_what_changed_since_is_filed_with_a_line(star):
    ann, bo, cy = make_players(3)
    same, dropped, added = make_game(ann, bo), make_game(bo, cy), make_game(cy, ann)
    batch = file_event(star, "cup", day(1), [same, dropped])
    file_event(star, "cup", day(1), [same, added])
    assert {row.game_id for row in BatchGame.objects.all()} == {same.pk, added.pk}
    file_again(batch, label="Cup")
    file_again(batch, label="Cup", effective_at=day(2))
    file_again(batch, Filing(Batch.State.FILED, approved=False), label="Cup", effective_at=day(2))
    assert lines() == ["batch.filed"] * 5
    batch.refresh_from_db()
    assert (batch.label, batch.effective_at, batch.approved) == ("Cup", day(2), False)


def test_another_reason_of_an_exclusion_is_stored(star):
    """The digests cover only rated games, and what was stated on the day of filing."""
    ann, bo = make_players(2)
    game = make_game(ann, bo, advice="first")
    batch = file_event(star, "cup", day(1), [game])
    Game.objects.update(state="annulled")
    file_again(batch)
    assert BatchGame.objects.get().exclusion == "annulled"


def test_a_game_is_filed_only_once_in_a_pool(star):
    ann, bo = make_players(2)
    game = make_game(ann, bo)
    file_event(star, "cup", day(1), [game])
    with pytest.raises(Conflict, match=f"has the games {game.pk}"):
        file_event(star, "other", day(2), [game])
    assert list(Batch.objects.values_list("stream", flat=True)) == ["tournament/cup"]
    other = Pool.objects.create(code="club", name="Club", preset="decay")
    file_event(other, "cup", day(1), [game])


def test_a_long_label_is_truncated(star):
    batch = file_batch(
        star,
        stream="tournament/cup",
        label="x" * 121,
        effective_at=day(1),
        games=[],
        filing=APPROVED,
    )
    assert batch.label == "x" * 120


def test_a_withdrawn_batch_and_the_time_of_an_officer_stay(star):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(3), [make_game(ann, bo)])
    Batch.objects.update(state="withdrawn", reason="never played", backdated=True)
    filed = file_again(batch, effective_at=day(9))
    assert (filed.state, filed.reason, filed.effective_at) == ("withdrawn", "never played", day(3))
    Batch.objects.update(state="refused", backdated=False)
    filed = file_again(batch, effective_at=day(9))
    assert (filed.state, filed.reason, filed.effective_at) == ("filed", "", day(9))


@pytest.mark.parametrize(
    ("ends", "created", "filed", "effective"),
    [
        (5, 1, 9, 5),
        (9, 1, 9, 9),
        (10, 1, 9, 9),  # not in the future
        (-29, 1, 9, -29),
        (-30, 1, 9, -29),  # thirty days before its creation
    ],
)
def test_an_event_takes_effect_at_its_end_within_limits(ends, created, filed, effective):
    def at(number):
        return day(1) + timedelta(days=number - 1)

    found = limit_effective_time(at(ends), created_at=at(created), filed_at=at(filed))
    assert found == at(effective)


def test_the_seeds_and_the_juniors_of_the_day_of_filing_stay(star):
    star.preset = "fide-2024"
    star.save()
    ann, bo = make_players(2)
    seed = {"seed_rating": 1900, "seed_games": 12, "seed_reached_2400": True}
    Player.objects.filter(pk=ann.pk).update(birth_year=2008, **seed)
    Player.objects.filter(pk=bo.pk).update(birth_year=2007)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    Player.objects.update(seed_rating=1000, seed_games=0, birth_year=1980)
    game = make_game(bo, ann)
    file_again(batch, games=[BatchGame.objects.get().game, game])

    rows = BatchGame.objects.order_by("game").values_list(
        "first_seed", "first_seed_games", "first_reached_2400", "first_junior",
        "second_seed", "second_seed_games", "second_reached_2400", "second_junior",
    )  # fmt: skip
    ann_filed, bo_filed = (1900_000, 12, True, True), (None, 0, False, False)
    assert list(rows) == [(*ann_filed, *bo_filed), (*bo_filed, *ann_filed)]


def test_only_fides_system_knows_who_is_a_junior(star):
    """What a version before 0.3 has filed otherwise is filed anew by the next run."""
    ann, bo = make_players(2)
    Player.objects.update(birth_year=2010)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    juniors = BatchGame.objects.values_list("first_junior", "second_junior")
    assert juniors.get() == (False, False)
    advance_pool(star.pk)
    digest = Pool.objects.get(pk=star.pk).current_run.input_digest

    BatchGame.objects.update(second_junior=True)
    (row,) = batch.games.all()
    services.set_digests(batch, [row])
    batch.save()
    Batch.objects.update(rated_games_digest=batch.games_digest)
    star.refresh_from_db()
    assert is_due(star)
    advance_pool(star.pk, from_start=True)
    star.refresh_from_db()
    assert juniors.get() == (False, False)
    assert (star.current_run.input_digest, is_due(star)) == (digest, False)


def test_whose_seeds_count(star, organiser, officer, staff, stranger):
    """Those of the installation, staff, officers of this pool, and directors of approved events."""
    other = make_person("Other")
    Role.objects.create(stream="pool/club", account=other.account, role="rating_officer")
    for role, stream in (("scorer", "cup"), ("director", "waiting")):
        person = make_person(role)
        Role.objects.create(stream=f"tournament/{stream}", account=person.account, role=role)
    by = {
        "installation": None, "staff": staff.account, "officer": officer.account,
        "owner": organiser.account, "stranger": stranger.account, "other pool": other.account,
        **{role: Role.objects.get(role=role).account for role in ("scorer", "director")},
    }  # fmt: skip
    Role.objects.create(stream="tournament/cup", account=organiser.account, role="owner")
    file_batch(
        star, stream="tournament/waiting", label="", effective_at=day(1), games=[],
        filing=Filing(Batch.State.WAITING, approved=False),
    )  # fmt: skip
    players = {
        name: Player.objects.create(name=name, seed_rating=1900, seed_by=account)
        for name, account in by.items()
    }

    def counted(pool: Pool, stream: str) -> set[str]:
        numbers = [player.pk for player in players.values()]
        found = services.load_players(numbers, pool, stream)
        return {name for name, player in players.items() if found[player.pk].seed.rating}

    trusted = {"installation", "staff", "officer"}
    assert counted(star, "") == trusted
    assert counted(star, "tournament/cup") == {*trusted, "owner"}
    file_event(star, "cup", day(2), [])
    assert counted(star, "") == {*trusted, "owner"}
    star.policy = Pool.Policy.OPEN
    assert counted(star, "") == set(by)


def test_a_corrected_event_is_filed_in_every_pool_as_it_is_now(star):
    ann, bo = make_players(2)
    game = make_game(ann, bo)
    batches = [file_event(star, "cup", day(1), [game])]
    club = Pool.objects.create(code="club", name="Club", preset="decay")
    batches.append(file_event(club, "cup", day(1), [game]))
    assert refresh_event("tournament/cup") == batches
    assert lines() == ["batch.filed"]
    Game.objects.update(winner="second")
    refresh_event("tournament/cup")
    assert lines() == ["batch.filed"] * 2
    assert set(BatchGame.objects.values_list("score", flat=True)) == {0}
    assert has_due_batch(star)


def test_a_refresh_writes_a_line_of_the_pool_and_of_the_event_for_each_change(star):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    other = file_event(star, "other", day(1), [make_game(bo, ann)])
    Game.objects.update(winner="second")
    refresh_batches(star, [])
    refresh_batches(star, [batch.pk])
    assert [BatchGame.objects.get(batch=each).score for each in (batch, other)] == [0, 1_000_000]
    assert lines() == ["batch.filed"] * 3
    batch.refresh_from_db()
    filed = JournalLine.objects.filter(stream="tournament/cup").order_by("sequence")
    assert [line.kind for line in filed] == ["rating.filed"] * 2
    assert filed[1].payload.body.items() >= {"filed_digest": batch.filed_digest}.items()
    refresh_batches(star, [batch.pk])
    assert lines() == ["batch.filed"] * 3


def test_a_batch_with_another_place_is_rated_again_though_its_games_are_the_same(star):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    advance_pool(star.pk)
    assert not has_due_batch(star)
    Batch.objects.update(order_key="1ff")
    refresh_batches(star, [batch.pk])
    batch.refresh_from_db()
    assert (batch.order_key, batch.is_rated) == (f"1{b'cup'.hex()}", False)
    assert has_due_batch(star)
    assert lines() == ["batch.filed"] * 2


REVIEWED = [
    # state, approved, the decision about the event, what they are then
    ("waiting", False, None, ("waiting", False)),
    ("waiting", False, True, ("filed", True)),
    ("waiting", False, False, ("refused", False)),
    ("refused", False, None, ("waiting", False)),
    ("refused", False, True, ("filed", True)),
    ("filed", False, None, ("filed", False)),
    ("filed", False, True, ("filed", True)),
    ("filed", True, None, ("filed", True)),
    ("filed", True, False, ("filed", True)),
    ("withdrawn", False, True, ("withdrawn", False)),
]


@pytest.mark.parametrize(("state", "approved", "decision", "expected"), REVIEWED)
def test_a_review_brings_a_batch_to_the_state_that_decisions_give_it(
    star, state, approved, decision, expected
):
    batch = file_batch(
        star, stream="tournament/cup", label="", effective_at=day(1), games=[],
        filing=Filing(Batch.State(state), approved=approved),
    )  # fmt: skip
    if decision is not None:
        Decision.objects.create(pool=star, stream=batch.stream, approved=decision, reason="why")
    before = lines()
    services.review_batches(lock_batches(Batch.objects.all()), by=None)
    batch.refresh_from_db()
    assert (batch.state, batch.approved) == expected
    changed = expected != (state, approved)
    assert lines() == [*before, *([f"batch.{expected[0]}"] if changed else [])]
    assert batch.reason == ("why" if changed and decision is False else "")


def test_a_sweep_reviews_only_what_waits(star):
    for name, state in (("waiting", Batch.State.WAITING), ("refused", Batch.State.REFUSED)):
        file_batch(
            star, stream=f"tournament/{name}", label="", effective_at=day(1), games=[],
            filing=Filing(state, approved=False),
        )  # fmt: skip
    star.policy = Pool.Policy.OPEN
    star.save()
    review_waiting_batches(star)
    assert list(Batch.objects.order_by("stream").values_list("state", flat=True)) == [
        "refused",
        "filed",
    ]


def test_the_task_of_a_batch(star, officer: Person):
    ann, bo = make_players(2)
    batch = file_event(star, "cup", day(1), [make_game(ann, bo)])
    states = {"filed": ("waiting", None), "waiting": ("waiting", "approval_needed"),
              "refused": ("failed", "refused"), "withdrawn": ("failed", "withdrawn")}  # fmt: skip
    for state, (expected, code) in states.items():
        Batch.objects.update(state=state, reason="why")
        task = batch_progress(batch.pk)
        found = task["state"], task["reason"] and task["reason"].code
        assert (found, task["progress"], task["response"]) == ((expected, code), None, None)
    assert "an officer of the pool" not in str(task["reason"].detail)
    Batch.objects.update(state="filed")
    advance_pool(star.pk)
    task = batch_progress(batch.pk)
    assert (task["id"], task["state"], task["progress"]) == (f"batch-{batch.pk}", "done", None)
    assert task["response"] == {"pool": "star", "batch_id": batch.pk}
    assert (task["current"], task["reason"]) == ({"run_number": 1}, None)
    Batch.objects.update(rated_games_digest="")
    assert batch_progress(batch.pk)["state"] == "waiting"
    assert batch_progress(0) is None
    assert is_due(star)
