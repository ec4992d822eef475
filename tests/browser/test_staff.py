"""The pages of registered players in a browser, for the site's staff."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Player, Role
from ratings.casual.views import RECORD
from tests.browser.conftest import Check
from tests.events import make_event
from tests.people import make_person
from tournament.models import Tournament


@pytest.fixture
def player(live_server: Any) -> Player:
    """A player who is entered in an event, and another registration of the same name."""
    player = Player.objects.create(name="Vondráková, Jiřina", country="CZE", club="Kavalier")
    Player.objects.create(
        name="Vondráková, Jiřina", country="CZE", club="Slavia", external_ids={"fide": "309877"}
    )
    make_event(make_person("Rita")).enter(player)
    return player


@pytest.mark.long
def test_the_staff_register_correct_and_erase_players(
    open_page: Callable[..., Page], check: Check, player: Player
) -> None:
    site = make_person("Site", is_staff=True).account
    page = open_page("/players", account=site)
    check(page, "players")
    page.get_by_role("link", name="Register a new player").click()
    page.get_by_label("Name").fill("Vondráková")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Jiřina")
    check(page, "new-player")
    page.goto("/players/import")
    page.get_by_label("or its text").fill("Name;Verein\nVondráková, Jiřina;\nČech, Petr;Sparta\n")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("main").get_by_role("group").first).to_contain_text("another person")
    page.get_by_label("another person").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Čech")
    check(page, "player-import")
    page.goto("/games/import")
    page.get_by_label("or its text").fill(RECORD)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("11–10")
    check(page, "game-import")
    page.goto(f"/players/{player.pk}")
    page.get_by_role("link", name="Correct the details").click()
    page.get_by_role("button", name="Preview").last.click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text(f"player {player.pk}")
    check(page, "player-details")
    page.get_by_role("button", name="Erase the personal data for ever").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"player {player.pk}")
    event = Tournament.objects.get()
    Role.objects.create(stream=event.stream, account=site, role="owner")
    page.goto(f"/e/{event.slug}/run/tokens")
    page.get_by_label("What it is for").fill("board 1")
    page.get_by_label("report, confirm and dispute results").check()
    page.get_by_role("button", name="Create the token").first.click()
    expect(page.locator(".secret")).to_have_text(re.compile("^peri_"))
    check(page, "event-tokens")
    page.goto(f"/e/{event.slug}/run/records/repeated")
    check(page, "repeated-records")
    for path in ("/systems", "/games"):
        page.goto(path)
        check(page, path.strip("/"))
