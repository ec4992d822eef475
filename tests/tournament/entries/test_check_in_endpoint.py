"""`entries/{id}/check-in` and `check-out`: a player who has not checked in is not paired."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in, statuses
from tests.tournament.events.test_verify_state import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """Ada and four others, before the start of an event with a check-in."""
    event = make_event(organiser, system="dutch", check_in="tournament")
    event.enter(player_of(ada), *make_players(4))
    return event.step("open")


def entry_path(event: Event, name: str) -> str:
    return f"{event.path}/entries/{event.tournament.entries.get(player__name=name).pk}"


def check_in(organiser: Person, event: Event, *names: str) -> None:
    for name in names:
        assert organiser.post(f"{entry_path(event, name)}/check-in").status_code == 200


def paired(organiser: Person, event: Event, number: int) -> set[str]:
    body = organiser.post(f"{event.path}/rounds/{number}/pair").json()
    return {
        seat["player"]["name"][-1]
        for pairing in body["pairings"]
        for seat in (pairing["first"], pairing["second"])
        if seat
    }


@pytest.mark.parametrize("action", ["check-in", "check-out"])
def test_permissions(everyone: dict[str, Person], event: Event, action: str) -> None:
    found = statuses(everyone, "POST", f"{entry_path(event, 'Ada')}/{action}")
    assert found == {"organiser": 200, "player": 200, "stranger": 403, "anonymous": 401}


def test_the_check_in_of_an_event(organiser: Person, event: Event) -> None:
    check_in(organiser, event, "Ada", "Player 1", "Player 2", "Player 3")
    organiser.post(f"{entry_path(event, 'Player 3')}/check-out")
    event.step("start")

    assert paired(organiser, event, 1) == {"a", "1", "2"}
    check_in(organiser, event, "Player 3")
    assert paired(organiser, event, 1) == {"a", "1", "2", "3"}
    event.play(1)
    check_in(organiser, event, "Player 4")
    assert paired(organiser, event, 2) == {"a", "1", "2", "3", "4"}
    assert verify() == []


def test_the_check_in_of_each_round(organiser: Person, event: Event) -> None:
    organiser.patch(event.path, {"check_in": "round"})
    check_in(organiser, event, "Ada", "Player 1", "Player 2", "Player 3", "Player 4")
    event.step("start").play(1)

    check_in(organiser, event, "Ada", "Player 2", "Player 3")

    assert paired(organiser, event, 2) == {"a", "2", "3"}
    assert organiser.get(entry_path(event, "Ada")).json()["checked_in_round"] == 2
    assert organiser.get(entry_path(event, "Player 1")).json()["checked_in_round"] == 1
    assert verify() == []


def test_who_checks_out_blocks_the_draft(organiser: Person, event: Event) -> None:
    check_in(organiser, event, "Ada", "Player 1", "Player 2", "Player 3")
    event.step("start").draft(1)

    organiser.post(f"{entry_path(event, 'Player 1')}/check-out")

    problem_in(organiser.post(f"{event.path}/rounds/1/publish"), 409, "acceptance_needed")


def test_everybody_sees_who_is_there(
    organiser: Person, ada: Person, anonymous: Person, event: Event
) -> None:
    check_in(organiser, event, "Ada", "Player 1")
    path = f"{event.path}/entries"

    for person in (organiser, ada, anonymous):
        rows = person.get(path).json()["results"]
        assert [row["checked_in_round"] for row in rows] == [1, 1, None, None, None]


def test_a_repeated_check_in_changes_nothing(organiser: Person, event: Event) -> None:
    check_in(organiser, event, "Ada")
    lines = JournalLine.objects.count()
    check_in(organiser, event, "Ada")
    assert JournalLine.objects.count() == lines


def test_a_dry_run(organiser: Person, event: Event) -> None:
    path = entry_path(event, "Ada")
    assert organiser.post(f"{path}/check-in?dry_run=1").json()["checked_in_round"] == 1
    assert organiser.get(path).json()["checked_in_round"] is None


def test_what_cannot_check_in(organiser: Person, event: Event) -> None:
    path = entry_path(event, "Ada")
    organiser.post(f"{path}/withdraw")
    problem_in(organiser.post(f"{path}/check-in"), 409, "not_accepted")
    organiser.patch(event.path, {"check_in": "none"})
    problem_in(organiser.post(f"{path}/check-in"), 409, "no_check_in")


def test_a_league_has_no_check_in(organiser: Person, event: Event) -> None:
    changes = {"system": "round-robin", "rounds": 5, "system_options": {"schedule": "league"}}
    problem_in(organiser.patch(event.path, changes), 422, "no_check_in")


@pytest.mark.parametrize("players", [1, 3])
def test_the_check_in_of_all_takes_few_queries_and_can_be_undone(
    client: Client,
    organiser: Person,
    players: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser, slug="all", system="dutch", check_in="round")
    here, *absent = event.enter(*make_players(players + 1))
    event.step("open")
    organiser.post(f"{event.path}/entries/{here.pk}/check-in")
    client.force_login(organiser.account)
    page = "/e/all/run/check-in"

    with django_assert_num_queries(19):
        done = client.post(page, {"action": "all"})

    assert done.status_code == 303
    present = event.tournament.entries.filter(checked_in_round=1)
    assert present.count() == players + 1
    kinds = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    assert kinds.filter(kind="entry.checked_in").count() == players + 1

    late = absent.pop()
    organiser.post(f"{event.path}/entries/{late.pk}/check-out")
    organiser.post(f"{event.path}/entries/{late.pk}/check-in")
    notice = client.get(done["Location"])
    undo = notice.context["undo"]
    assert (undo.action, "Undo" in notice.content.decode()) == ("undo-all", True)

    undone = client.post(page, {"action": undo.action, **undo.fields})

    assert undone.status_code == 303
    assert set(present.values_list("pk", flat=True)) == {here.pk, late.pk}
    assert verify() == []
    assert client.post(page, {"action": "undo-all", "first": "x"}).status_code == 400
