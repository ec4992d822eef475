"""PATCH of an entry: freely before the start, later with a reason; ratings give new numbers."""

from typing import Any

import pytest

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, player_of, problem_in, statuses
from tests.tournament.events.test_verify_state import verify
from tournament.models import Entry

pytestmark = pytest.mark.django_db
REASON = {"reason": "the form had a slip of the pen"}


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """Five players, Ada first, before the first of six rounds."""
    event = make_event(organiser, system="dutch", rounds=6)
    event.enter(player_of(ada), *make_players(4))
    return event.step("open")


def entry_of(event: Event, name: str) -> Entry:
    return event.tournament.entries.get(player__name=name)


def path_of(event: Event, name: str) -> str:
    return f"{event.path}/entries/{entry_of(event, name).pk}"


def order(event: Event) -> str:
    """Return the last letters of the names by pairing number."""
    names = event.tournament.entries.order_by("pairing_number").values_list("player__name")
    return "".join(name[-1] for (name,) in names)


def test_permissions(everyone: dict[str, Person], event: Event) -> None:
    found = statuses(everyone, "PATCH", path_of(event, "Ada"), {"seed_rating": 1700})

    assert found == {"organiser": 200, "player": 403, "stranger": 403, "anonymous": 401}


@pytest.mark.parametrize(
    ("name", "value"),
    [("seed_rating", 1450), ("club", "Harbour"), ("first_round", 3), ("category", "seniors")],
)
def test_a_value_changes_freely_before_the_start_and_later_with_a_reason(
    organiser: Person, event: Event, name: str, value: object
) -> None:
    first, second = path_of(event, "Player 1"), path_of(event, "Player 2")

    assert organiser.patch(first, {name: value}).json()[name] == value
    event.step("start")
    refused = organiser.patch(second, {name: value})
    problem = problem_in(refused, 422, "reason_needed")
    assert problem["errors"][0]["pointer"] == "/reason"
    assert organiser.patch(second, {name: value, **REASON}).json()[name] == value

    line = JournalLine.objects.order_by("-pk")[0]
    assert line.payload.body.items() >= {"reason": REASON["reason"], name: value}.items()
    assert verify() == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"reason": "only this"}, ""),
        ({"seed_rating": 4001}, "/seed_rating"),
        ({"seed_rating": "high"}, "/seed_rating"),
        ({"first_round": 0}, "/first_round"),
        ({"first_round": 7}, "/first_round"),
        ({"club": "x" * 121}, "/club"),
        ({"club": "a\u202eb"}, "/club"),
    ],
)
def test_an_invalid_body(
    organiser: Person, event: Event, body: dict[str, Any], pointer: str
) -> None:
    response = organiser.patch(path_of(event, "Ada"), body)
    assert problem_in(response, 422)["errors"][0]["pointer"] == pointer


