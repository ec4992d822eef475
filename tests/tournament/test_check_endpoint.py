"""`/tournaments/{slug}/rounds/{n}/check`, and rules that give way on the organiser's word."""

from typing import Any

import pytest

from games.models import JournalLine
from games.services.rulings import rule_game
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, problem_in, statuses
from tournament.models import Bye, Entry, Pairing, Round
from tournament.pairing import certificates as pure

pytestmark = pytest.mark.django_db


def checked(who: Person, event: Event, number: int) -> dict[str, Any]:
    answer = who.post(f"{event.path}/rounds/{number}/check")
    assert answer.status_code == 200
    return answer.json()


def codes(found: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(item["code"], item["blocks"]) for item in found["items"]]


def test_who_may(everyone: dict[str, Person], organiser: Person) -> None:
    event = make_running(organiser, 4)
    found = statuses(everyone, "POST", f"{event.path}/rounds/1/check")
    assert found == {"organiser": 200, "player": 403, "stranger": 403, "anonymous": 401}
    problem_in(organiser.post(f"{event.path}/rounds/9/check"), 404)


def test_nothing_is_in_the_way(organiser: Person) -> None:
    event = make_running(organiser, 4)
    assert checked(organiser, event, 1) == {
        "round": 1,
        "ready": True,
        "items": [],
        "bye": None,
        "relax": [],
        "relaxations": [],
    }


def test_what_is_good_to_know(organiser: Person) -> None:
    event = make_running(organiser, 7)
    entries = list(event.tournament.entries.order_by("pairing_number"))
    Bye.objects.create(tournament=event.tournament, entry=entries[1], round=1, kind="half-bye")
    Entry.objects.filter(pk=entries[6].pk).update(state="withdrawn")
    (late,) = make_players(1, first_rating=1000)
    waiting = Entry.objects.create(tournament=event.tournament, player=late)

    found = checked(organiser, event, 1)

    assert codes(found) == [("unnumbered", False), ("absent", False), ("odd_number", False)]
    unnumbered, absent, odd = found["items"]
    assert unnumbered["entries"] == [waiting.pk]
    assert (absent["players"], absent["counts"]) == ([2, 7], {"half-bye": 1, "not-playing": 1})
    assert (found["ready"], found["bye"]) == (True, 6)
    assert "6 would have the bye" in odd["detail"]
    organiser.post(f"{event.path}/rounds/1/pair")
    bye = Pairing.objects.get(kind="pairing-bye")
    assert bye.first.pairing_number == found["bye"]


def test_open_results_block_by_board(organiser: Person) -> None:
    event = make_running(organiser, 6)
    first, *_ = event.publish(1)
    rule_game(first, by=organiser.account, reason="seen", result="1-0")
    settle()

    found = checked(organiser, event, 2)

    assert [(i["code"], i.get("round"), i.get("board")) for i in found["items"]] == [
        ("round_open", 1, None),
        ("result_open", 1, 2),
        ("result_open", 1, 3),
    ]
    assert not found["ready"]


@pytest.mark.parametrize("state", ["published", "complete", "locked"])
def test_a_round_past_pairing_blocks(organiser: Person, state: str) -> None:
    event = make_running(organiser, 4)
    event.publish(1)
    Round.objects.filter(tournament=event.tournament, number=1).update(state=state)
    assert codes(checked(organiser, event, 1)) == [("wrong_state", True)]
    problem_in(organiser.post(f"{event.path}/rounds/1/pair"), 409, "wrong_state")


@pytest.mark.parametrize("state", ["review", "final", "archived", "cancelled"])
def test_an_event_that_does_not_run_blocks(organiser: Person, stranger: Person, state: str) -> None:
    event = make_running(organiser, 4)
    event.tournament.state = state
    event.tournament.save()
    assert codes(checked(organiser, event, 1)) == [("wrong_state", True)]
    problem_in(organiser.post(f"{event.path}/rounds/1/pair"), 409, "wrong_state")
    problem_in(stranger.post(f"{event.path}/rounds/1/pair"), 403, "role_missing")


def test_nothing_is_changed(organiser: Person) -> None:
    event = make_running(organiser, 3)
    before = (JournalLine.objects.count(), list(Round.objects.values()))
    checked(organiser, event, 1)
    assert before == (JournalLine.objects.count(), list(Round.objects.values()))
    assert not Pairing.objects.exists()


@pytest.fixture
def all_met(organiser: Person) -> Event:
    """Three players after three rounds: everybody has met, and has had the bye."""
    event = make_running(organiser, 3, rounds=4)
    for number in (1, 2, 3):
        event.play(number)
    return event


