"""The page of an entry: which of its values can change, and where the others are corrected."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Four players in an event that is open for entries."""
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(4, by=organiser))
    return event.step("open")


def page_of(entry: Entry) -> str:
    return f"/e/spring/run/entries/{entry.pk}"


def shown_fields(page: HttpResponse) -> dict[str, str]:
    """Return what the form of the values sends, unless the reader changes it."""
    found = re.search(r"<h3>In this event</h3>\s*<form.*?</form>", page.content.decode(), re.S)
    if found is None:
        return {}
    inputs = re.findall(r'<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"', found[0])
    selects = re.findall(r'<select[^>]* name="([^"]+)"', found[0])
    sent = dict(inputs) | dict.fromkeys(selects, "")
    return {name: text.replace("&quot;", '"') for name, text in sent.items() if "csrf" not in name}


def store(director: Client, entry: Entry, **values: str) -> Any:
    form = shown_fields(director.get(page_of(entry)))
    return director.post(page_of(entry), form | {"action": "edit"} | values)


def test_values_change_before_the_start_without_a_reason(director: Client, event: Event) -> None:
    entry = event.tournament.entries.order_by("pk")[0]
    assert "reason" not in shown_fields(director.get(page_of(entry)))
    assert store(director, entry, seed_rating="1710", lot="3").status_code == 303
    entry.refresh_from_db()
    assert (entry.seed_rating, entry.lot) == (1710, 3)


def test_values_change_after_the_start_with_a_reason(director: Client, event: Event) -> None:
    event.step("start").play(1)
    entry = event.tournament.entries.order_by("pk")[0]
    assert not {"lot", "first_round"} & set(shown_fields(director.get(page_of(entry))))

    rejected = store(director, entry, seed_rating="1710", club="Rooks")
    assert rejected.status_code == 422
    assert "the event has started; say why the entry is corrected" in rejected.content.decode()
    assert 'value="Rooks"' in rejected.content.decode()

    stored = store(director, entry, seed_rating="1710", club="Rooks", reason="a slip of the pen")
    assert stored.status_code == 303
    entry.refresh_from_db()
    assert (entry.seed_rating, entry.club) == (1710, "Rooks")


def test_a_final_event_leads_to_the_corrections_with_the_entry(
    director: Client, event: Event
) -> None:
    event.step("start")
    for number in (1, 2, 3):
        event.play(number)
    event.step("review", "finalise")
    entry = event.tournament.entries.get(pairing_number=2)

    page = director.get(page_of(entry))

    assert shown_fields(page) == {}
    assert 'href="/e/spring/run/corrections?entry=2"' in page.content.decode()
    corrections = director.get("/e/spring/run/corrections?entry=2").content.decode()
    assert re.search(r'name="entry\.number"[^>]* value="2"', corrections)
    assert 'value="x"' not in director.get("/e/spring/run/corrections?entry=x").content.decode()