class TestPairingNumbers:
    """C.04.2 article 2.3: by a corrected rating until the fourth round is paired."""

    CORRECTION = {"seed_rating": 1499, **REASON}

    def test_numbers_change_before_the_fourth_round_is_paired(
        self, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        event.step("start").play(1)
        event.publish(2)

        body = organiser.patch(path_of(event, "Ada"), self.CORRECTION).json()

        assert (order(event), body["number"]) == ("a1234", 1)
        body = organiser.patch(path_of(event, "Ada"), {"seed_rating": 1497, **REASON}).json()
        assert (order(event), body["number"]) == ("12a34", 3)
        entries = {name: entry_of(event, name).pk for name in ("Ada", "Player 1", "Player 2")}
        assert body["outdated"] == {
            "cards": [
                {"entry": entries["Player 1"], "number": 1, "printed_number": 2},
                {"entry": entries["Player 2"], "number": 2, "printed_number": 3},
                {"entry": entries["Ada"], "number": 3, "printed_number": 1},
            ],
            "sheets": ["rounds/1/pairings.pdf", "rounds/2/pairings.pdf", "rounds/2/slips.pdf"],
        }
        public = anonymous.get(f"{event.path}/entries").json()["results"]
        assert {row["player"]["name"]: row["number"] for row in public}["Ada"] == 3
        assert verify() == []

    def test_numbers_stay_once_the_fourth_round_is_paired(
        self, organiser: Person, event: Event
    ) -> None:
        event.step("start")
        for number in (1, 2, 3):
            event.play(number)
        event.draft(4)

        body = organiser.patch(path_of(event, "Ada"), {"seed_rating": 1400, **REASON}).json()
        late = Player.objects.create(name="Late 9", seed_rating=1450)
        event.enter(late)

        card = {"entry": body["entry"], "number": 1, "printed_number": 1}
        assert (body["number"], body["outdated"]) == (1, {"cards": [card], "sheets": []})
        assert order(event) == "9a1234"
        assert verify() == []

    @pytest.mark.parametrize(
        ("system", "options", "after"),
        [("dutch-baku", {}, "1234"), ("knockout", {}, "1234"), ("monrad", {}, "4123")],
    )
    def test_numbers_that_decide_more_than_an_order_stay_after_round_1(
        self, organiser: Person, system: str, options: dict[str, Any], after: str
    ) -> None:
        event = make_running(organiser, 4, slug="other", system=system, rounds=2, **options)
        correction = {"seed_rating": 3000, **REASON}
        organiser.patch(path_of(event, "Player 3"), {"seed_rating": 1498, **REASON})
        assert order(event) == "1234"
        event.publish(1)

        organiser.patch(path_of(event, "Player 4"), correction)

        assert order(event) == after
        assert verify() == []

    def test_a_rating_that_decided_starting_scores_stays(self, organiser: Person) -> None:
        event = make_running(organiser, 4, slug="other", system="mcmahon")
        path = path_of(event, "Player 4")
        assert organiser.patch(path, {"seed_rating": 1600, **REASON}).status_code == 200
        event.publish(1)

        response = organiser.patch(path, {"seed_rating": 1400, **REASON})

        problem_in(response, 409, "starting_scores_fixed")


class TestFirstRound:
    def test_a_round_that_could_pair_the_entry_stays_the_first(
        self, organiser: Person, event: Event
    ) -> None:
        event.step("start").publish(1)
        response = organiser.patch(path_of(event, "Ada"), {"first_round": 3, **REASON})
        problem_in(response, 409, "round_paired")

    def test_an_entry_that_comes_later_can_come_even_later(
        self, organiser: Person, event: Event
    ) -> None:
        path = path_of(event, "Ada")
        organiser.patch(path, {"first_round": 2})
        event.step("start").publish(1)

        problem_in(organiser.patch(path, {"first_round": 1, **REASON}), 422, "no_such_round")
        assert organiser.patch(path, {"first_round": 3, **REASON}).status_code == 200
        event.finish(1)
        event.publish(2)

        assert "Ada" not in organiser.get(f"{event.path}/rounds/2/pairings").content.decode()
        assert verify() == []

    def test_a_schedule_pairs_everybody_from_round_1(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="round-robin")
        event.enter(*make_players(4))
        response = organiser.patch(path_of(event.step("open"), "Player 1"), {"first_round": 2})
        problem_in(response, 409, "no_late_entries")


def test_a_club_of_the_entry_is_shown_instead_of_the_player_s(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    path = path_of(event, "Ada")
    Player.objects.filter(name="Ada").update(club="Old Club")
    event.step("start").play(1)

    def shown() -> str:
        rows = anonymous.get(f"{event.path}/standings").json()["rows"]
        return next(row["player"]["club"] for row in rows if row["player"]["name"] == "Ada")

    assert shown() == "Old Club"
    body = organiser.patch(path, {"club": "New Club", **REASON}).json()
    assert shown() == "New Club"
    assert [card["entry"] for card in body["outdated"]["cards"]] == [body["entry"]]
    entry = anonymous.get(path).json()
    assert (entry["club"], entry["player"]["club"]) == ("New Club", "Old Club")
    organiser.patch(path, {"club": "", **REASON})
    assert shown() == "Old Club"


def test_a_dry_run_shows_the_numbers_and_changes_nothing(organiser: Person, event: Event) -> None:
    event.step("start")
    lines = JournalLine.objects.count()

    body = organiser.patch(
        f"{path_of(event, 'Player 4')}?dry_run=1", {"seed_rating": 3000, **REASON}
    )

    assert body.json()["number"] == 1
    assert len(body.json()["outdated"]["cards"]) == 5
    assert (order(event), JournalLine.objects.count()) == ("a1234", lines)
