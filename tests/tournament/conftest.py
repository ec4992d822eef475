"""The people and events of the tests of pages, and how they open pages."""

from collections.abc import Callable, Mapping

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.events import Event
from tests.people import Person
from tests.tournament.sheets import SheetData, note_sheets

OpenPage = Callable[..., HttpResponse]


@pytest.fixture
def open_page(db: None) -> OpenPage:
    """Request a page as a person with a session or as a stranger, or send a form to it."""

    def open_page(
        path: str,
        person: Person | None = None,
        form: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        client = Client()
        if person is not None:
            assert person.account is not None
            client.force_login(person.account)
        return client.get(path, headers=headers) if form is None else client.post(path, form)

    return open_page


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> SheetData:
    """The data of each sheet that is printed."""
    return note_sheets(monkeypatch)


def login(person: Person) -> Client:
    """Return a client whose session is that of a person's account."""
    client = Client()
    assert person.account is not None
    client.force_login(person.account)
    return client


@pytest.fixture
def director(client: Client, event: Event) -> Client:
    """A browser in which the organiser is logged in."""
    assert event.owner.account is not None
    client.force_login(event.owner.account)
    return client
