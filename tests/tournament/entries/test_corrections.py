"""PATCH of an entry: freely before the start, later with a reason, until the event is final."""

from typing import Any

import pytest

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Entry

pytestmark = pytest.mark.django_db
REASON = {"reason": "the form had a slip of the pen"}
VALUES: dict[str, Any] = {
    "seed_rating": 1450, "club": "Harbour", "first_round": 3, "category": "seniors", "sex": "w",
    "birth_year": 1990,
}  # fmt: skip


@pytest.fixture
def event(organiser: Person) -> Event:
    """Four players before the first of six rounds."""
    event = make_event(organiser, system="dutch", rounds=6)
    event.enter(*make_players(4))
    return event.step("open")


def patch(event: Event, number: int, **body: Any) -> Any:
    entry = event.tournament.entries.get(ordinal=number)
    return event.owner.patch(f"{event.path}/entries/{entry.pk}", body)


def last_payload() -> dict[str, Any]:
    line = JournalLine.objects.select_related("payload").order_by("-pk")[0]
    assert line.kind == "entry.edited"
    return {name: value for name, value in line.payload.body.items() if name != "salt"}


def test_values_change_freely_before_the_start_and_later_with_a_reason(event: Event) -> None:
    first = patch(event, 1, **VALUES).json()
    assert {name: first[name] for name in VALUES} == VALUES
    assert last_payload() == {"entry": first["id"], "ordinal": 1, **VALUES}
    lines = JournalLine.objects.count()
    assert patch(event, 1, **VALUES).json() == first
    assert JournalLine.objects.count() == lines
    empty = {"birth_year": None, "sex": "", "category": "", "club": "", "seed_rating": None}
    cleared = patch(event, 1, **empty).json()
    assert {cleared[name] for name in empty} == {None}
    event.step("start")

    problem = problem_in(patch(event, 2, **VALUES), 422, "reason_needed")
    assert problem["errors"][0]["pointer"] == "/reason"
    assert patch(event, 2, **VALUES, **REASON).json()["club"] == "Harbour"
    assert last_payload().items() >= {**VALUES, **REASON}.items()
    assert verify() == []


def test_a_payment_is_noted_without_a_reason_and_seen_by_officials(
    event: Event, anonymous: Person
) -> None:
    event.step("start")
    first = patch(event, 1, paid=True).json()
    assert first["paid"] is True
    assert last_payload() == {"entry": first["id"], "ordinal": 1, "paid": True}
    problem_in(patch(event, 2, paid=True, club="Docas"), 422, "reason_needed")
    paid = {entry.ordinal: entry.paid for entry in event.tournament.entries.all()}
    assert paid == {1: True, 2: False, 3: False, 4: False}
    assert "paid" not in anonymous.get(f"{event.path}/entries").json()["results"][0]
    assert verify() == []


def test_only_the_sent_values_change(event: Event) -> None:
    before = patch(event, 1, **VALUES).json()
    after = patch(event, 1, category=" U20 ").json()
    assert after == before | {"category": "U20", "updated_at": after["updated_at"]}
    problem_in(patch(event, 1, **REASON), 422, "invalid")


@pytest.mark.parametrize(
    ("state", "status"), [("review", 200), ("final", 409), ("archived", 409), ("cancelled", 409)]
)
def test_until_the_event_is_final(event: Event, state: str, status: int) -> None:
    event.tournament.state = state
    event.tournament.save()
    assert patch(event, 1, category="A", **REASON).status_code == status


@pytest.mark.parametrize(("year", "status"), [(1899, 422), (1900, 200), (2026, 200), (2027, 422)])
def test_the_year_of_birth_is_not_after_the_event(event: Event, year: int, status: int) -> None:
    answer = patch(event, 1, birth_year=year)
    assert answer.status_code == status
    if status == 422:
        assert problem_in(answer, 422)["errors"][0]["pointer"] == "/birth_year"


def test_a_lot_changes_before_the_start(organiser: Person, event: Event) -> None:
    assert patch(event, 1, lot=3).json()["lot"] == 3
    assert patch(event, 1, lot=None).json()["lot"] is None
    assert patch(event, 1, lot=4).status_code == 200
    event.step("start")
    problem_in(patch(event, 1, lot=5, **REASON), 409, "wrong_state")
    assert patch(event, 1, lot=4, club="A", **REASON).status_code == 200  # the same lot


class TestFirstRound:
    @pytest.mark.parametrize(
        ("number", "status"), [(1, 422), (2, 200), (6, 200), (7, 422), (30, 422)]
    )
    def test_who_comes_later_can_come_even_later(
        self, event: Event, number: int, status: int
    ) -> None:
        patch(event, 4, first_round=3)
        event.step("start").draft(1)

        answer = patch(event, 4, first_round=number, **REASON)

        assert answer.status_code == status
        if status == 422:
            problem_in(answer, 422, "no_such_round")
        problem_in(patch(event, 1, first_round=3, **REASON), 409, "round_paired")

    def test_a_round_before_the_first_one_does_not_pair_the_player(
        self, organiser: Person, event: Event
    ) -> None:
        patch(event, 4, first_round=2)
        event.step("start").play(1)
        assert "Player 4" not in organiser.get(f"{event.path}/rounds/1/pairings").content.decode()
        event.draft(2)
        assert "Player 4" in organiser.get(f"{event.path}/rounds/2/pairings").content.decode()
        assert verify() == []

    def test_a_schedule_pairs_everybody_from_round_1(self, organiser: Person) -> None:
        event = make_event(organiser, slug="other", system="round-robin")
        event.enter(*make_players(4))
        problem_in(patch(event.step("open"), 1, first_round=2), 409, "no_late_entries")


def test_what_is_wrong_is_said_at_once_and_nothing_changes(event: Event) -> None:
    event.step("start").draft(1)
    answer = patch(event, 1, birth_year=2030, club="A")
    codes = [error["code"] for error in problem_in(answer, 422)["errors"]]
    assert codes == ["wrong_year", "reason_needed"]
    assert Entry.objects.get(ordinal=1).club == ""


def test_a_club_of_the_entry_is_shown_instead_of_the_player_s(
    anonymous: Person, event: Event
) -> None:
    Player.objects.filter(name="Player 1").update(club="Old Club")
    event.step("start").play(1)

    def shown() -> str:
        rows = anonymous.get(f"{event.path}/standings").json()["rows"]
        return next(row["player"]["club"] for row in rows if row["player"]["name"] == "Player 1")

    assert shown() == "Old Club"
    body = patch(event, 1, club="New Club", **REASON).json()
    assert shown() == "New Club"
    assert [card["id"] for card in body["outdated"]["cards"]] == [body["id"]]
    assert body["outdated"]["sheets"] == []
    entry = anonymous.get(f"{event.path}/entries/{body['id']}").json()
    assert (entry["club"], entry["player"]["club"]) == ("New Club", "New Club")
    patch(event, 1, club="", **REASON)
    assert shown() == "Old Club"
