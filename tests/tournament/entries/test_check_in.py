"""The check-in: a player who has not checked in is not paired."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.queries import absent_entries, is_present
from tournament.models import Tournament

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
        for pairing in body["rows"]
        for seat in (pairing["first"], pairing["second"])
        if seat
    }


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

    assert absent_entries(event.tournament).count() == 2
    assert absent_entries(event.tournament, 1).count() == 3  # who has checked in again
    ada = event.tournament.entries.get(player__name="Ada")
    one = event.tournament.entries.get(player__name="Player 1")
    present = [is_present(entry, number) for entry in (ada, one) for number in (None, 1, 2)]
    assert present == [True, False, True, False, True, False]
    assert paired(organiser, event, 2) == {"a", "2", "3"}
    check_in(organiser, event, "Player 1")  # also while the round is a draft
    assert organiser.get(entry_path(event, "Player 1")).json()["checked_in_round"] == 2
    organiser.post(f"{entry_path(event, 'Player 1')}/check-out")
    assert organiser.get(entry_path(event, "Ada")).json()["checked_in_round"] == 2
    assert verify() == []


def test_who_checks_out_blocks_the_draft(organiser: Person, event: Event) -> None:
    event.step("start")
    nobody = problem_in(organiser.post(f"{event.path}/rounds/1/pair"), 409, "nobody_to_pair")
    assert "5 have not checked in" in nobody["detail"]
    check_in(organiser, event, "Ada", "Player 1", "Player 2", "Player 3")
    event.draft(1)

    organiser.post(f"{entry_path(event, 'Player 1')}/check-out")

    problem_in(organiser.post(f"{event.path}/rounds/1/publish"), 409, "acceptance_needed")


def test_each_check_in_and_check_out_has_one_line(organiser: Person, event: Event) -> None:
    path = entry_path(event, "Ada")
    for action in ("check-in", "check-in", "check-out", "check-out"):
        number = 1 if action == "check-in" else None
        assert organiser.post(f"{path}/{action}").json()["checked_in_round"] == number
    lines = JournalLine.objects.filter(kind__startswith="entry.checked").order_by("sequence")
    assert [(line.kind, line.payload.body["checked_in_round"]) for line in lines] == [
        ("entry.checked_in", 1), ("entry.checked_out", None),
    ]  # fmt: skip
    assert verify() == []


def test_what_cannot_check_in(organiser: Person, event: Event) -> None:
    path = entry_path(event, "Ada")
    organiser.post(f"{path}/withdraw")
    problem_in(organiser.post(f"{path}/check-in"), 409, "not_accepted")
    assert absent_entries(event.tournament).count() == 4  # who has withdrawn is not missing
    organiser.patch(event.path, {"check_in": "none"})
    problem_in(organiser.post(f"{path}/check-in"), 409, "no_check_in")
    event.tournament.refresh_from_db()
    assert absent_entries(event.tournament).count() == 0


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

    late = absent.pop(0)  # the last one is undone
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
    Tournament.objects.update(state="final")
    assert client.get(done["Location"]).context["undo"] is None


def test_the_page_lists_who_is_missing_by_name_and_goes_on_to_the_next(
    director: Client, event: Event
) -> None:
    for name in ("Zoe", "Étoile", "de Wit"):
        event.enter(Player.objects.create(name=name))
    page = "/e/spring/run/check-in"

    def names(group: str) -> list[str]:
        return [row["name"] for row in director.get(page).context[group]]

    in_order = ["Ada", "de Wit", "Étoile", *(f"Player {number}" for number in range(1, 5)), "Zoe"]
    assert names("missing") == in_order
    form = {"action": "check-in", "entry_id": "", "if_match": "*"}
    following = {"de Wit": "Étoile", "Zoe": "Ada"}
    for name, other in following.items():
        entry = event.tournament.entries.get(player__name=name)
        done = director.post(page, form | {"entry_id": str(entry.pk)})
        shown = director.get(done["Location"])
        assert shown.context["following"]["name"] == other
        assert f"{name} is checked in." in shown.content.decode()
    assert names("present") == ["de Wit", "Zoe"]
    undo = shown.context["undo"]
    assert director.post(page, {"action": undo.action, **undo.fields}).status_code == 303
    assert names("present") == ["de Wit"]
    Tournament.objects.update(state="final")
    refused = director.get(f"{page}?entry={entry.pk}&done=check-out")
    assert refused.context["undo"] is None
    assert "Spring Open has the state final; this is possible only in" in refused.content.decode()
    Tournament.objects.update(check_in="none")
    assert "This event has no check-in" in director.get(page).content.decode()
