"""The date of a round: permissions, the games and the TRF file, rejections."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser).step("open")
    event.enter(*make_players(4))
    return event.step("start")


def test_the_games_of_a_round_have_its_date(organiser: Person, event: Event) -> None:
    answer = organiser.patch(f"{event.path}/rounds/1", {"starts_on": "2026-05-01"})
    assert (answer.status_code, answer.json()["starts_on"]) == (200, "2026-05-01")
    assert {str(game.played_on) for game in event.publish()} == {"2026-05-01"}
    line = JournalLine.objects.filter(stream=event.stream).get(kind="round.scheduled")
    assert line.payload.body.items() >= {"round": 1, "starts_on": "2026-05-01"}.items()

    organiser.patch(f"{event.path}/rounds/1", {"starts_on": "2026-05-02"})

    assert {str(game.played_on) for game in event.games()} == {"2026-05-02"}


def test_the_trf_file_contains_the_dates(organiser: Person, event: Event) -> None:
    organiser.patch(f"{event.path}/rounds/1", {"starts_on": "2026-05-01"})
    event.play(1)

    trf = organiser.get(f"{event.path}/standings.trf").content.decode()

    assert [line.split() for line in trf.splitlines() if line.startswith("132")] == [
        ["132", "26/05/01"]
    ]


def test_an_unchanged_date_and_a_dry_run_write_no_journal_line(
    organiser: Person, event: Event
) -> None:
    path = f"{event.path}/rounds/1"
    organiser.patch(path, {"starts_on": "2026-05-01"})
    lines = JournalLine.objects.count()

    assert organiser.patch(path, {"starts_on": "2026-05-01"}).status_code == 200
    dry = organiser.patch(f"{path}?dry_run=1", {"starts_on": None})

    assert dry.json()["starts_on"] is None
    assert organiser.get(path).json()["starts_on"] == "2026-05-01"
    assert JournalLine.objects.count() == lines


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"starts_on": "2026-04-30"}, "outside_tournament"),
        ({"starts_on": "2026-05-04"}, "outside_tournament"),
        ({"starts_on": "2026-02-30"}, "invalid"),
        ({"starts_on": 1}, "invalid"),
        ({}, "invalid"),
        ([], "invalid"),
    ],
)
def test_a_date_outside_the_event_is_rejected(
    organiser: Person, event: Event, body: Any, code: str
) -> None:
    problem_in(organiser.patch(f"{event.path}/rounds/1", body), 422, code)


def test_the_date_of_a_complete_round_is_fixed(organiser: Person, event: Event) -> None:
    event.play(1)
    settle()
    answer = organiser.patch(f"{event.path}/rounds/1", {"starts_on": "2026-05-01"})
    problem_in(answer, 409, "wrong_state")


def test_an_unknown_round(organiser: Person, event: Event) -> None:
    answer = organiser.patch(f"{event.path}/rounds/4", {"starts_on": "2026-05-01"})
    problem_in(answer, 404, "not_found")


def test_permissions(
    organiser: Person, ada: Person, stranger: Person, anonymous: Person, event: Event
) -> None:
    people = {"organiser": organiser, "ada": ada, "stranger": stranger, "anonymous": anonymous}
    body = {"starts_on": "2026-05-01"}
    assert statuses(people, "PATCH", f"{event.path}/rounds/1", body) == {
        "organiser": 200,
        "ada": 403,
        "stranger": 403,
        "anonymous": 401,
    }
