"""The page on which the site's staff merge players."""

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import Merge, Player
from tests.events import Event, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
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


def test_only_staff_see_it(organiser: Person, event: Event) -> None:
    assert login(organiser).get(PAGE).status_code == 403


def test_players_are_found_merged_and_separated(
    browser: Client, keep: Player, other: Player
) -> None:
    assert f"{PAGE}?q=Ada" in browser.get(f"/players/{keep.pk}").content.decode()
    assert {player.pk for player in browser.get(f"{PAGE}?q=ada").context["found"]} == {
        keep.pk,
        other.pk,
    }
    form = {"action": "merge", "keep_id": other.pk, "merge_id": keep.pk}
    preview = send(browser, "?dry_run=1&q=ada", **form)
    assert preview.context["preview"]["entries"] == 1
    assert not Merge.objects.exists()

    assert send(browser, **form).headers["Location"] == f"{PAGE}?done=merge"
    merge = Merge.objects.get()
    keep.refresh_from_db()
    assert keep.merged_into == other

    undo = {"action": "undo", "merge_id": merge.pk}
    preview = send(browser, "?dry_run=1", **undo)
    assert preview.status_code == 200
    keep.refresh_from_db()
    assert keep.merged_into == other
    assert send(browser, **undo).headers["Location"] == f"{PAGE}?done=undo"
    keep.refresh_from_db()
    assert keep.merged_into is None
    assert send(browser, **undo).status_code == 409
