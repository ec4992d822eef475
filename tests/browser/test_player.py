"""A player on a phone without scripts reports by score; the opponent disputes it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Account, Player
from tests.browser.conftest import PHONE, Check
from tests.events import make_event, make_players, settle
from tests.people import make_person, make_player, player_of
from tournament.entries.links import create_links, token_of
from tournament.models import PersonalLink

NOW = {"extra_http_headers": {"Prefer": "wait=0"}}
"""No worker runs here, so the pages do not wait for one."""


@pytest.fixture
def secrets(live_server: Any) -> list[str]:
    """The secrets of the links of the players at board 1, first seat first."""
    owner = make_person("Olga")
    event = make_event(owner, rounds=3, check_in="round", time_control="60+30")
    event.enter(*make_players(4))
    event.step("open", "start")
    event.tournament.entries.update(checked_in_round=1)
    game = event.publish(1)[0]
    create_links(event.tournament, by=owner.account)
    return [
        token_of(PersonalLink.objects.get(entry__player=player))
        for player in (game.first, game.second)
    ]


def test_a_result_is_reported_by_score_and_disputed(
    open_page: Callable[..., Page], check: Check, secrets: list[str]
) -> None:
    first, second = secrets
    page = open_page("/e/spring/me", java_script_enabled=False, viewport=PHONE, **NOW)
    page.get_by_label("Personal link").fill(f"https://example.org/e/spring/me#{first}")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Result").select_option("14-7")
    page.get_by_role("button", name="Report the result").click()
    expect(page.locator("main")).to_contain_text("Your result is reported.")
    settle()

    other = open_page(f"/e/spring/me#{second}", **NOW)
    other.get_by_role("button", name="Confirm 14–7").wait_for()
    assert other.url.endswith("/e/spring/me")
    check(other, "my-event")
    other.get_by_text("This is not right").click()
    other.get_by_label("What is wrong?").fill("I won 11-10.")
    other.get_by_role("button", name="Dispute it").click()
    other.wait_for_url("**/games/*/reports**")
    settle()
    other.reload()
    expect(other.locator("main")).to_contain_text("disputed")
    check(other, "reports-disputed")
    other.locator('[role="gridcell"][aria-label^="S10"]').click()
    other.get_by_text("second to move").wait_for()
    other.get_by_label("Type cells or words").fill("T10 agreed 10-11")
    other.get_by_role("button", name="Enter", exact=True).click()
    other.get_by_text("The game is over.").wait_for()
    other.get_by_role("button", name="Report the record").click()
    expect(other.locator("main")).to_contain_text("Your record is reported.")
    check(open_page("/e/spring/me"), "open-link")

    page.goto("/e/spring/me")
    page.get_by_role("button", name="Check in").click()
    page.get_by_label("Round 2").select_option("half-bye")
    page.get_by_role("button", name="Set my byes").click()
    expect(page.locator("main")).to_contain_text("Your byes are set.")
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("button", name="Log out").click()
    page.goto("/e/spring/me")
    expect(page.get_by_label("Personal link")).to_be_visible()


def test_the_pages_of_an_account(open_page: Callable[..., Page], check: Check) -> None:
    ada = Account.objects.create_user("ada@example.org", "moons of saturn", name="Ada")
    Player.objects.create(name="Ada", country="POR", account=ada)
    ben, cleo = make_player("Ben Nevis"), Player.objects.create(name="Cleo")
    event = make_event(ben, name="Autumn Open", slug="autumn").step("open")
    event.enter(player_of(ben))
    page = open_page("/sign-up")
    check(page, "sign-up")
    page.goto("/password")
    check(page, "password")

    page.goto("/account")
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password").fill("moons of saturn")
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_label("What it is for").fill("laptop")
    page.get_by_label("report, confirm and dispute results").check()
    page.get_by_role("button", name="Create the token").click()
    expect(page.locator(".secret")).to_have_text(re.compile("^peri_"))
    check(page, "account")

    page.goto("/my")
    page.get_by_role("link", name="Propose a casual game").click()
    page.get_by_label("Opponent").fill("nevis")
    page.get_by_role("button", name="Search").last.click()
    check(page, "propose")
    page.get_by_label("Your seat").select_option("second")
    page.get_by_role("button", name="Propose the game").click()
    expect(page.locator("main")).to_contain_text("proposed")
    page.goto("/e/autumn/apply")
    check(page, "apply")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("main")).to_contain_text("You have applied.")
    page.goto(f"/players/{cleo.pk}/claim")
    check(page, "claim")
    page.goto("/my")
    check(page, "my")
