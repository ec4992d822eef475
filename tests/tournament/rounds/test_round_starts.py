"""The date and time of a round: before the start, in every format, in the event's time zone."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from games.models import Game, JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.conftest import login
from tests.tournament.events.test_verify_state import verify
from tournament.events.services import edit_tournament
from tournament.messages.feed import load_feed
from tournament.rounds.forms import start_body
from tournament.rounds.serializers import RoundRequestSerializer
from tournament.rounds.tables import round_title

pytestmark = pytest.mark.django_db
TEN = "2026-05-01T10:00+01:00"
IN_LISBON = "2026-05-01T10:00:00+01:00"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Return an event in Lisbon that is open for entries, not started."""
    event = make_event(organiser, time_zone="Europe/Lisbon").step("open")
    event.enter(*make_players(4))
    return event


def schedule(who: Person, event: Event, number: int = 1, **body: Any) -> Any:
    return who.patch(f"{event.path}/rounds/{number}", body)


def starts(event: Event) -> list[tuple[str, str]]:
    """Return the date and the time of each round."""
    rows = event.tournament.round_set.order_by("number")
    return [(str(row.starts_on or ""), str(row.start_time or "")) for row in rows]


@pytest.mark.parametrize(
    ("typed", "at"),
    [
        ("2026-03-29T01:30", ""),  # the clocks go from 1:00 to 2:00
        ("2026-03-29T00:59", "2026-03-29T00:59:00+00:00"),
        ("2026-03-29 02:00", "2026-03-29T02:00:00+01:00"),
        ("2026-10-25T01:30", "2026-10-25T01:30:00+01:00"),  # twice; the first one
        ("2026-03-29T01:30:00+00:00", "2026-03-29T02:30:00+01:00"),
        ("at noon T", ""),
    ],
)
def test_a_typed_time_is_one_of_the_event_unless_the_clocks_skip_it(typed: str, at: str) -> None:
    body = start_body({"starts_at": typed}, {})
    serializer = RoundRequestSerializer(data=body, context={"zone": "Europe/Lisbon"})

    assert serializer.is_valid() is bool(at)
    assert not at or serializer.validated_data["starts_at"].isoformat() == at


TIMES = {
    "local": (TEN, IN_LISBON),
    "with another offset": ("2026-05-01T09:00:00Z", IN_LISBON),
    "on the next day elsewhere": ("2026-05-02T08:00:00+10:00", "2026-05-01T23:00:00+01:00"),
}


@pytest.mark.parametrize(("sent", "shown"), TIMES.values(), ids=TIMES)
def test_a_round_has_a_time_before_the_start(
    organiser: Person, anonymous: Person, event: Event, sent: str, shown: str
) -> None:
    answer = schedule(organiser, event, 2, starts_at=sent)

    assert (answer.status_code, answer.json()["starts_at"]) == (200, shown)
    body = anonymous.get(f"{event.path}/rounds/2").json()
    assert (body["starts_on"], body["starts_at"]) == ("2026-05-01", shown)
    event.step("start")
    rows = anonymous.get(f"{event.path}/rounds").json()["results"]
    assert [row["starts_at"] for row in rows] == [None, shown, None]
    assert verify() == []


def test_the_times_of_all_rounds_are_set_on_a_page_before_the_start(
    organiser: Person, event: Event
) -> None:
    director, page = login(organiser), "/e/spring/run/schedule"
    sent = {
        "action": "schedule",
        "rounds.1.starts_on": "2026-05-01",
        "rounds.1.starts_at": "10:00",
        "rounds.2.starts_on": "2026-05-02",
        "rounds.2.starts_at": "",
        "rounds.3.starts_on": "",
        "rounds.3.starts_at": "",
    }
    wrong = {"rounds.2.starts_on": "2027-01-01", "rounds.3.starts_on": "2027-01-01"}
    rejected = director.post(page, sent | wrong)
    assert (rejected.status_code, [*rejected.context["form"].errors]) == (422, [*wrong])
    rejected = director.post(page, sent | {"rounds.3.starts_at": "14:30"})
    assert (rejected.status_code, [*rejected.context["form"].errors]) == (
        422,
        ["rounds.3.starts_on"],
    )
    assert 'value="14:30"' in rejected.content.decode()
    for day, time in (("2026-05-01", ""), ("2026-05-02", "09:30")):
        third = {"rounds.3.starts_on": day, "rounds.3.starts_at": time}
        rejected = director.post(page, sent | third | {"rounds.2.starts_at": "10:00"})
        assert [*rejected.context["form"].errors] == ["rounds.3.starts_on"]
    assert "round 3 would begin before round 2" in rejected.content.decode()
    assert starts(event) == []

    assert director.post(page, sent).status_code == 303

    assert starts(event) == [("2026-05-01", "10:00:00"), ("2026-05-02", "")]
    assert "10:00" in Client().get("/e/spring").content.decode()
    assert "2 May 2026" in Client().get("/e/spring/calendar").content.decode()
    calendar = Calendar.from_ical(organiser.get(f"{event.path}/calendar.ics").content)
    assert len(calendar.events) == 3
    cleared = dict.fromkeys(("rounds.1.starts_on", "rounds.1.starts_at"), "")
    assert director.post(page, sent | cleared).status_code == 303
    assert starts(event) == [("", ""), ("2026-05-02", "")]
    assert JournalLine.objects.filter(kind="round.scheduled").count() == 3
    event.step("start")
    assert director.post(page, sent).status_code == 409
    assert verify() == []


