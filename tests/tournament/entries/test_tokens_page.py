"""The page of the tokens that are valid for one event only."""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Role, Token
from tests.events import Event, make_running
from tests.people import Person, make_person, player_of
from tests.tournament.conftest import login
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/tokens"
NEW = {"action": "create-token", "name": "board 1", "scopes[]": ["result:write"]}


@pytest.fixture
def start(organiser: Person, ada: Person, stranger: Person) -> dict[str, Any]:
    """A running event with Ada and another player; a director and a scorer of it."""
    event = make_running(organiser, 2)
    event.enter(player_of(ada))
    people = {"director": make_person("Dora"), "scorer": make_person("Sam")}
    for role, person in people.items():
        Role.objects.create(stream=event.stream, account=person.account, role=role)
    return {"organiser": organiser, "ada": ada, "event": event, "stranger": stranger} | people


@pytest.fixture
def browser(event: Event, start: dict[str, Any]) -> Client:
    return login(start["organiser"])


def send(browser: Client, **form: object) -> HttpResponse:
    return browser.post(PAGE, form)


def test_only_owners_see_it(client: Client, browser: Client, start: dict[str, Any]) -> None:
    assert client.get(PAGE).status_code == 303
    assert send(client, **NEW).status_code == 401
    for name in ("director", "scorer", "ada", "stranger"):
        person = login(start[name])
        assert person.get(PAGE).status_code == 403, name
        for form in (NEW, {"action": "revoke-token", "token_id": "x"}):
            assert send(person, **form).status_code == 403, name
    assert not Token.objects.filter(name="board 1").exists()
    assert PAGE in browser.get("/e/spring/run/roles").content.decode()
    assert PAGE not in login(start["director"]).get("/e/spring/run/roles").content.decode()


def test_a_token_is_shown_once_and_revoked(browser: Client, event: Event) -> None:
    shown = send(browser, **NEW, expires_at="")
    (secret,) = re.findall(r'class="secret">([^<]+)<', shown.content.decode())
    assert shown.headers["Cache-Control"] == "private, no-store"
    me = Person("Olga", secret=secret).get("me").json()
    assert (me["tournament"], me["scopes"]) == ("spring", ["result:write"])
    page = browser.get(PAGE).content.decode()
    assert secret not in page
    assert "board 1" in page

    token = Token.objects.get(stream=event.stream)
    done = send(browser, action="revoke-token", token_id=token.token_key)
    assert done.headers["Location"] == f"{PAGE}?done=revoke-token"
    assert not Token.objects.filter(stream=event.stream).exists()
    assert send(browser, action="revoke-token", token_id=token.token_key).status_code == 404


def test_a_token_ends_in_the_time_of_the_event(browser: Client, event: Event) -> None:
    Tournament.objects.update(time_zone="Pacific/Auckland")
    day = f"{timezone.now() + timedelta(days=2):%Y-%m-%d}"

    assert "Time of New Zealand: Auckland." in browser.get(PAGE).content.decode()
    send(browser, **NEW, expires_at=f"{day}T12:00")

    expiry = Token.objects.get(stream=event.stream).expiry
    assert f"{expiry.astimezone(ZoneInfo('Pacific/Auckland')):%Y-%m-%d %H:%M}" == f"{day} 12:00"


def test_a_token_of_a_player_replaces_the_earlier_one(
    browser: Client, event: Event, ada: Person
) -> None:
    entry = event.tournament.entries.get(player=player_of(ada))
    form = {"action": "player-token", "entry_id": entry.pk}
    secrets = [
        re.findall(r'class="secret">([^<]+)<', send(browser, **form).content.decode())[0]
        for _ in range(2)
    ]
    assert Person("Ada", secret=secrets[0]).get("me").status_code == 401
    assert Person("Ada", secret=secrets[1]).get("me").json()["player"]["name"] == "Ada"
    page = browser.get(PAGE).content.decode()
    assert "issued by a director" in page
    assert f'href="/players/{player_of(ada).pk}">Ada</a>' in page


@pytest.mark.parametrize(
    ("form", "status", "detail"),
    [
        ({"scopes[]": []}, 422, "required"),
        ({"scopes[]": ["everything"]}, 422, "valid scopes are"),
        ({"name": "\0"}, 422, "Null"),
        ({"expires_at": "soon"}, 422, "must be a day and a time"),
        ({"expires_at": "2001-01-01T00:00"}, 422, "in the past"),
        ({"tournament": "autumn", "is_staff": "1"}, 422, "is_staff"),
        ({"action": "player-token", "entry_id": "99999"}, 422, "Nothing was changed"),
        ({"action": "player-token", "entry_id": "x"}, 400, "entry_id"),
    ],
)
def test_a_wrong_form_creates_no_token(
    browser: Client, event: Event, form: dict[str, Any], status: int, detail: str
) -> None:
    rejected = send(browser, **NEW | form)
    assert (rejected.status_code, detail in rejected.content.decode()) == (status, True)
    assert not Token.objects.filter(stream=event.stream).exists()


def test_the_queries_do_not_grow_with_the_tokens(
    browser: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    send(browser, **NEW)
    browser.get(PAGE)
    for count in (1, 3):
        while Token.objects.filter(stream=event.stream).count() < count:
            send(browser, **NEW)
        with django_assert_num_queries(11):
            browser.get(PAGE)
