"""The page on which people apply for a place: with an account, or by the event's link."""

import re

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


def test_the_whole_address_of_the_link_can_be_pasted(
    client: Client, organiser: Person, event: Event, key: str
) -> None:
    links = organiser.get("tournaments/spring/application-link").json()

    field = re.search(r'<input[^>]* name="link"[^>]*>', client.get(APPLY).content.decode())

    assert field is not None
    longest = re.search(r'maxlength="(\d+)"', field[0])
    assert longest is not None
    assert int(longest[1]) > 2 * len(links["address"]) > 2 * len(key)


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


def test_a_missing_name_is_said_with_the_other_errors(
    client: Client, event: Event, key: str
) -> None:
    form = {"action": "apply", "link": key, "country": "Egypt", "birth_year": "1700"}

    rejected = client.post(APPLY, form)

    names = {error["name"] for error in rejected.context["listed_errors"]}
    assert names == {"country", "birth_year", "name"}


def test_a_colon_stands_apart_in_french(client: Client, event: Event, key: str) -> None:
    form = {"action": "apply", "link": key, "name": "Cleo", "birth_year": "3000"}
    shown = {
        language: client.post(APPLY, form, headers={"accept-language": language}).content.decode()
        for language in ("en", "fr")
    }
    assert "Year of birth</a>: 3000" in shown["en"]
    assert "Année de naissance</a>\xa0: 3000" in shown["fr"]


def test_errors_have_the_words_of_people(client: Client, event: Event, key: str) -> None:
    form = {"action": "apply", "link": key, "name": "Cleo", "birth_year": "3000"}

    rejected = client.post(APPLY, form | {"seed_rating": "-5", "fide": "abc"}).content.decode()

    assert "3000 is in the future" in rejected
    assert "&#x27;abc&#x27; is no FIDE id" in rejected
    assert "-5 is not a rating from 100 to 4000" in rejected
    assert "null" not in rejected
    assert "2199" not in rejected.partition("<main")[2].partition("field-name")[0]


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
        ({"name": "Cleo", "birth_year": "x"}, 422, "must be a whole number"),
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


def test_one_reads_before_the_form_what_one_needs(client: Client, event: Event, key: str) -> None:
    publish(event)
    page = client.get(APPLY).content.decode()

    assert "You apply with the link that the organiser has given you" in page
    assert page.index('name="link"') < page.index('name="name"')
    assert "key of the event" not in page


def test_the_link_serves_another_person_too(client: Client, event: Event, key: str) -> None:
    client.post(APPLY, {"action": "apply", "link": f"/e/spring/apply#{key}", "name": "Cleo"})

    page = client.get(APPLY).content.decode()
    assert f'type="hidden" name="link" value="{key}"' in page
    assert 'id="field-link"' not in page
    assert client.post(APPLY, {"action": "apply", "link": key, "name": "Dan"}).status_code == 303
    assert event.tournament.entries.count() == 2

    create_application_key(event.tournament, by=event.owner.account)
    assert 'id="field-link"' in client.get(APPLY).content.decode()


def test_the_link_of_a_rejected_application_is_kept(client: Client, event: Event, key: str) -> None:
    wrong = {"action": "apply", "link": "no-link", "name": "Cleo"}
    client.post(APPLY, wrong)
    assert 'id="field-link"' in client.get(APPLY).content.decode()
    form = wrong | {"link": f"/e/spring/apply#{key}", "birth_year": "3000"}
    rejected = client.post(APPLY, form)
    assert rejected.status_code == 422
    for page in (rejected, client.get(APPLY)):
        text = page.content.decode()
        assert f'type="hidden" name="link" value="{key}"' in text
        assert 'id="field-link"' not in text


@pytest.mark.parametrize("is_public", [True, False])
def test_an_application_without_link_and_login_loses_nothing(
    client: Client, event: Event, ada: Person, is_public: bool
) -> None:
    if is_public:
        publish(event)
    form = {"action": "apply", "link": "", "name": "Cleo", "club": "Rooks"}

    rejected = client.post(APPLY, form)

    page = rejected.content.decode()
    assert rejected.status_code == 401
    assert "Paste the link that the organiser has given you, or log in" in page
    assert 'value="Cleo"' in page
    publish(event)
    client.force_login(event.owner.account)
    restored = client.get(APPLY).content.decode()
    assert "You have logged in now" in restored
    assert 'value="Cleo"' in restored
    assert 'value="Rooks"' in restored
    assert "You have logged in now" not in client.get(APPLY).content.decode()
