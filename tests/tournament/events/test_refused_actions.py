"""Refusals list the allowed actions of their object."""

from itertools import islice

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in
from tests.tournament.actions import (
    ENTRY_CALLS,
    GAME_CALLS,
    compare_actions,
    list_allowed,
    objects_of,
    states_of,
)
from tournament.models import Entry


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_event(organiser, rounds=2)
    event.enter(player_of(ada))
    return event


@pytest.fixture
def entry(event: Event) -> Entry:
    return event.tournament.entries.get()


def test_a_late_entry_is_accepted_while_a_round_can_pair_it(
    event: Event, entry: Entry, organiser: Person
) -> None:
    event.enter(*make_players(4))
    event.step("open")
    path = f"{event.path}/entries/{entry.pk}"
    organiser.post(f"{path}/refuse")
    event.step("start")
    late = list_allowed(compare_actions(organiser, path, ENTRY_CALLS))
    event.play(1)
    event.publish(2)

    assert late == "edit! approve wait return availability"
    assert list_allowed(compare_actions(organiser, path, ENTRY_CALLS)) == "edit! wait"


def test_a_bye_of_a_paired_round_cannot_be_cancelled(
    event: Event, entry: Entry, organiser: Person
) -> None:
    event.enter(*make_players(1))
    body = {"entry_id": entry.pk, "round": 1, "kind": "zero_bye"}
    bye = organiser.post(f"{event.path}/byes", body).json()
    event.step("open", "start").draft(1)

    response = organiser.delete(f"{event.path}/byes/{bye['id']}")

    problem = problem_in(response, 409, "round_paired")
    reason = {"code": "round_paired", "reason": "round 1 is already paired"}
    expected = [{"operation": "cancel_bye", "level": "forbidden", **reason}]
    assert problem["allowed_actions"] == expected


def test_a_stale_write_lists_the_allowed_actions(
    event: Event, entry: Entry, organiser: Person, ada: Person
) -> None:
    *_, (_, game) = islice(states_of(event, ada), 6)
    stale = {"event": "edit", "entry": "withdraw", "round 1": "unpair", "game": "annul"}

    objects = objects_of(event, entry, game)
    for name, action in stale.items():
        path, calls = objects[name]
        actions = organiser.get(f"{path}?actions=1").json()["allowed_actions"]
        method, suffix, body = calls[action]
        response = organiser.send(method, f"{path}{suffix}", body, If_Match='"1.7.0"')
        assert problem_in(response, 412, "stale")["allowed_actions"] == actions


def test_a_merged_player_is_the_one_they_merged_into(event: Event, ada: Person) -> None:
    *_, (_, game) = islice(states_of(event, ada), 6)
    kept = make_person("Kim")
    player = Player.objects.create(name="Kim", account=kept.account)
    Player.objects.filter(pk=player_of(ada).pk).update(merged_into=player, account=None)

    actions = compare_actions(kept, f"games/{game.pk}", GAME_CALLS)

    assert list_allowed(actions) == "report"
