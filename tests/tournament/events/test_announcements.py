"""What the directors announce: who sees it where, until it is withdrawn."""

import json

import pytest
from django.test import Client

from games.models import JournalLine
from tests.events import Event, make_event
from tests.people import Person, problem_in
from tests.tournament.conftest import OpenPage
from tests.tournament.events.test_verify_state import verify
from tournament.messages.feed import load_feed
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TEXT = "Lunch <now>\nat https://example.org"
SHOWN = (
    'Lunch &lt;now&gt;<br>at <a href="https://example.org" rel="nofollow">https://example.org</a>'
)


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def announce(event: Event, text: str = TEXT) -> int:
    answer = event.owner.post(f"{event.path}/announcements", {"text": text})
    assert answer.status_code == 201
    number: int = answer.json()["number"]
    return number


def told(event: Event) -> list[str]:
    feed = load_feed(event.stream, after=0, limit=100)
    return [entry.data["text"] for entry in feed if entry.kind == "tournament.announced"]


def test_everybody_reads_it_until_it_is_withdrawn(
    event: Event, anonymous: Person, open_page: OpenPage
) -> None:
    announce(event, "first")
    number = announce(event)
    rows = anonymous.get(f"{event.path}/announcements").json()["results"]
    assert [(row["number"], row["text"]) for row in rows] == [(2, TEXT), (1, "first")]
    assert told(event) == ["first", TEXT]
    for page in ("", "/players", "/wall"):
        shown = open_page(f"/e/spring{page}").content.decode()
        is_wall = page == "/wall"
        assert ("Lunch &lt;now&gt;<br>at https://example.org" if is_wall else SHOWN) in shown, page
        assert ("first" in shown.partition("<main")[2]) == (page == "")

    assert event.owner.delete(f"{event.path}/announcements/{number}").status_code == 204
    problem_in(event.owner.delete(f"{event.path}/announcements/{number}"), 404, "not_found")
    assert told(event) == ["first"]
    last = load_feed(event.stream, after=0, limit=100)[-1]
    assert (last.kind, last.data["number"]) == ("announcement.withdrawn", number)
    assert announce(event, "next") == number + 1
    assert JournalLine.objects.filter(kind="announcement.withdrawn").count() == 1
    assert verify() == []


def test_the_newest_fifty_are_kept(event: Event) -> None:
    old = [{"number": n, "text": "x", "at": "2026-01-01T00:00:00+00:00"} for n in range(1, 51)]
    Tournament.objects.update(announcements=old, announced=50)
    announce(event)
    stored = Tournament.objects.get().announcements
    assert [one["number"] for one in stored] == [*range(2, 52)]


@pytest.mark.parametrize(("state", "status"), [("draft", 409), ("final", 201), ("archived", 409)])
def test_an_event_has_readers_from_the_registration_on(
    event: Event, state: str, status: int
) -> None:
    Tournament.objects.update(state=state)
    answer = event.owner.post(f"{event.path}/announcements", {"text": TEXT})
    assert answer.status_code == status


@pytest.mark.parametrize("text", ["", " ", "x" * 1001, "a\u202eb"])
def test_what_cannot_be_announced(event: Event, director: Client, text: str) -> None:
    problem = problem_in(event.owner.post(f"{event.path}/announcements", {"text": text}), 422)
    assert [error["pointer"] for error in problem["errors"]] == ["/text"]
    page = director.post("/e/spring/run", {"action": "announce", "text": text})
    assert page.status_code == 422
    assert json.dumps(page.context["announcing"].value) == json.dumps(text)
    assert told(event) == []


def test_a_director_announces_and_withdraws_on_a_page(event: Event, director: Client) -> None:
    sent = director.post("/e/spring/run", {"action": "announce", "text": TEXT})
    assert sent.status_code == 303
    assert SHOWN in director.get("/e/spring/run").content.decode()
    sent = director.post("/e/spring/run", {"action": "withdraw-announcement", "number": "1"})
    assert sent.status_code == 303
    assert SHOWN not in director.get("/e/spring/run").content.decode()


def test_a_final_event_keeps_them_and_a_cancelled_one_says_why(
    event: Event, open_page: OpenPage
) -> None:
    announce(event)
    Tournament.objects.update(state="final")
    assert SHOWN in open_page("/e/spring").content.decode()
    Tournament.objects.update(state="registration")
    body = {"reason": "the hall is flooded"}
    assert event.owner.post(f"{event.path}/cancel", body).status_code == 200
    assert "is cancelled: the hall is flooded" in open_page("/e/spring").content.decode()
