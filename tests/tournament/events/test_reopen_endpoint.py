"""`cancel`, `resume` and `reopen`: an event is stopped and continued, a final one is corrected."""

from datetime import timedelta

import pytest

from games.models import Game, JournalLine
from ratings.batches.services import backdate_batch
from ratings.models import Batch, Pool, Rating
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.events import Event, make_event, make_players
from tests.people import Person
from tests.tournament.imports import final_event
from tournament.events.verification import verify_tournament
from tournament.models import Round

pytestmark = pytest.mark.django_db
WHY = {"reason": "the result of board 1 is wrong"}


@pytest.fixture
def final(organiser: Person) -> Event:
    return final_event(organiser)


def ratings() -> dict[str, tuple[int, int]]:
    """Rate the pool; return the rating and the number of games of each player."""
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert verify_pool(pool) == []
    rows = Rating.objects.filter(pool=pool).select_related("player")
    return {row.player.name: (row.rating, row.games) for row in rows}


def states_of(event: Event) -> tuple[str, set[str], bool]:
    """Return the state of the event, of its rounds, and whether its games are closed."""
    event.tournament.refresh_from_db()
    rounds = set(Round.objects.filter(tournament=event.tournament).values_list("state", flat=True))
    (closed,) = set(Game.objects.filter(stream=event.stream).values_list("closed", flat=True))
    return event.tournament.state, rounds, closed


@pytest.mark.parametrize("steps", [(), ("open", "start")])
def test_a_cancelled_event_resumes_where_it_was(organiser: Person, steps: tuple[str, ...]) -> None:
    event = make_event(organiser)
    event.enter(*make_players(2))
    state = event.step(*steps).tournament.state

    cancelled = organiser.post(f"{event.path}/cancel", {"reason": "the hall is closed"})
    resumed = organiser.post(f"{event.path}/resume")

    assert (cancelled.json()["state"], resumed.json()["state"]) == ("cancelled", state)
    assert verify_tournament(event.stream) == []
    lines = JournalLine.objects.filter(stream=event.stream).order_by("-sequence")[:2]
    assert [(line.kind, line.payload.body.get("reason")) for line in lines] == [
        ("tournament.resumed", None),
        ("tournament.cancelled", "the hall is closed"),
    ]


def test_a_resumed_event_continues(organiser: Person) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").publish(1)
    event.step("cancel")
    assert states_of(event) == ("cancelled", {"published"}, True)

    event.step("resume")

    assert states_of(event) == ("running", {"published"}, False)
    event.finish(1)
    assert event.step("review").tournament.state == "review"


def test_a_reopened_event_is_not_rated_until_it_is_final_again(
    organiser: Person, final: Event
) -> None:
    before = ratings()
    names = set(before)

    body = organiser.post(f"{final.path}/reopen", WHY).json()

    assert (body["state"], body["rating_batch"]["state"]) == ("review", "approved")
    assert states_of(final) == ("review", {"complete"}, False)
    assert ratings() == {}
    game = final.games(2)[0]
    final.correct(game, "10-11")
    assert organiser.post(f"{final.path}/finalise").json()["rating_batch"]["state"] == "filed"
    after = ratings()
    assert set(after) == names
    assert {name for name in names if before[name] != after[name]} == {
        game.first.name,
        game.second.name,
    }
    assert states_of(final) == ("final", {"locked"}, True)
    assert verify_tournament(final.stream) == []


def test_an_event_that_is_final_again_has_the_same_ratings(final: Event) -> None:
    before = ratings()
    final.step("reopen")
    assert ratings() == {}

    final.step("finalise")

    assert ratings() == before


def test_an_event_that_is_final_again_takes_effect_when_an_officer_said(final: Event) -> None:
    batch = Batch.objects.get(stream=final.stream)
    at = batch.effective_at - timedelta(days=30)
    backdate_batch(batch, effective_at=at, reason="played earlier", by=final.owner.account)

    final.step("reopen").step("finalise")

    batch.refresh_from_db()
    assert batch.effective_at == at
