"""A player on a phone without scripts reports by score; the opponent disputes it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Check
from tests.events import make_event, make_players, settle
from tests.people import make_person
from tests.tournament.entries.test_applications import link_in, mail_to
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
    page.get_by_label("Round 2").select_option("half_bye")
    page.get_by_role("button", name="Set my byes").click()
    expect(page.locator("main")).to_contain_text("Your byes are set.")
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("button", name="Log out").click()
    page.goto("/e/spring/me")
    expect(page.get_by_label("Personal link")).to_be_visible()


def test_an_applicant_confirms_an_address_and_has_a_page(
    open_page: Callable[..., Page], check: Check, live_server: Any
) -> None:
    owner = make_person("Olga")
    make_event(owner, applications="everybody", contact="olga@example.org").step("open")
    page = open_page("/e/spring", viewport=PHONE)
    page.get_by_role("link", name="Apply for a place").click()
    page.get_by_label("Your mail address").fill("cleo@example.org")
    page.get_by_label("Name").fill("Cleo")
    check(page, "apply")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.locator("main")).to_contain_text("a mail with a link is on its way to")
    page.goto(link_in(mail_to("cleo@example.org")))
    check(page, "application")
    page.get_by_role("button", name="Yes, I apply").click()
    expect(page.locator("main")).to_contain_text("applied; the organiser decides")
