"""Withdraw now or from a later round, with a reason, and return; drafts with absent players."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, make_player, player_of, problem_in
from tests.tournament.events.test_verify_state import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Six players after the first of four rounds."""
    event = make_event(organiser, system="dutch", rounds=4)
    event.enter(*make_players(6))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def path(event: Event) -> str:
    """The address of the entry of Player 2."""
    return f"{event.path}/entries/{event.tournament.entries.get(player__name='Player 2').pk}"


def is_paired(person: Person, event: Event, number: int) -> bool:
    pairings = person.get(f"{event.path}/rounds/{number}/pairings").json()["pairings"]
    return "Player 2" in str(pairings)


def test_withdrawn_from_a_later_round(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    body = organiser.post(f"{path}/withdraw", {"from_round": 3, "reason": "a flight"}).json()

    assert (body["state"], body["last_round"]) == ("accepted", 2)
    assert anonymous.get(path).json()["last_round"] == 2
    assert JournalLine.objects.order_by("-pk")[0].payload.body["reason"] == "a flight"
    event.play(2)
    event.play(3)
    assert [is_paired(organiser, event, number) for number in (2, 3)] == [True, False]
    assert verify() == []


def test_who_has_withdrawn_gets_no_bye_that_they_requested(
    organiser: Person, event: Event, path: str
) -> None:
    bye = {"entry": int(path.rpartition("/")[2]), "round": 2, "kind": "half-bye"}
    assert organiser.post(f"{event.path}/byes", bye).status_code == 201

    organiser.post(f"{path}/withdraw", {})
    event.play(2)

    assert not is_paired(organiser, event, 2)


def test_a_player_withdraws_and_sees_no_draft(event: Event, path: str) -> None:
    cleo = make_player("Cleo", 1000)
    event.enter(player_of(cleo))
    event.publish(2)
    event.enter(*make_players(1, 3000))  # now the pairing numbers of all others change
    event.finish(2)
    event.draft(3)
    entry = event.tournament.entries.get(player=player_of(cleo))

    body = cleo.post(f"{event.path}/entries/{entry.pk}/withdraw").json()

    assert (body["state"], body["number"]) == ("withdrawn", entry.pairing_number)
    assert (body["outdated"], body["warnings"]) == ({"cards": [], "sheets": []}, [])


def test_return_undoes_it(organiser: Person, event: Event, path: str) -> None:
    organiser.post(f"{path}/withdraw", {"from_round": 3})

    assert organiser.post(f"{path}/return").json()["last_round"] is None
    problem_in(organiser.post(f"{path}/return"), 409, "nothing_to_do")
    event.play(2)
    event.play(3)
    assert is_paired(organiser, event, 3)
    assert verify() == []


def test_the_next_round_means_now(organiser: Person, event: Event, path: str) -> None:
    body = organiser.post(f"{path}/withdraw", {"from_round": 2, "reason": "ill"}).json()

    assert (body["state"], body["last_round"]) == ("withdrawn", None)
    assert verify() == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"from_round": 5}, "no_such_round"),
        ({"from_round": 0}, "invalid"),
        ({"from_round": "3"}, "invalid"),
        ({"from_round": "soon"}, "invalid"),
        ({"reason": "x" * 241}, "invalid"),
        ({"form_round": 3}, "unknown_member"),
    ],
)
def test_an_invalid_body(organiser: Person, path: str, body: Any, code: str) -> None:
    problem_in(organiser.post(f"{path}/withdraw", body), 422, code)


class TestDrafts:
    """A draft that pairs a player who cannot play is not published as it is."""

    def test_the_withdrawal_warns_and_the_publication_asks(
        self, organiser: Person, event: Event, path: str
    ) -> None:
        event.draft(2)
        number = event.tournament.entries.get(player__name="Player 2").pairing_number

        (warning,) = organiser.post(f"{path}/withdraw").json()["warnings"]

        assert (warning["code"], warning["round"]) == ("player-absent", 2)
        assert warning["numbers"] == [number]
        check = organiser.post(f"{event.path}/rounds/2/check").json()
        assert [item["rule"] for item in check["items"] if "rule" in item] == ["player-absent"]
        problem = problem_in(
            organiser.post(f"{event.path}/rounds/2/publish"), 409, "acceptance_needed"
        )
        assert problem["accept"] == ["player-absent"]
        event.draft(2)
        assert organiser.post(f"{event.path}/rounds/2/publish").status_code == 200
        assert not is_paired(organiser, event, 2)

    def test_the_director_can_publish_it_all_the_same(
        self, organiser: Person, anonymous: Person, event: Event, path: str
    ) -> None:
        event.draft(2)
        organiser.post(f"{path}/withdraw")

        body = {"accept": ["player-absent"]}
        published = organiser.post(f"{event.path}/rounds/2/publish", body).json()

        assert published["relaxed"] == ["player-absent"]
        assert is_paired(anonymous, event, 2)
        assert verify() == []

    def test_a_pairing_bye_of_a_withdrawn_player_asks_too(
        self, organiser: Person, event: Event, path: str
    ) -> None:
        organiser.post(f"{path}/withdraw")
        draft = organiser.post(f"{event.path}/rounds/2/pair").json()["pairings"]
        (entry,) = (p["first"]["entry"] for p in draft if p["kind"] == "pairing-bye")

        body = organiser.post(f"{event.path}/entries/{entry}/withdraw").json()

        assert [warning["code"] for warning in body["warnings"]] == ["player-absent"]

    def test_a_board_changed_by_hand_leaves_the_others_to_check(
        self, organiser: Person, event: Event, path: str
    ) -> None:
        draft = organiser.post(f"{event.path}/rounds/2/pair").json()["pairings"]
        board = next(p for p in draft if p["board"] and "Player 2" not in str(p))
        change = {
            "board": board["board"],
            "first": board["second"]["entry"],
            "second": board["first"]["entry"],
        }
        organiser.patch(f"{event.path}/rounds/2/pairings", {"reason": "seats", "boards": [change]})

        warnings = organiser.post(f"{path}/withdraw").json()["warnings"]

        assert "player-absent" in [warning["code"] for warning in warnings]

    def test_a_player_without_a_board_in_the_draft_warns_of_nothing(
        self, organiser: Person, event: Event, path: str
    ) -> None:
        organiser.put(f"{path}/availability", {"2": "zero-bye"})
        event.draft(2)
        assert organiser.post(f"{path}/withdraw").json()["warnings"] == []

    def test_a_schedule_pairs_absent_players(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="round-robin")
        entry, *_ = event.enter(*make_players(4))
        event.step("open", "start").draft(1)

        body = organiser.post(f"{event.path}/entries/{entry.pk}/withdraw").json()

        assert body["warnings"] == []
        assert organiser.post(f"{event.path}/rounds/1/publish").status_code == 200