def test_every_format_shows_the_time(organiser: Person, anonymous: Person, event: Event) -> None:
    event.step("start")
    schedule(organiser, event, starts_at=TEN)
    event.publish(1)
    path = f"{event.path}/rounds/1/pairings"

    assert anonymous.get(path).json()["starts_at"] == IN_LISBON
    rows = list(csv.DictReader(io.StringIO(anonymous.get(f"{path}.csv").content.decode())))
    in_utc = "2026-05-01T09:00:00.000000Z"
    assert {(row["starts_on"], row["starts_at"]) for row in rows} == {("2026-05-01", in_utc)}
    feed = load_feed(event.stream, after=0, limit=100)
    (message,) = [entry for entry in feed if entry.kind == "round.scheduled"]
    assert (message.data["starts_on"], message.data["starts_at"]) == ("2026-05-01", in_utc)
    title = round_title(event.tournament.round_set.get(number=1))
    assert title == "round 1 of 3, 1 May 2026, 10:00"
    calendar = Calendar.from_ical(anonymous.get(f"{event.path}/calendar.ics").content)
    assert datetime(2026, 5, 1, 9, 0, tzinfo=UTC) == calendar.events[1].DTSTART
    assert "DTEND" not in calendar.events[1]
    (game, _) = event.games()
    assert str(game.played_on) == "2026-05-01"


def test_a_date_without_a_time_replaces_the_time(organiser: Person, event: Event) -> None:
    schedule(organiser, event, starts_at=TEN)
    assert schedule(organiser, event, starts_on="2026-05-02").json()["starts_at"] is None
    assert starts(event) == [("2026-05-02", "")]
    assert schedule(organiser, event, starts_at=None).json()["starts_on"] is None
    lines = JournalLine.objects.filter(kind="round.scheduled").order_by("sequence")
    assert [line.payload.body["start_time"] for line in lines] == ["10:00:00", None, None]
    assert verify() == []


def test_after_the_end_of_a_round_its_games_wait_for_the_directors(
    organiser: Person, event: Event
) -> None:
    event.step("start")
    schedule(organiser, event, starts_at=TEN)
    problem_in(schedule(organiser, event, ends_at=TEN), 422, "invalid")
    body = schedule(organiser, event, ends_at="2026-05-03T20:00:00+01:00").json()
    assert (body["starts_at"], body["ends_at"]) == (IN_LISBON, "2026-05-03T19:00:00Z")
    schedule(organiser, event, starts_at=TEN)
    event.publish()
    organiser.client.force_login(organiser.account)
    shown = organiser.client.get(f"/e/{event.tournament.slug}/run").content.decode()
    assert "The time of the round is over" in shown
    assert schedule(organiser, event, ends_at=None).json()["ends_at"] is None
    shown = organiser.client.get(f"/e/{event.tournament.slug}/run").content.decode()
    assert "The time of the round is over" not in shown
    assert {game.state for game in event.games()} == {"open"}
    assert verify() == []


