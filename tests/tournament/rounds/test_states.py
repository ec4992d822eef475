"""What the state of a round, of its event, and of the other rounds allows."""

from typing import Any

import pytest

from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, make_person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Round, Tournament
from tournament.rounds.states import ROUND_RULES, find_round_conflicts, round_actions

pytestmark = pytest.mark.django_db
ROUNDS = {
    "edit": "planned drafted published",
    "pair": "planned drafted",
    "set_pairings": "planned drafted",
    "change_boards": "drafted published",
    "publish": "drafted",
    "unpair": "drafted published complete",
    "restore": "planned drafted published complete",
    "enter_results": "published complete",
    "complete": "published",
    "reopen": "complete",
}
EVENTS = {"edit": "draft registration running", "enter_results": "running review"}
"""The states of the event, which is running for the other actions."""


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Four players of three rounds, of which two are complete."""
    event = make_running(make_person("Olga"), 4)
    event.play(1)
    event.play(2)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def refusals(this_round: Round, action: str) -> list[str]:
    return [conflict.code for conflict in find_round_conflicts(this_round, action)]


def test_each_action_in_each_state(event: Event) -> None:
    this_round = event.tournament.round_set.get(number=1)
    allowed: dict[str, str] = {}
    in_events: dict[str, str] = {}
    for action in ROUND_RULES:
        found = []
        for this_round.state in Round.State.values:
            if "wrong_state" not in refusals(this_round, action):
                found.append(this_round.state)
        allowed[action] = " ".join(found)
        this_round.state = found[0]
        events = []
        for this_round.tournament.state in Tournament.State.values:
            if "wrong_state" not in refusals(this_round, action):
                events.append(this_round.tournament.state)
        this_round.tournament.state = "running"
        in_events[action] = " ".join(events)
    assert allowed == ROUNDS
    assert in_events == dict.fromkeys(ROUNDS, "running") | EVENTS


@pytest.mark.parametrize("state", ["planned", "drafted", "published"])
def test_the_next_round_waits_until_the_earlier_ones_are_complete(event: Event, state: str) -> None:
    third = event.tournament.round_set.get(number=3)
    needing = {name for name in ROUNDS if "round_open" in refusals(third, name)}
    assert needing == set()
    event.tournament.round_set.filter(number=2).update(state="locked")
    assert "round_open" not in refusals(third, "pair")
    event.tournament.round_set.filter(number=1).update(state=state)
    needing = {name for name in ROUNDS if "round_open" in refusals(third, name)}
    assert needing == {"pair", "set_pairings", "change_boards", "publish", "restore", "complete"}


def test_a_published_round_keeps_the_results_that_it_depends_on(event: Event) -> None:
    first = event.tournament.round_set.get(number=1)
    needing = {name for name in ROUNDS if "later_round_published" in refusals(first, name)}
    assert needing == {"unpair", "restore", "reopen"}
    second = event.tournament.round_set.get(number=2)
    event.draft(3)
    assert [name for name in ROUNDS if "later_round_published" in refusals(second, name)] == []


def test_rounds_of_a_league_depend_on_no_others(organiser: Person) -> None:
    options = {"schedule": "league"}
    event = make_running(
        organiser, 4, slug="league", system="round-robin", rounds=3, system_options=options
    )
    for this_round in event.tournament.round_set.all():
        assert set(refusals(this_round, "complete")) == {"results_open"}
        assert refusals(this_round, "unpair") == []


def test_what_needs_a_reason(event: Event) -> None:
    this_round = event.tournament.round_set.get(number=2)
    found: dict[str, set[str]] = {}
    for state in ("drafted", "published", "complete"):
        this_round.state = state
        rows = round_actions(this_round, dict.fromkeys(("rounds.edit", "game.rule")))
        found[state] = {name for name, row in rows.items() if row["level"] == "unsafe"}
    assert found == {
        "drafted": {"set_pairings", "change_boards"},
        "published": {"change_boards", "unpair"},
        "complete": {"unpair", "reopen"},
    }
    assert round_actions(this_round, {"rounds.edit": Exception(), "game.rule": Exception()}) == {}  # type: ignore[dict-item]


def test_a_round_needs_all_its_results(organiser: Person, event: Event) -> None:
    first, second = event.publish(3)
    problem = problem_in(organiser.post(f"{event.path}/rounds/3/complete"), 409, "results_open")
    assert [(error["round"], error["board"]) for error in problem["errors"]] == [(3, 1), (3, 2)]
    for state in ("open", "waiting", "disputed"):
        type(first).objects.filter(pk=first.pk).update(state="confirmed")
        type(second).objects.filter(pk=second.pk).update(state=state)
        problem = problem_in(organiser.post(f"{event.path}/rounds/3/complete"), 409, "results_open")
        assert [error["board"] for error in problem["errors"]] == [2]
    type(second).objects.filter(pk=second.pk).update(adjourned=True, state="open")
    assert organiser.post(f"{event.path}/rounds/3/complete?dry_run=1").status_code == 200


class TestNumberOfRounds:
    """The rounds of a running event are added and removed by its settings."""

    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        event = make_running(organiser, 5, slug="five", rounds=4)
        event.play(1)
        return event

    def change(self, event: Event, rounds: int) -> Any:
        return event.owner.patch(event.path, {"rounds": rounds, "reason": "a short day"})

    def rounds(self, event: Event) -> list[str]:
        return list(event.tournament.round_set.order_by("number").values_list("state", flat=True))

    def test_they_are_added_and_removed_with_their_byes(
        self, organiser: Person, event: Event
    ) -> None:
        organiser.patch(f"{event.path}/rounds/4", {"starts_at": "2026-05-02T10:00"})
        entry = event.tournament.entries.get(pairing_number=3)
        for number in (2, 3, 4):
            body = {"entry_id": entry.pk, "round": number, "kind": "zero_bye"}
            organiser.post(f"{event.path}/byes", body)
        for count in (3, 6, 1):
            assert self.change(event, count).json()["rounds"] == count
            assert self.rounds(event) == ["complete", *["planned"] * (count - 1)]
            byes = list(event.tournament.byes.values_list("round", flat=True))
            assert byes == ([] if count == 1 else [2, 3])
            assert verify() == []

    def test_one_that_was_published_stays_also_if_it_is_unpaired(
        self, organiser: Person, event: Event
    ) -> None:
        event.publish(2)
        organiser.post(f"{event.path}/rounds/2/unpair", {"reason": "a power cut"})

        assert problem_in(self.change(event, 1), 409, "round_published")["round"] == 2
        assert self.change(event, 2).status_code == 200

    def test_a_draft_is_not_removed(self, organiser: Person, event: Event) -> None:
        event.draft(2)
        assert problem_in(self.change(event, 1), 409, "round_drafted")["round"] == 2
        assert self.change(event, 3).status_code == 200
        organiser.post(f"{event.path}/rounds/2/unpair")
        assert self.change(event, 1).status_code == 200  # with the pairings of its old version
        assert verify() == []

    def test_players_are_told_why_it_changes(self, organiser: Person, event: Event) -> None:
        for name, code in (("started", 200), ("begun", 422)):
            other = make_running(organiser, 4, slug=name)
            if name == "begun":
                other.publish(1)
            assert organiser.patch(other.path, {"rounds": 5}).status_code == code

    def test_a_schedule_has_its_number(self, organiser: Person) -> None:
        event = make_running(organiser, 4, slug="other", system="round-robin", rounds=3)
        problem_in(self.change(event, 4), 409, "rounds_do_not_fit")

    def test_dated_rounds_are_planned_by_the_start(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", rounds=3)
        event.enter(*make_players(4))
        organiser.patch(f"{event.path}/rounds/2", {"starts_on": "2026-05-02"})
        event.step("open", "start")
        rows = event.tournament.round_set.order_by("number").values_list("number", "starts_on")
        assert [(number, str(day or "")) for number, day in rows] == [
            (1, ""), (2, "2026-05-02"), (3, ""),
        ]  # fmt: skip
        assert verify() == []
