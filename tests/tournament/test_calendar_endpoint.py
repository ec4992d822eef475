"""Calendars: whole days, folded lines, nothing of what is not public."""

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tournament.models import Entry
from tournament.services.rounds import schedule_round


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser, name="Spring; Open, 2026", place="Câmara\\Lisboa", country="POR")
    event.enter(*make_players(3))
    event.step("open", "start")
    schedule_round(event.tournament, 1, date(2026, 5, 1), by=organiser.account)
    schedule_round(event.tournament, 2, date(2026, 5, 3), by=organiser.account)
    event.publish(1)
    return event


def days_in(content: bytes) -> list[dict[str, str]]:
    """The entries of a calendar, unfolded."""
    text = content.decode()
    assert text.endswith("\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    days: list[dict[str, str]] = []
    for line in text.replace("\r\n ", "").split("\r\n"):
        if line == "BEGIN:VEVENT":
            days.append({})
        elif days and ":" in line:
            name, _, value = line.partition(":")
            days[-1].setdefault(name, value)
    return days


def test_an_event_and_its_rounds(anonymous: Person, event: Event) -> None:
    answer = anonymous.get(f"{event.path}/calendar.ics")

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    whole, first, second = days_in(answer.content)
    assert whole["SUMMARY"] == "Spring\\; Open\\, 2026"
    assert whole["LOCATION"] == "Câmara\\\\Lisboa\\, POR"
    assert (whole["DTSTART;VALUE=DATE"], whole["DTEND;VALUE=DATE"]) == ("20260501", "20260504")
    assert [first["DTSTART;VALUE=DATE"], second["DTEND;VALUE=DATE"]] == ["20260501", "20260504"]
    assert len({day["UID"] for day in (whole, first, second)}) == 3
    assert anonymous.get(f"{event.path}/calendar.ics").content == answer.content


def revision(content: bytes) -> tuple[int, str]:
    """The SEQUENCE and LAST-MODIFIED that every day of a calendar shares."""
    ((number, at),) = {(day["SEQUENCE"], day["LAST-MODIFIED"]) for day in days_in(content)}
    return int(number), at


def test_a_change_of_the_days_is_counted(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    before, at = revision(anonymous.get(f"{event.path}/calendar.ics").content)

    schedule_round(event.tournament, 2, date(2026, 5, 2), by=organiser.account)
    after, later = revision(anonymous.get(f"{event.path}/calendar.ics").content)

    assert (after, later >= at) == (before + 1, True)
    event.enter(*make_players(1))
    assert revision(anonymous.get(f"{event.path}/calendar.ics").content) == (after, later)


def test_the_days_are_those_of_the_place(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, time_zone="Pacific/Auckland").step("open")

    lines = anonymous.get(f"{event.path}/calendar.ics").content.decode().split("\r\n")

    assert "X-WR-TIMEZONE:Pacific/Auckland" in lines
    assert "DTSTART;VALUE=DATE:20260501" in lines


HOSTILE = [
    ("Open\nBEGIN:VEVENT", "Open BEGIN:VEVENT"),
    ("a\x7fb\x1b[2Jc", "a b [2Jc"),
    ("live\u202eevil", "liveevil"),
    ("علی\u200cرضا", "علی\u200cرضا"),
    ("\u202e", "[202E]"),
    ("a;b,c\\nd", "a\\;b\\,c\\\\nd"),
]


@pytest.mark.parametrize(("name", "written"), HOSTILE)
def test_a_name_stays_on_its_line(
    organiser: Person, anonymous: Person, name: str, written: str
) -> None:
    event = make_event(organiser).step("open")
    event.tournament.name = name
    event.tournament.save()

    (whole,) = days_in(anonymous.get(f"{event.path}/calendar.ics").content)

    assert whole["SUMMARY"] == written


def test_a_cancelled_event_says_so(anonymous: Person, event: Event) -> None:
    event.step("cancel")

    statuses = {
        day["STATUS"] for day in days_in(anonymous.get(f"{event.path}/calendar.ics").content)
    }
    assert statuses == {"CANCELLED"}


def test_a_player_sees_boards_and_byes(anonymous: Person, event: Event) -> None:
    told = []
    for entry in Entry.objects.order_by("pairing_number"):
        _, own = days_in(anonymous.get(f"players/{entry.player_id}/calendar.ics").content)
        assert own["SUMMARY"].endswith(": round 1")
        told.append(own["DESCRIPTION"])

    assert sorted(told) == [
        "Pairing Bye",
        "board 1\\, first seat\\, against Player 2",
        "board 1\\, second seat\\, against Player 1",
    ]


def test_a_long_name_is_folded_between_letters(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, name="ž春" * 60).step("open")

    (whole,) = days_in(anonymous.get(f"{event.path}/calendar.ics").content)

    assert whole["SUMMARY"] == "ž春" * 60


def test_what_is_not_public_is_in_no_calendar(
    organiser: Person, anonymous: Person, stranger: Person
) -> None:
    event = make_event(organiser, public=False)
    (player,) = make_players(1)
    event.enter(player)
    event.step("open")

    assert days_in(anonymous.get(f"players/{player.pk}/calendar.ics").content) == []
    assert len(days_in(organiser.get(f"players/{player.pk}/calendar.ics").content)) == 1
    for person in (anonymous, stranger):
        problem_in(person.get(f"{event.path}/calendar.ics"), 404)
    problem_in(anonymous.get("players/999999/calendar.ics"), 404)


@pytest.mark.parametrize("count", [1, 3])
def test_a_players_calendar_takes_a_fixed_number_of_queries(
    organiser: Person,
    anonymous: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    (player,) = make_players(1)
    for number in range(count):
        event = make_event(organiser, slug=f"spring-{number}")
        event.enter(player)
        event.step("open")

    with django_assert_num_queries(4):
        assert anonymous.get(f"players/{player.pk}/calendar.ics").status_code == 200
