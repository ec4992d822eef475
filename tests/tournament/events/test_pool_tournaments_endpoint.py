"""`/pools/{code}/tournaments`: an event is rated only where the pool and the players agree."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Player, Role
from ratings.batches.order import is_due
from ratings.batches.services import review_waiting_batches
from ratings.models import Batch, BatchGame, Pool, Rating, Run
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool_rows
from ratings.tasks import sweep_pools
from tests.events import (
    SET_UP,
    Event,
    approve_organiser,
    make_event,
    make_players,
    settle,
    taken_back,
)
from tests.people import Person, player_of, problem_in
from tournament.entries.services import withdraw_entry
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

REASON = {"reason": "we do not know this event"}
WAITS = "waits for approval by an officer of the pool *Star"


@pytest.fixture
def event(organiser: Person) -> Event:
    """An event under review, of one round."""
    event = make_event(organiser, rounds=1)
    Tournament.objects.filter(pk=event.tournament.pk).update(pool="star")
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    return event.step("review")


def set_policy(policy: str) -> None:
    Pool.objects.filter(code="star").update(policy=policy)


@pytest.fixture
def rated(organiser: Person) -> Event:
    """An event on 1 May that the pool has rated."""
    return play(organiser, make_players(2), approve=True, slug="rated")


def play(owner: Person, players: list[Player], *, approve: bool = False, **fields: Any) -> Event:
    """Play a round of an event that requests the pool `star`, and finalise it."""
    if approve:
        approve_organiser(owner)
    body = SET_UP | {"rounds": 1, "pool": "star", "slug": "spring"} | fields
    assert owner.post("tournaments", body).status_code == 201
    event = Event(Tournament.objects.get(slug=body["slug"]), owner)
    event.enter(*players)
    event.step("open", "start").play(1)
    event.step("review")
    assert owner.post(f"{event.path}/finalise").status_code in (200, 202)
    if approve:
        advance_pool(Pool.objects.get(code="star").pk)
    event.tournament.refresh_from_db()
    return event


def exclusions(event: Event) -> list[str]:
    rows = BatchGame.objects.filter(batch__stream=event.stream).order_by("game")
    return list(rows.values_list("exclusion", flat=True))


def rating_of(event: Event, person: Person) -> dict[str, Any]:
    body: dict[str, Any] = person.get(event.path).json()["rating_batch"]
    return body


def test_a_stranger_changes_no_rating(rated: Event, stranger: Person, anonymous: Person) -> None:
    """An account without a role enters two players without their consent and rules the game."""
    pool = Pool.objects.get(code="star")
    ratings = list(Rating.objects.order_by("player_id").values_list("player_id", "rating", "run"))
    victims = list(Player.objects.filter(entries__tournament=rated.tournament))
    assert len(ratings) == len(victims) == 2

    attack = play(stranger, victims, slug="attack", starts_on="1900-01-01", ends_on="1900-01-01")
    sweep_pools()

    assert not is_due(pool)
    assert Run.objects.count() == 1
    after = list(Rating.objects.order_by("player_id").values_list("player_id", "rating", "run"))
    assert after == ratings
    (game,) = attack.games()
    assert anonymous.get(f"games/{game.pk}/rating-changes").json()["results"] == [
        {
            "pool": "star",
            "state": "excluded",
            "exclusion": "awaiting_approval",
            "reason": "no officer of the pool has approved the event",
            "changes": [],
        }
    ]
    assert rating_of(attack, anonymous)["state"] == "waiting"


FILED: list[tuple[str, list[str], str]] = [
    # the policy, the decisions, the state
    ("open", [], "filed"),
    ("open", ["event/refuse"], "refused"),
    ("open", ["organiser/refuse", "event/approve"], "filed"),
    ("approved", ["event/approve"], "filed"),
    ("approved", ["organiser/approve"], "filed"),
    ("approved", ["organiser/refuse"], "refused"),
    ("closed", ["event/approve"], "filed"),
    ("closed", ["organiser/approve"], "waiting"),
    ("closed", ["officer"], "filed"),
]


@pytest.mark.parametrize("is_final", [False, True], ids=["decided before", "decided after"])
def test_policy_and_decisions_determine_what_is_filed(
    event: Event, organiser: Person, officer: Person, staff: Person, is_final: bool
) -> None:
    account = organiser.account.pk
    paths = {
        "event": "pools/star/tournaments/spring",
        "organiser": f"pools/star/organisers/{account}",
    }

    def decide(decision: str) -> int:
        if decision == "officer":
            return staff.post("pools/star/officers", {"account_id": account}).status_code
        kind, action = decision.split("/")
        return officer.post(f"{paths[kind]}/{action}", REASON).status_code

    for policy, decisions, decided in FILED:
        case, state = (policy, decisions), decided
        is_filed_early = policy == "open" and is_final and "event/refuse" in decisions
        if is_filed_early:
            state = "filed"  # what is filed stays filed
        with taken_back():
            set_policy(policy)
            again = event.again()
            if is_final:
                again.step("finalise")
            for decision in decisions:
                assert decide(decision) in ((409,) if is_filed_early else (200, 201)), case
            if not is_final:
                again.step("finalise")
            found = rating_of(again, organiser)
            approved = Batch.objects.get().approved

        reason = {"refused": REASON["reason"], "waiting": WAITS}.get(state)
        assert (found["state"], found["reason"]) == (state, reason), case
        is_approved = state == "filed" and any(
            decision.endswith(("approve", "officer")) for decision in decisions
        )
        assert approved == is_approved, case


def test_an_approved_event_is_rated_at_once_and_refused_no_more(
    stranger: Person, officer: Person
) -> None:
    event = play(stranger, make_players(2))
    problem_in(officer.post("pools/star/tournaments/spring/refuse"), 422, "reason_needed")

    assert officer.post("pools/star/tournaments/spring/approve?dry_run=1").status_code == 200
    assert rating_of(event, stranger)["state"] == "waiting"
    body = officer.post("pools/star/tournaments/spring/approve").json()

    assert body["organiser"] == {"id": stranger.account.pk, "name": "Stig"}
    batch = Batch.objects.get().pk
    assert body["rating_batch"] == {"pool": "star", "state": "filed", "reason": None, "id": batch}
    assert exclusions(event) == [""]
    advance_pool(Pool.objects.get(code="star").pk)
    assert Rating.objects.count() == 2
    problem_in(officer.post("pools/star/tournaments/spring/refuse", REASON), 409, "batch_filed")
    lines = JournalLine.objects.filter(stream="pool/star").order_by("sequence")
    assert list(lines.values_list("kind", flat=True)) == [
        "batch.waiting",
        "event.approved",
        "batch.filed",
        "rating.run",
    ]


CHANGES: dict[str, tuple[Callable[[Event, Person], object], str]] = {
    # what is done after the approval, and what the reason names
    "nothing": (lambda event, _: event, ""),
    "another place": (lambda event, _: event.owner.patch(event.path, {"place": "Porto"}), ""),
    "twice the players": (lambda event, _: event.enter(*make_players(18)), ""),
    "a director": (lambda event, other: grant(event, other, "director"), ""),
    "another name": (lambda event, _: event.owner.patch(event.path, {"name": "Cup"}), "the name"),
    "other dates": (
        lambda event, _: event.owner.patch(event.path, {"ends_on": "2026-05-04"}),
        "the dates",
    ),
    "another owner": (lambda event, other: grant(event, other, "owner"), "an owner"),
    "more than twice the players": (
        lambda event, _: event.enter(*make_players(19)),
        "more than twice the players",
    ),
    "more than twice the players, of whom one withdraws": (
        lambda event, _: withdraw_entry(event.enter(*make_players(19))[0], by=event.owner.account),
        "more than twice the players",
    ),
}


def grant(event: Event, person: Person, role: str) -> None:
    Role.objects.create(stream=event.stream, account=person.account, role=role)


def test_an_approval_holds_for_the_event_as_it_was_approved(
    stranger: Person, ada: Person, officer: Person
) -> None:
    """The event has two players, and counts as one of ten."""
    event = make_event(stranger, rounds=1)
    Tournament.objects.filter(pk=event.tournament.pk).update(pool="star")
    event.enter(*make_players(2))
    event.step("open")
    approve = "pools/star/tournaments/spring/approve"
    assert officer.post(approve).json()["rating_batch"]["state"] == "approved"

    found, expected = {}, {}
    for name, (change, named) in CHANGES.items():
        waits = f"{WAITS}: changed since the last approval: {named}"
        expected[name] = ("waiting", waits) if named else ("approved", None)
        with taken_back():
            change(event.again(), ada)
            rating = rating_of(event, stranger)
            found[name] = rating["state"], rating["reason"]
    assert found == expected

    for name in ("another place", "another name"):
        change, named = CHANGES[name]
        with taken_back():
            again = event.again()
            change(again, ada)
            again.step("start").play(1)
            again.step("review", "finalise")
            review_waiting_batches(Pool.objects.get(code="star"))
            assert rating_of(again, stranger)["state"] == ("waiting" if named else "filed")
            assert officer.post(approve).json()["rating_batch"]["state"] == "filed"
            differences = [line for line in verify_pool_rows("pool/star") if "officer" not in line]
            assert differences == []


@pytest.mark.parametrize(
    ("slug", "fields"),
    [("winter", {}), ("spring", {"pool": ""}), ("spring", {"rated": False})],
    ids=["unknown", "another pool", "unrated"],
)
def test_only_events_that_request_the_pool_are_found(
    organiser: Person, officer: Person, slug: str, fields: dict[str, Any]
) -> None:
    make_event(organiser, **({"pool": "star"} | fields)).step("open")

    problem_in(officer.post(f"pools/star/tournaments/{slug}/approve"), 404)
    problem_in(officer.post("pools/moon/tournaments/spring/approve"), 404)


def test_events_are_listed_newest_first_in_seven_queries(
    organiser: Person, officer: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        make_event(organiser, slug=f"event-{number}", pool="star").step("open")

    with django_assert_num_queries(7):
        results = officer.get("pools/star/tournaments").json()["results"]

    assert [row["slug"] for row in results] == ["event-2", "event-1", "event-0"]
    assert {row["rating_batch"]["state"] for row in results} == {"approved"}


CONSENT = [
    # the first player agrees, the second player agrees, exclusion
    (False, False, "no_consent"),
    (True, False, "no_consent"),
    (True, True, ""),
]


@pytest.mark.parametrize(("first", "second", "exclusion"), CONSENT)
def test_in_an_open_pool_both_players_must_agree(
    stranger: Person, ada: Person, ben: Person, first: bool, second: bool, exclusion: str
) -> None:
    set_policy("open")
    event = make_event(stranger, rounds=1)
    Tournament.objects.filter(pk=event.tournament.pk).update(pool="star")
    entries = event.enter(player_of(ada), player_of(ben))
    event.step("open", "start")
    for person, entry, agrees in zip((ada, ben), entries, (first, second), strict=True):
        if agrees:
            answer = person.post(f"{event.path}/entries/{entry.pk}/consent")
            assert answer.status_code == 200
            assert answer.json()["consented_at"]
    event.play(1)
    for person, entry in zip((ada, ben), entries, strict=True):  # too late for this round
        person.post(f"{event.path}/entries/{entry.pk}/consent")
    event.step("review", "finalise")

    assert exclusions(event) == [exclusion]


@pytest.mark.parametrize(
    ("policy", "above", "state"),
    [("open", 200, "filed"), ("open", 201, "waiting"), ("approved", 201, "waiting")],
)
def test_a_seed_far_above_the_pool_waits_whoever_approved_the_event(
    rated: Event, organiser: Person, officer: Person, policy: str, above: int, state: str
) -> None:
    set_policy(policy)
    Rating.objects.update(games=9, rating=9_000_000)  # nobody is established
    best = Rating.objects.latest("pk")
    Rating.objects.filter(pk=best.pk).update(games=10, rating=1_800_000)
    event = play(organiser, make_players(2, first_rating=1801 + above), slug="high")

    assert rating_of(event, organiser)["state"] == state
    review_waiting_batches(Pool.objects.get(code="star"))
    assert rating_of(event, organiser)["state"] == state
    approved = officer.post("pools/star/tournaments/high/approve").json()
    assert approved["rating_batch"]["state"] == "filed"
    event.step("reopen", "finalise")
    assert rating_of(event, organiser)["state"] == "filed"


@pytest.mark.parametrize("when", ["lowered while it waits", "raised when it was rated"])
def test_a_seed_far_above_the_pool_is_the_one_that_is_filed(
    rated: Event, organiser: Person, when: str
) -> None:
    pool = Pool.objects.get(code="star")
    Rating.objects.update(games=10, rating=1_800_000)
    low, high = (1500, 2900) if when.startswith("raised") else (2900, 1500)
    players = make_players(2, first_rating=low)
    event = play(organiser, players, slug="high")
    advance_pool(pool.pk)
    Player.objects.filter(pk__in=[each.pk for each in players]).update(seed_rating=high)
    if low < high:
        assert Rating.objects.filter(player__in=players).count() == 2
        event.step("reopen", "finalise")

    review_waiting_batches(pool)

    assert rating_of(event, organiser)["state"] == "waiting"


def test_drafts_are_not_listed(organiser: Person, officer: Person) -> None:
    make_event(organiser, pool="star")

    assert officer.get("pools/star/tournaments").json()["results"] == []
    problem_in(officer.post("pools/star/tournaments/spring/approve"), 404)


def test_an_approval_makes_consent_unnecessary(stranger: Person, officer: Person) -> None:
    set_policy("open")
    event = play(stranger, make_players(2))
    assert exclusions(event) == ["no_consent"]

    officer.post("pools/star/tournaments/spring/approve")

    assert exclusions(event) == [""]


def test_a_private_event_is_not_rated(organiser: Person) -> None:
    event = play(organiser, make_players(2), approve=True, public=False)

    assert exclusions(event) == ["private_tournament"]
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("days", "effective"),
    [(-40_000, "creation less 30 days"), (-10, "end"), (100, "filing")],
    ids=["before the grace period", "within the grace period", "in the future"],
)
def test_when_a_batch_takes_effect(organiser: Person, days: int, effective: str) -> None:
    date = (timezone.now() + timedelta(days=days)).date()

    event = play(
        organiser,
        make_players(2),
        approve=True,
        starts_on=date.isoformat(),
        ends_on=date.isoformat(),
    ).tournament

    assert (
        Batch.objects.get().effective_at
        == {
            "creation less 30 days": event.created_at - timedelta(days=30),
            "end": datetime.combine(date, time(23, 59, 59), UTC),
            "filing": event.finalised_at,
        }[effective]
    )


def test_a_change_of_the_policy_files_waiting_events(stranger: Person, officer: Person) -> None:
    event = play(stranger, make_players(2))

    officer.patch("pools/star", {"policy": "open"})

    assert rating_of(event, stranger)["state"] == "filed"


def test_a_correction_of_a_waiting_event_rates_nothing(rated: Event, stranger: Person) -> None:
    """A waiting batch follows its games, but has no place in the order."""
    attack = play(stranger, make_players(2, first_rating=1700), slug="attack")
    (game,) = attack.games()
    type(game).objects.filter(pk=game.pk).update(state="annulled")

    sweep_pools()

    assert Run.objects.count() == 1
    assert exclusions(attack) == ["awaiting_approval"]
    assert settle() == 0
