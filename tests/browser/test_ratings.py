"""The pages of ratings, players, officers and staff in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Player
from ratings.lists.services import publish_list
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.browser.conftest import Check
from tests.people import make_person
from tests.ratings.factories import day, file_event, make_game, make_players
from tests.ratings.handicaps.test_handicap_pages import add_calibration


@pytest.fixture
def ann(live_server: Any) -> Player:
    """Ann, who played at two cups; the list after them is published."""
    pool, _ = Pool.objects.get_or_create(code="star", defaults={"name": "*Star", "preset": "decay"})
    ann, bo, cy = make_players(3)
    for number, others in enumerate(((bo, cy), (cy, bo)), start=1):
        games = [make_game(ann, other, event=f"Cup {number}") for other in others]
        file_event(pool, f"cup-{number}", day(3 * number), games)
    advance_pool(pool.pk)
    publish_list(pool, now=timezone.now(), by=make_person("Otto").account)
    return ann


def test_the_pages_of_ratings(open_page: Callable[..., Page], check: Check, ann: Player) -> None:
    page = open_page("/pools")
    check(page, "pools")
    page.get_by_role("link", name="*Star").click()
    page.get_by_label("with provisional ratings").check()
    page.get_by_label("with inactive players").check()
    page.get_by_role("button", name="Show").click()
    check(page, "pool")
    page.get_by_role("link", name=ann.name).click()
    page.get_by_text("explain").first.click()
    expect(page.locator("main")).to_contain_text("is expected; the score was")
    check(page, "player")
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url("**/games")
    check(page, "player-games")
    page.goto("/pools/star/runs/1")
    check(page, "run-of-ratings")

    root = make_person("Root", is_staff=True)
    staff = open_page("/officers/pools/star", account=root.account)
    check(staff, "officers")
    staff.goto("/staff?q=Otto")
    check(staff, "staff")
    staff.goto("/staff/merges?q=Otto")
    check(staff, "merges")


@pytest.mark.long
def test_the_pages_of_handicaps_and_comparisons(
    open_page: Callable[..., Page], check: Check, ann: Player
) -> None:
    pool = Pool.objects.get()
    done, bo = add_calibration(pool), Player.objects.get(name="Player B")
    page = open_page("/handicap")
    page.get_by_label("First seat").fill("yer A")
    page.get_by_label("Second seat").fill("player")
    page.get_by_role("button", name="Recommend").click()
    expect(page.locator("main")).to_contain_text("Several players match")
    check(page, "handicap-choice")
    page.get_by_label("Second seat").select_option(str(bo.pk))
    page.get_by_role("button", name="Recommend").click()
    expect(page.locator("main")).to_contain_text("is rated")
    for address, name in (
        ("/handicap?first=yer+A&second=yer+B", "handicap"),
        ("/handicap-tables", "handicap-tables"),
        ("/handicap-tables/v1", "handicap-table"),
        (f"/players/{ann.pk}/what-if?opponent=yer+B&score=1", "what-if"),
        (f"/players/{ann.pk}/versus?q=player", "opponents"),
    ):
        page.goto(address)
        check(page, name)

    root = make_person("Root", is_staff=True)
    staff = open_page("/officers/pools/star", account=root.account)
    for address, name in (
        ("/officers/new-pool", "new-pool"),
        ("/officers/pools/star/handicaps?estimates=1", "officers-handicaps"),
        ("/officers/pools/star/batches", "officers-batches"),
        (f"/officers/pools/star/analyses/{done.pk}", "officers-analysis"),
        ("/officers/pools/star/analyses", "officers-analyses"),
    ):
        staff.goto(address)
        check(staff, name)
    staff.goto("/officers/pools/star/handicaps?estimates=1")
    staff.get_by_label("Why these values").fill("the calibration")
    staff.get_by_role("button", name="Preview").click()
    expect(staff.locator("main")).to_contain_text("What the version would change")
    check(staff, "officers-handicaps-preview")
