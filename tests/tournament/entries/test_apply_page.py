"""The page on which people apply for a place: with an account, or by the event's link."""

import pytest
from django.test import Client

from games.models import Player
from tests.events import Event, make_event
from tests.people import Person, player_of
from tests.tournament.conftest import OpenPage, login
from tournament.entries.applications import create_application_key

pytestmark = pytest.mark.django_db
APPLY = "/e/spring/apply"


@pytest.fixture
def event(organiser: Person, ada: Person, stranger: Person) -> Event:
    """A private event that is open for entries."""
    return make_event(organiser, public=False).step("open")


@pytest.fixture
def key(organiser: Person, event: Event) -> str:
    assert organiser.account is not None
    return create_application_key(event.tournament, by=organiser.account)


def publish(event: Event) -> None:
    event.tournament.public = True
    event.tournament.save(update_fields=["public"])


def test_a_private_event_is_not_named(client: Client, event: Event) -> None:
    pages = [client.get(path).content.decode() for path in (APPLY, "/e/nowhere/apply")]

    assert "Spring" not in pages[0]
    assert [page.count('name="link"') for page in pages] == [1, 1]


def test_a_person_applies_by_the_link(client: Client, event: Event, key: str) -> None:
    link = f"https://example.org{APPLY}#{key}"
    form = {"action": "apply", "link": link, "name": "Cleo", "country": "egy", "birth_year": "1990"}

    sent = client.post(APPLY, form)

    assert (sent.status_code, sent["Location"]) == (303, f"{APPLY}?done=apply")
    page = client.get(sent["Location"]).content.decode()
    assert "You have applied" in page
    assert "The organiser decides whether you have a place" in page
    assert "field-name" not in page
    entry = event.tournament.entries.get()
    assert (entry.player.name, entry.player.country, entry.birth_year) == ("Cleo", "EGY", 1990)


def test_the_summary_of_errors_names_the_fields(client: Client, event: Event, key: str) -> None:
    form = {"action": "apply", "link": key, "name": "Cleo", "country": "Egypt", "birth_year": "19"}

    rejected = client.post(APPLY, form)

    assert rejected.status_code == 422
    listed = {error["name"]: error["label"] for error in rejected.context["listed_errors"]}
    assert listed == {"country": "Country", "birth_year": "Year of birth"}


def test_an_account_applies_for_its_player(ada: Person, event: Event) -> None:
    publish(event)
    client = login(ada)
    page = client.get(APPLY).content.decode()

    assert "You apply as Ada." in page
    assert 'name="name"' not in page
    assert client.post(APPLY, {"action": "apply"}).status_code == 303
    assert event.tournament.entries.get().player == player_of(ada)
    assert "applied; the organiser decides" in client.get(APPLY).content.decode()
    assert client.post(APPLY, {"action": "apply"}).status_code == 409


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"name": "Cleo"}, 401, "log"),
        ({"name": "Cleo", "link": "wrong"}, 422, "the link is wrong"),
        ({"name": ""}, 422, "send the name"),
        ({"name": "Cleo", "birth_year": "x"}, 422, "valid integer"),
        ({"name": "Cleo", "country": "Egypt"}, 422, "three-letter code"),
        ({"name": "C\0leo"}, 422, "U+0000"),
        ({"name": "C" * 500}, 422, "120"),
    ],
)
def test_rejected_applications(
    client: Client, event: Event, key: str, fields: dict[str, str], status: int, error: str
) -> None:
    publish(event)
    form = {"action": "apply", **({} if status == 401 else {"link": key}), **fields}
    rejected = client.post(APPLY, form)

    assert rejected.status_code == status
    assert error in rejected.content.decode()
    assert not Player.objects.filter(name__startswith="C").exists()


def test_a_closed_registration_has_no_form(
    open_page: OpenPage, event: Event, stranger: Person
) -> None:
    publish(event)
    event.step("cancel")

    assert 'name="action"' not in open_page(APPLY, stranger).content.decode()
