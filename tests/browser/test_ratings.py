"""The pages of ratings, players, officers and staff in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Account, Player
from ratings.models import Pool
from ratings.services.published_lists import publish_list
from ratings.services.runs import advance_pool
from tests.browser.conftest import Check, log_in
from tests.people import make_person
from tests.ratings.factories import day, file_event, make_game, make_players


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

    staff = log_in(open_page("/login?next=/officers/pools/star"), "Root")
    Account.objects.filter(name="Root").update(is_staff=True)
    staff.goto("/officers/pools/star")
    check(staff, "officers")
    staff.goto("/staff?q=Otto")
    check(staff, "staff")
    staff.goto("/staff/merges?q=Otto")
    check(staff, "merges")
