"""The page of the pairing systems, and what the page of files says about their certificates."""

import pytest
from django.test import Client
from django.utils.html import escape

from tests.events import Event, make_running
from tests.people import Person
from tournament.pairing.systems import PAIRING_SYSTEMS

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """A running event; round 1 is published, round 2 a draft."""
    event = make_running(organiser, 4, rounds=3)
    event.play(1)
    event.draft(2)
    return event


def test_every_system_is_shown_with_its_options(client: Client) -> None:
    page = client.get("/systems").content.decode()
    for code, system in PAIRING_SYSTEMS.items():
        assert f'id="{code}"' in page
        for option in system.options:
            assert escape(option.label) in page
            assert f">{option.name}<" not in page


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_sources_are_in_the_language_of_the_reader(client: Client, language: str) -> None:
    page = client.get("/systems", headers={"Accept-Language": language}).content.decode()

    assert [system.source for system in PAIRING_SYSTEMS.values() if system.source in page] == []
    assert "C.04.3" in page


def test_the_files_have_the_certificates_of_published_rounds(client: Client, event: Event) -> None:
    page = client.get("/e/spring/exports").content.decode()
    (address,) = {
        line.split('"')[0] for line in page.split('href="') if "/certificates/" in line[:90]
    }
    assert address == "/api/v1/tournaments/spring/certificates/1"
    assert client.get(address).json()["round"] == 1
