"""The page on which the site's staff merge players."""

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Merge, Player
from tests.events import Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login

pytestmark = pytest.mark.django_db
PAGE = "/staff/merges"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada, and another registration of her."""
    event = make_running(organiser, 2)
    event.enter(player_of(ada))
    Player.objects.create(name="Ada", club="Rooks")
    return event


@pytest.fixture
def browser(event: Event, staff: Person) -> Client:
    return login(staff)


@pytest.fixture
def keep(ada: Person) -> Player:
    return player_of(ada)


@pytest.fixture
def other(event: Event) -> Player:
    return Player.objects.get(club="Rooks")


def send(browser: Client, query: str = "", **form: object) -> HttpResponse:
    return browser.post(PAGE + query, form)


def test_only_staff_see_it(
    client: Client, organiser: Person, ada: Person, stranger: Person, keep: Player, other: Player
) -> None:
    form = {"action": "merge", "keep": keep.pk, "merge": other.pk}
    assert client.get(PAGE).status_code == 303
    assert client.post(PAGE, form).status_code == 401
    for person in (organiser, ada, stranger):
        browser = login(person)
        assert browser.get(PAGE).status_code == 403
        assert browser.post(PAGE, form).status_code == 403
        assert PAGE not in browser.get(f"/players/{keep.pk}").content.decode()
    assert not Merge.objects.exists()


def test_players_are_found_merged_and_separated(
    browser: Client, keep: Player, other: Player
) -> None:
    assert f"{PAGE}?q=Ada" in browser.get(f"/players/{keep.pk}").content.decode()
    assert {player.pk for player in browser.get(f"{PAGE}?q=ada").context["found"]} == {
        keep.pk,
        other.pk,
    }
    form = {"action": "merge", "keep": other.pk, "merge": keep.pk}
    preview = send(browser, "?dry_run=1&q=ada", **form)
    assert preview.context["preview"]["entries"] == 1
    text = preview.content.decode()
    assert f'name="keep" value="{other.pk}" checked' in text
    assert f'name="merge" value="{keep.pk}" checked' in text
    assert "nothing is changed yet" in preview.content.decode()
    assert not Merge.objects.exists()

    assert send(browser, **form).headers["Location"] == f"{PAGE}?done=merge"
    merge = Merge.objects.get()
    keep.refresh_from_db()
    assert keep.merged_into == other

    undo = {"action": "undo", "merge_id": merge.pk}
    preview = send(browser, "?dry_run=1", **undo)
    assert "would be a player again" in preview.content.decode()
    keep.refresh_from_db()
    assert keep.merged_into == other
    assert send(browser, **undo).headers["Location"] == f"{PAGE}?done=undo"
    keep.refresh_from_db()
    assert keep.merged_into is None
    assert send(browser, **undo).status_code == 409


def test_the_queries_do_not_grow_with_the_merges(
    browser: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    kept = Player.objects.create(name="Kay")
    browser.get(PAGE)
    for count in (1, 3):
        while Merge.objects.count() < count:
            one = Player.objects.create(name="Kay", merged_into=kept)
            Merge.objects.create(keep=kept, merged=one, by=event.owner.account)
        with django_assert_num_queries(5):
            browser.get(f"{PAGE}?q=Kay")