def test_the_date_of_a_round_is_that_of_its_games_until_it_is_complete(
    organiser: Person, event: Event
) -> None:
    event.step("start")
    for number, day in ((1, "2026-05-01"), (2, "2026-05-03")):
        assert schedule(organiser, event, number, starts_on=day).status_code == 200
    for day in ("2026-04-30", "2026-05-04"):
        problem_in(schedule(organiser, event, starts_on=day), 422, "outside_tournament")
    assert {str(game.played_on) for game in event.publish()} == {"2026-05-01"}
    line = JournalLine.objects.filter(kind="round.scheduled").earliest("sequence")
    assert line.payload.body.items() >= {"round": 1, "starts_on": "2026-05-01"}.items()
    lines = JournalLine.objects.count()
    schedule(organiser, event, starts_on="2026-05-01")
    assert JournalLine.objects.count() == lines
    organiser.post(f"{event.path}/rounds/1/unpair", {"reason": "a slip"})
    event.publish()

    schedule(organiser, event, starts_on="2026-05-02")

    days = Game.objects.filter(stream=event.stream).values_list("played_on", "void")
    assert sorted((str(day), void) for day, void in days) == [
        *[("2026-05-02", False)] * 2, *[("2026-05-02", True)] * 2,
    ]  # fmt: skip
    event.finish(1)
    problem_in(schedule(organiser, event, starts_on="2026-05-01"), 409, "wrong_state")
    assert verify() == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"starts_at": "2026-05-01"}, "invalid"),
        ({"starts_at": "2026-05-01T10:00"}, "no_offset"),
        ({"starts_at": TEN, "starts_on": "2026-05-01"}, "invalid"),
        ({}, "invalid"),
    ],
)
def test_a_start_is_a_day_or_a_time_with_its_offset(
    organiser: Person, event: Event, body: dict[str, Any], code: str
) -> None:
    problem = problem_in(schedule(organiser, event, **body), 422, "invalid")
    assert [error["code"] for error in problem["errors"]] == [code]


def test_a_round_that_the_event_does_not_have(organiser: Person, event: Event) -> None:
    for number in (0, 4):
        problem_in(schedule(organiser, event, number, starts_at=TEN), 404)
    event.step("start")
    problem_in(schedule(organiser, event, 4, starts_at=TEN), 404)


def test_rounds_and_applications_move_along_with_the_days_of_the_event_before_the_start(
    organiser: Person, event: Event
) -> None:
    for number, start in ((1, "2026-05-01T10:00+01:00"), (3, "2026-05-03T15:00+01:00")):
        schedule(organiser, event, number, starts_at=start)
    answer = organiser.patch(event.path, {"starts_on": "2026-05-02", "ends_on": "2026-05-02"})
    detail = problem_in(answer, 422, "outside_tournament")["errors"][0]["detail"]
    assert "round 1 (2026-05-01), round 3 (2026-05-03); move the first and the last day" in detail
    schedule(organiser, event, 2, ends_at="2026-05-02T20:00+01:00")
    event.owner.patch(
        event.path, {"registration_from": "2026-03-30", "registration_until": "2026-04-30"}
    )
    dates = {"starts_on": "2026-11-01", "ends_on": "2026-11-03"}
    # As a form does, with what has not changed.
    sent = {**dates, "registration_from": "2026-10-01", "registration_until": "2026-04-30"}
    moved = organiser.patch(event.path, sent).json()
    assert starts(event) == [("2026-11-01", "10:00:00"), ("", ""), ("2026-11-03", "15:00:00")]
    ends = event.tournament.round_set.exclude(ends_at=None).get().ends_at
    assert (ends and ends.isoformat()) == "2026-11-02T20:00:00+00:00"
    registration = (moved["registration_from"], moved["registration_until"])
    assert registration == ("2026-10-01", "2026-10-31")
    assert verify() == []

    longer = {"starts_on": "2026-10-31", "ends_on": "2026-11-03"}
    assert organiser.patch(event.path, longer).json()["registration_until"] == "2026-10-30"
    assert len(starts(event)) == 3
    event.step("start")
    assert organiser.patch(event.path, dates).json()["registration_until"] == "2026-10-30"
    assert verify() == []


def test_fewer_rounds_before_the_start_need_no_time(organiser: Person, event: Event) -> None:
    for number in (1, 3):
        schedule(organiser, event, number, starts_at=TEN)
    edit_tournament(event.tournament, {"rounds": 2}, by=organiser.account)
    assert starts(event) == [("2026-05-01", "10:00:00")]
    event.step("start")
    assert starts(event) == [("2026-05-01", "10:00:00"), ("", "")]
    assert verify() == []