class TestWhatCouldGiveWay:
    def test_is_told_before_and_with_the_refusal(self, organiser: Person, all_met: Event) -> None:
        found = checked(organiser, all_met, 4)
        assert codes(found) == [("no_legal_pairing", True)]
        assert found["relax"] == ["second-bye", "rematch"]
        assert [one["code"] for one in found["relaxations"]] == found["relax"]
        assert found["items"][0]["players"] == [1, 2, 3]

        answer = organiser.post(f"{all_met.path}/rounds/4/pair")
        problem = problem_in(answer, 409, "no_legal_pairing")
        assert sorted(error["pairing_number"] for error in problem["errors"]) == [1, 2, 3]
        assert problem["relaxations"] == found["relaxations"]

    @pytest.mark.parametrize("relax", [[], ["rematch"], ["same-seats", "second-bye"]])
    def test_does_not_unasked(self, organiser: Person, all_met: Event, relax: list[str]) -> None:
        body = {"relax": relax, "reason": "the last round"}
        answer = organiser.post(f"{all_met.path}/rounds/4/pair", body)
        problem_in(answer, 409, "no_legal_pairing")

    def test_does_on_the_organisers_word(
        self, organiser: Person, anonymous: Person, all_met: Event
    ) -> None:
        path = f"{all_met.path}/rounds/4"
        found = checked(organiser, all_met, 4)
        body = {"relax": ["rematch", "second-bye", "same-seats"], "reason": "the last round"}
        dry = organiser.post(f"{path}/pair?dry_run=1", body).json()
        answer = organiser.post(f"{path}/pair", body)

        shown = answer.json()
        assert answer.status_code == 200
        assert dry == shown
        assert (shown["relaxed"], shown["reason"]) == (["second-bye", "rematch"], "the last round")
        line = JournalLine.objects.select_related("payload").filter(kind="round.paired").last()
        entries = all_met.tournament.entries.order_by("pairing_number").values_list("pk", flat=True)
        assert line.payload.body["relaxed"] == [
            {
                "code": finding["code"],
                "entries": [entries[number - 1] for number in finding["players"]],
                "values": finding["values"],
            }
            for finding in found["relaxations"]
        ]
        assert line.payload.body["reason"] == "the last round"
        assert anonymous.get(path).json()["relaxed"] == []
        organiser.post(f"{path}/publish")
        assert anonymous.get(path).json()["relaxed"] == ["second-bye", "rematch"]
        text = anonymous.get(f"{all_met.path}/certificates/4").content.decode()
        certificate = pure.Certificate.parse(text)
        assert certificate.exempt_byes
        assert certificate.exempt
        assert certificate.find_faults() == ()

    def test_needs_a_reason(self, organiser: Person, all_met: Event) -> None:
        answer = organiser.post(f"{all_met.path}/rounds/4/pair", {"relax": ["rematch"]})
        problem = problem_in(answer, 422, "reason_needed")
        assert problem["errors"][0]["pointer"] == "/reason"

    @pytest.mark.parametrize("relax", ["rematch", ["luck"], [["rematch"]], [1], {"rematch": True}])
    def test_is_a_word_of_the_list(self, organiser: Person, all_met: Event, relax: object) -> None:
        body = {"relax": relax, "reason": "x"}
        problem_in(organiser.post(f"{all_met.path}/rounds/4/pair", body), 422, "invalid")

    def test_is_not_used_where_the_rules_hold(self, organiser: Person) -> None:
        event = make_running(organiser, 4)
        body = {"relax": ["rematch"], "reason": "to be safe"}
        shown = organiser.post(f"{event.path}/rounds/1/pair", body).json()
        assert (shown["relaxed"], shown["reason"]) == ([], "")

    def test_is_forgotten_with_the_pairing(self, organiser: Person, all_met: Event) -> None:
        path = f"{all_met.path}/rounds/4"
        body = {"relax": ["second-bye", "rematch"], "reason": "the last round"}
        organiser.post(f"{path}/pair", body)
        assert organiser.post(f"{path}/unpair").json()["relaxed"] == []

    def test_names_the_separations_that_cannot_hold(self, organiser: Person) -> None:
        players = make_players(2)
        apart = [{"by": "players", "players": [one.pk for one in players], "preference": False}]
        event = make_event(organiser, system="dutch")
        event.enter(*players)
        organiser.patch(event.path, {"separations": apart})
        event.step("open", "start")

        found = checked(organiser, event, 1)

        assert codes(found) == [("no_legal_pairing", True), ("forbidden_pair", True)]
        assert found["items"][1]["players"] == [1, 2]
        assert found["relax"] == ["forbidden-pairs"]

    def test_a_schedule_has_nothing_that_could(self, organiser: Person) -> None:
        event = make_running(organiser, 4, system="round-robin")
        assert checked(organiser, event, 1)["ready"]
