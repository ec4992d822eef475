"""Calendars: whole days, revisions, and nothing that the caller may not see."""

from datetime import date, datetime

import pytest
from icalendar import Calendar, Event

from tests import events
from tests.events import make_event, make_players
from tests.people import Person
from tournament.models import Entry
from tournament.rounds.services import schedule_round


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser, name="Spring; Open, 2026", place="Câmara\\Lisboa", country="POR")
    event.enter(*make_players(3))
    event.step("open", "start")
    schedule_round(event.tournament, 1, date(2026, 5, 1), by=organiser.account)
    schedule_round(event.tournament, 2, date(2026, 5, 3), by=organiser.account)
    event.publish(1)
    return event


def read_calendar(person: Person, path: str) -> Calendar:
    """Read a calendar; its lines must be folded and end with CRLF."""
    content: bytes = person.get(f"{path}/calendar.ics").content
    assert content.endswith(b"\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    return Calendar.from_ical(content)


def read_events(person: Person, path: str) -> list[Event]:
    return read_calendar(person, path).events


def test_an_event_and_its_rounds(anonymous: Person, event: events.Event) -> None:
    answer = anonymous.get(f"{event.path}/calendar.ics")

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="spring.ics"'
    whole, first, second = read_events(anonymous, event.path)
    assert [entry["SUMMARY"] for entry in (whole, first, second)] == [
        "Spring; Open, 2026",
        "Spring; Open, 2026: round 1",
        "Spring; Open, 2026: round 2",
    ]
    assert (whole["LOCATION"], first["LOCATION"]) == ("Câmara\\Lisboa, POR", "Câmara\\Lisboa")
    assert [(entry.DTSTART, entry.DTEND) for entry in (whole, first, second)] == [
        (date(2026, 5, 1), date(2026, 5, 4)),
        (date(2026, 5, 1), date(2026, 5, 2)),
        (date(2026, 5, 3), date(2026, 5, 4)),
    ]
    assert [entry["UID"] for entry in (whole, first, second)] == [
        "tournament-spring@localhost",
        "tournament-spring-round-1@localhost",
        "tournament-spring-round-2@localhost",
    ]
    assert second["URL"] == "http://localhost:8000/e/spring/rounds/2"
    assert {entry["TRANSP"] for entry in (whole, first, second)} == {"TRANSPARENT"}
    assert anonymous.get(f"{event.path}/calendar.ics").content == answer.content


def revision(person: Person, path: str) -> tuple[int, datetime]:
    """Return the SEQUENCE and LAST-MODIFIED that all entries of a calendar share."""
    ((number, time),) = {
        (entry["SEQUENCE"], entry["LAST-MODIFIED"].dt) for entry in read_events(person, path)
    }
    return number, time


def test_a_change_of_the_days_is_counted(
    organiser: Person, anonymous: Person, event: events.Event
) -> None:
    number, time = revision(anonymous, event.path)

    schedule_round(event.tournament, 2, date(2026, 5, 2), by=organiser.account)
    later_number, later_time = revision(anonymous, event.path)

    assert (later_number, later_time >= time) == (number + 1, True)
    event.enter(*make_players(1))
    assert revision(anonymous, event.path) == (later_number, later_time)


def test_the_days_are_those_of_the_place(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, time_zone="Pacific/Auckland").step("open")

    calendar = read_calendar(anonymous, event.path)

    assert calendar["X-WR-TIMEZONE"] == "Pacific/Auckland"
    (start,) = [entry.DTSTART for entry in calendar.events]
    assert start == date(2026, 5, 1)


def test_a_name_stays_on_its_line(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser).step("open")
    event.tournament.name = "a;b,c\\nd\nBEGIN:VEVENT live\u202eevil" + "ž春" * 30
    event.tournament.fee, event.tournament.contact = "20", "olga@example.org"
    event.tournament.save()

    (whole,) = read_events(anonymous, event.path)

    facts = " · Entry fee: 20 · Contact: olga@example.org"
    assert whole["DESCRIPTION"].endswith(facts)
    assert whole["SUMMARY"] == "a;b,c\\nd BEGIN:VEVENT liveevil" + "ž春" * 30


def test_a_cancelled_event_has_the_status(anonymous: Person, event: events.Event) -> None:
    event.step("cancel")

    statuses = {entry["STATUS"] for entry in read_events(anonymous, event.path)}
    assert statuses == {"CANCELLED"}


def test_a_player_sees_boards_and_byes(anonymous: Person, event: events.Event) -> None:
    descriptions = []
    for entry in Entry.objects.order_by("pairing_number"):
        _, own = read_events(anonymous, f"players/{entry.player_id}")
        assert own["SUMMARY"].endswith(": round 1")
        descriptions.append(own["DESCRIPTION"])

    assert sorted(descriptions) == [
        "board 1, first seat, against Player 2",
        "board 1, second seat, against Player 1",
        "bye",
    ]


def test_a_private_event_is_in_no_public_calendar(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, public=False)
    (player,) = make_players(1)
    event.enter(player)
    event.step("open")

    assert read_events(anonymous, f"players/{player.pk}") == []
    assert len(read_events(organiser, f"players/{player.pk}")) == 1
