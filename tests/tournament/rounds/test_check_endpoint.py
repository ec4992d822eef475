"""`/tournaments/{slug}/rounds/{n}/check`, and rules that the organiser relaxes."""

from typing import Any

import pytest

from games.models import JournalLine, Player
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, problem_in
from tests.tournament.conftest import login
from tournament.core.queries import load_separations
from tournament.core.references import entry_reference
from tournament.models import Bye, Entry, Pairing
from tournament.pairing import certificates as pure

pytestmark = pytest.mark.django_db


def check(who: Person, event: Event, number: int) -> dict[str, Any]:
    response = who.post(f"{event.path}/rounds/{number}/check")
    assert response.status_code == 200
    return response.json()


def codes(found: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(item["code"], item["blocks"]) for item in found["items"]]


def test_nobody_to_pair(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.tournament.entries.update(state="withdrawn")
    found = check(organiser, event, 1)
    assert (found["ready"], ("nobody_to_pair", True) in codes(found)) == (False, True)
    lines = JournalLine.objects.count()
    for address in ("pair", "pair?dry_run=1"):
        problem_in(organiser.post(f"{event.path}/rounds/1/{address}"), 409, "nobody_to_pair")
    assert JournalLine.objects.count() == lines


def bye_in_round_2(event: Event, *numbers: int) -> None:
    for entry in event.tournament.entries.filter(pairing_number__in=numbers):
        Bye.objects.create(tournament=event.tournament, entry=entry, round=2, kind="half_bye")


def test_a_round_in_which_everybody_has_a_bye(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.play(1)
    bye_in_round_2(event, 1, 2, 3, 4)
    found = check(organiser, event, 2)
    detail = "no player plays in round 2: 4 have asked for a bye; cancel byes, or set fewer rounds"
    assert [i["detail"] for i in found["items"] if i["blocks"]] == [detail]
    problem = problem_in(organiser.post(f"{event.path}/rounds/2/pair"), 409, "nobody_to_pair")
    assert problem["detail"] == detail


def test_a_round_of_one_player(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.play(1)
    bye_in_round_2(event, 2, 3)
    event.tournament.entries.filter(pairing_number=4).update(state="withdrawn")
    found = check(organiser, event, 2)
    assert (found["ready"], found["bye"]["number"]) == (True, 1)
    assert codes(found) == [("absent", False), ("one_player", False)]
    assert found["items"][1]["detail"] == (
        "Player 1 is the only player in round 2: they have the bye, and no game is played"
    )


def test_the_open_game_of_players_who_have_left_names_them(organiser: Person) -> None:
    event = make_running(organiser, 6)
    event.publish(1)
    left = event.tournament.entries.filter(pairing_number__in=(1, 2, 4))
    left.update(state="withdrawn")
    place = "round 1, board"
    expected = [
        ([1, 4], f"{place} 1: the result is open; Player 1 and Player 4 have withdrawn: if they "
         "did not play, enter that neither appeared"),
        ([5, 2], f"{place} 2: the result is open; Player 2 has withdrawn: if they did not play, "
         "enter that they did not appear"),
        ([3, 6], f"{place} 3: the result is open"),
    ]  # fmt: skip
    found = check(organiser, event, 2)["items"]
    items = [item for item in found if item["code"] == "result_open"]
    assert [(item["numbers"], item["detail"]) for item in items] == expected
    problem = problem_in(organiser.post(f"{event.path}/rounds/1/complete"), 409, "results_open")
    assert [(error["numbers"], error["detail"]) for error in problem["errors"]] == expected
    assert problem["detail"] == (
        "round 1 has open results; boards: 1, 2, 3 (withdrawn: Player 1, Player 4, Player 2)"
    )


def test_open_results_and_a_published_round_block(organiser: Person) -> None:
    event = make_running(organiser, 6)
    assert check(organiser, event, 1) == {
        "round": 1, "ready": True, "items": [], "bye": None, "relax": [], "relaxations": [],
    }  # fmt: skip
    first, *_ = event.publish(1)
    assert codes(check(organiser, event, 1)) == [("wrong_state", True)]
    rule_game(first, by=organiser.account, reason="seen", result="1-0")
    settle()

    found = check(organiser, event, 2)

    assert [(i["code"], i.get("round"), i.get("board")) for i in found["items"]] == [
        ("round_open", 1, None),
        ("result_open", 1, 2),
        ("result_open", 1, 3),
    ]
    assert not found["ready"]


def test_items_for_information(organiser: Person) -> None:
    event = make_running(organiser, 7)
    entries = list(event.tournament.entries.order_by("pairing_number"))
    Bye.objects.create(tournament=event.tournament, entry=entries[1], round=1, kind="half_bye")
    Entry.objects.filter(pk=entries[6].pk).update(state="withdrawn")
    (late,) = make_players(1, first_rating=1000)
    waiting = Entry.objects.create(tournament=event.tournament, ordinal=99, player=late)
    (refused,) = make_players(1)
    Entry.objects.create(tournament=event.tournament, ordinal=98, player=refused, state="refused")

    found = check(organiser, event, 1)

    assert codes(found) == [("unnumbered", False), ("absent", False), ("odd_number", False)]
    unnumbered, absent, odd = found["items"]
    assert unnumbered["entries"] == [entry_reference(waiting)]
    assert (absent["numbers"], absent["counts"]) == ([2, 7], {"half_bye": 1, "not_playing": 1})
    assert (found["ready"], found["bye"]["number"]) == (True, 6)
    assert "6 would have the bye" in odd["detail"]
    organiser.post(f"{event.path}/rounds/1/pair")
    bye = Pairing.objects.get(kind="pairing_bye")
    assert found["bye"] == entry_reference(bye.first)


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """Three players after three rounds: all have met and have had the bye."""
    event = make_running(organiser, 3, rounds=4)
    for number in (1, 2, 3):
        event.play(number)
    return {"all_met": event}


@pytest.fixture
def all_met(start: dict[str, Any]) -> Event:
    return start["all_met"]


class TestRelaxations:
    def test_are_in_the_check_and_in_the_rejection(self, organiser: Person, all_met: Event) -> None:
        found = check(organiser, all_met, 4)
        assert codes(found) == [("too_many_rounds", False), ("no_legal_pairing", True)]
        assert found["relax"] == ["second_bye", "rematch"]
        assert [finding["code"] for finding in found["relaxations"]] == found["relax"]
        assert found["items"][1]["numbers"] == [1, 2, 3]

        response = organiser.post(f"{all_met.path}/rounds/4/pair")
        problem = problem_in(response, 409, "no_legal_pairing")
        assert sorted(error["number"] for error in problem["errors"]) == [1, 2, 3]
        assert problem["relaxations"] == found["relaxations"]

    @pytest.mark.parametrize("relax", [["rematch"], ["same_seats", "second_bye"]])
    def test_are_not_used_without_permission(
        self, organiser: Person, all_met: Event, relax: list[str]
    ) -> None:
        body = {"relax": relax, "reason": "the last round"}
        response = organiser.post(f"{all_met.path}/rounds/4/pair", body)
        problem_in(response, 409, "no_legal_pairing")

    def test_are_used_with_permission(
        self, organiser: Person, anonymous: Person, all_met: Event
    ) -> None:
        path = f"{all_met.path}/rounds/4"
        found = check(organiser, all_met, 4)
        body = {"relax": ["rematch", "second_bye", "same_seats"], "reason": "the last round"}
        dry = organiser.post(f"{path}/pair?dry_run=1", body).json()
        response = organiser.post(f"{path}/pair", body)

        body = response.json()
        assert response.status_code == 200
        assert dry == {"dry_run": True, **body}
        assert (body["relaxed"], body["reason"]) == (["second_bye", "rematch"], "the last round")
        line = JournalLine.objects.select_related("payload").filter(kind="round.paired").last()
        entries = all_met.tournament.entries.order_by("pairing_number").values_list("pk", flat=True)
        assert line.payload.body["relaxed"] == [
            {
                "code": finding["code"],
                "entries": [entries[number - 1] for number in finding["numbers"]],
                "values": finding["values"],
            }
            for finding in found["relaxations"]
        ]
        assert line.payload.body["reason"] == "the last round"
        assert anonymous.get(path).json()["relaxed"] == []
        organiser.post(f"{path}/publish")
        assert anonymous.get(path).json()["relaxed"] == ["second_bye", "rematch"]
        text = anonymous.get(f"{all_met.path}/rounds/4/certificate").content.decode()
        certificate = pure.RoundCertificate.parse(text)
        assert certificate.exempt_byes
        assert certificate.exempt
        assert certificate.find_faults() == ()

    def test_need_a_reason(self, organiser: Person, all_met: Event) -> None:
        response = organiser.post(f"{all_met.path}/rounds/4/pair", {"relax": ["rematch"]})
        problem = problem_in(response, 422, "reason_needed")
        assert problem["errors"][0]["pointer"] == "/reason"

    def test_are_not_used_if_there_is_a_legal_pairing(self, organiser: Person) -> None:
        event = make_running(organiser, 4)
        body = {"relax": ["rematch"], "reason": "to be safe"}
        body = organiser.post(f"{event.path}/rounds/1/pair", body).json()
        assert (body["relaxed"], body["reason"]) == ([], None)

    def test_name_who_is_kept_apart_and_is_not_in_the_event(self, organiser: Person) -> None:
        event = make_running(organiser, 4)
        entered = event.tournament.entries.order_by("pairing_number")
        inside, merged = (entry.player_id for entry in entered[:2])
        other, outside = make_players(2)
        Player.objects.filter(pk=merged).update(merged_into=other)
        apart = [
            {"by": "players", "players": [inside, other.pk]},
            {"by": "players", "players": [inside, outside.pk]},
        ]
        answer = organiser.patch(event.path, {"separations": apart}).json()
        detail = f"players are kept apart who are not in the event: {outside.name} #{outside.pk}"
        assert answer["warnings"] == [{"code": "separated_outsiders", "detail": detail}]

        items = check(organiser, event, 1)["items"]
        event.tournament.refresh_from_db()

        assert [item["detail"] for item in items] == [detail]
        assert [item.players for item in load_separations(event.tournament)] == [{1, 2}, {1}]
        page = login(organiser).get(f"/e/{event.tournament.slug}/run/separations")
        assert f"{outside.name} #{outside.pk}</li>" in page.content.decode()

    def test_name_the_separations_that_cannot_hold(self, organiser: Person) -> None:
        players = make_players(2)
        apart = [
            {"by": "players", "players": [player.pk for player in players], "preference": False}
        ]
        event = make_event(organiser, system="dutch", rounds=1)
        event.enter(*players)
        organiser.patch(event.path, {"separations": apart})
        event.step("open", "start")

        found = check(organiser, event, 1)

        assert codes(found) == [("no_legal_pairing", True), ("forbidden_pair", True)]
        assert found["items"][1]["numbers"] == [1, 2]
        assert found["relax"] == ["forbidden_pairs"]
