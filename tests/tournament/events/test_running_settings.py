"""PATCH of a running event: its rounds and tie-breaks, without a change of played rounds."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import Event, make_running
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Return five players and four rounds; the first is complete."""
    event = make_running(organiser, 5, rounds=4, tiebreaks=["PTS", "RTNG"])
    event.play(1)
    return event


def rounds(event: Event) -> list[str]:
    return list(event.tournament.round_set.order_by("number").values_list("state", flat=True))


@pytest.mark.parametrize("count", [1, 6])
def test_rounds_are_added_and_removed(organiser: Person, event: Event, count: int) -> None:
    organiser.patch(f"{event.path}/rounds/4", {"starts_at": "2026-05-02T10:00"})

    assert organiser.patch(f"{event.path}?dry_run=1", {"rounds": count}).status_code == 200
    assert len(rounds(event)) == 4
    assert organiser.patch(event.path, {"rounds": count}).json()["rounds"] == count

    assert rounds(event) == ["complete", *["planned"] * (count - 1)]
    assert verify() == []


def test_the_byes_of_removed_rounds_are_removed(organiser: Person, event: Event) -> None:
    entry = event.tournament.entries.get(pairing_number=3)
    for number in (2, 4):
        body = {"entry": entry.pk, "round": number, "kind": "zero-bye"}
        organiser.post(f"{event.path}/byes", body)

    for count in (3, 4):
        organiser.patch(event.path, {"rounds": count})

    byes = organiser.get(f"{event.path}/byes").json()["results"]
    assert [bye["round"] for bye in byes] == [2]
    assert verify() == []


def test_a_round_that_was_published_is_not_removed(organiser: Person, event: Event) -> None:
    event.publish(2)
    organiser.post(f"{event.path}/rounds/2/unpair", {"reason": "a power cut"})

    problem = problem_in(organiser.patch(event.path, {"rounds": 1}), 409, "round_published")

    assert problem["round"] == 2
    assert organiser.patch(event.path, {"rounds": 2}).status_code == 200


def test_a_draft_may_depend_on_the_last_round(organiser: Person, event: Event) -> None:
    event.draft(2)
    problem_in(organiser.patch(event.path, {"rounds": 3}), 409, "round_drafted")
    organiser.post(f"{event.path}/rounds/2/unpair")
    assert organiser.patch(event.path, {"rounds": 1}).status_code == 200
    assert verify() == []


def test_a_schedule_has_its_number_of_rounds(organiser: Person) -> None:
    event = make_running(organiser, 4, system="round-robin", rounds=3)
    problem_in(organiser.patch(event.path, {"rounds": 4}), 409, "rounds_do_not_fit")


def test_another_ranking_needs_none_before_round_1(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.draft(1)

    assert organiser.patch(event.path, {"tiebreaks": ["PTS"]}).status_code == 200


def test_other_tiebreaks_list_the_ranks_that_change(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    def ranks() -> dict[int, int]:
        rows = anonymous.get(f"{event.path}/standings").json()["rows"]
        return {row["number"]: row["rank"] for row in rows}

    before, lines = ranks(), JournalLine.objects.count()
    body = {"tiebreaks": ["PTS", "WON"], "reason": "as in the printed rules"}

    preview = organiser.patch(f"{event.path}?dry_run=1", body).json()["rank_changes"]

    assert (ranks(), JournalLine.objects.count()) == (before, lines)
    assert organiser.patch(event.path, body).json()["rank_changes"] == preview
    after = ranks()
    assert preview
    assert {row["number"]: (row["before"], row["after"]) for row in preview} == {
        number: (before[number], after[number])
        for number in before
        if before[number] != after[number]
    }
    assert verify() == []


@pytest.mark.parametrize("body", [{"tiebreaks": ["PTS", "WON"]}, {"unrated_rating": 1200}])
def test_another_ranking_needs_a_reason_once_round_1_is_published(
    organiser: Person, event: Event, body: dict[str, Any]
) -> None:
    problem = problem_in(organiser.patch(event.path, body), 422, "reason_needed")
    same = {name: organiser.get(event.path).json()[name] for name in body}

    assert problem["errors"][0]["pointer"] == "/reason"
    assert organiser.patch(event.path, same).status_code == 200
    assert organiser.patch(event.path, body | {"reason": "a slip"}).status_code == 200
    line = JournalLine.objects.select_related("payload").filter(kind="tournament.edited").last()
    assert line is not None
    assert line.payload.body | body == line.payload.body
    assert line.payload.body["reason"] == "a slip"
    assert verify() == []


def test_the_dates_contain_those_of_the_rounds(organiser: Person, event: Event) -> None:
    organiser.patch(f"{event.path}/rounds/3", {"starts_on": "2026-05-02"})
    assert organiser.patch(event.path, {"ends_on": "2026-05-02"}).status_code == 200
    answer = organiser.patch(event.path, {"ends_on": "2026-05-01"})
    problem_in(answer, 422, "outside_tournament")
